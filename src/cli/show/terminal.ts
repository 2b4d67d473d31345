/**
 * The place where text goes, and its looks there: colours and columns on a terminal, plain text in a
 * pipe. Nothing that was stored can steer the terminal it is shown on.
 */
import { styleText } from 'node:util';
import stringWidth from 'string-width';

export { oneLine } from '../../oneLine.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A link, as terminals take it (OSC 8). Its address has no control characters. */
export interface Linked {
  readonly link: string;
}

/** Text in a style, where there are styles. */
export type Paint = (style: Style | Linked, text: string) => string;

/** As https://no-color.org and FORCE_COLOR have it. */
export function painter({ isTTY }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const refused = Boolean(env.NO_COLOR) || env.FORCE_COLOR === '0' || env.TERM === 'dumb';
  const isColoured = !refused && (forced || isTTY === true);
  return (style, text) => {
    if (!isColoured || text === '') return text;
    if (typeof style === 'object')
      return `\u001b]8;;${style.link}\u001b\\${text}\u001b]8;;\u001b\\`;
    return styleText(style, text, { validateStream: false });
  };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells of a terminal that the text takes. */
export const widthOf = (text: string): number => stringWidth(text);

/** At most so many cells; a cut text ends with `…`. */
export function clipped(text: string, width: number): string {
  // Signs that take no cell could be without end.
  if (text.length <= 4 * width && widthOf(text) <= width) return text;
  let taken = '';
  let cells = 0;
  for (const { segment } of graphemes.segment(text.slice(0, 8 * width + 8))) {
    const more = widthOf(segment);
    if (cells + more > width - 1) break;
    taken += segment;
    cells += more;
  }
  return width > 0 ? `${taken}…` : '';
}

export function padded(text: string, width: number, side: 'left' | 'right'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + gap : gap + text;
}
