/** The bars of a histogram, stretched over the room that they have. */
import type { Layer } from '../../present/timeline.ts';

interface Given {
  readonly layers: readonly Layer[];
  /** The size that the paths of the layers are drawn for. */
  readonly box: { readonly width: number; readonly height: number };
  /** Other bars to compare these with, as an outline. */
  readonly outline?: string | undefined;
  readonly class?: string;
}

export function Bars({ layers, box: { width, height }, outline, class: name = '' }: Given) {
  return (
    <svg
      class={`timeline-bars ${name}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {outline && <path class="bars-behind" d={outline} />}
      {layers.map(({ series: { tone, index }, path }) => (
        <path key={index} class={tone} d={path} />
      ))}
      {outline && <path class="bars-outline" d={outline} />}
    </svg>
  );
}
