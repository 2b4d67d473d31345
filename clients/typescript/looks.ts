/** Sizes, durations, amounts and links as people read and write them, in the web UI and on a terminal. */

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** `850 B`, `1.2 MB`. */
export function bytesOf(bytes: number): string {
  if (!(Math.abs(bytes) >= 1_000)) return `${bytes} B`;
  let [size, unit] = [bytes / 1_000, 0];
  // A size that one place would round to 1000.0 has the next unit.
  for (; Math.abs(size) >= 999.95 && unit < UNITS.length - 1; unit++) size /= 1_000;
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

/** `850 ms`, `12.4 s`, `3 min 05 s`, `2 h 10 min`, `12 d`. */
export function durationOf(seconds: number): string {
  if (seconds < 0) return `-${durationOf(-seconds)}`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const long = Math.max(60, seconds);
  const minutes = Math.floor(long / 60);
  if (minutes < 60) return `${minutes} min ${two(long % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d`;
}

/**
 * `€1,234.50`: an amount with its currency, as the language writes it; undefined for what is no amount. Exact decimals come
 * as text, and are not rounded.
 */
export function moneyOf(value: unknown, currency: string, language: string): string | undefined {
  const amount = String(value);
  // The formatter has no more places, and would round.
  if (!/^-?\d+(\.\d{1,20})?$/.test(amount)) return undefined;
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency, minimumFractionDigits: 2 },
    maximumFractionDigits: Math.max(2, digits),
  }).format(amount as Intl.StringNumericLiteral);
}

/**
 * The address that a value leads to, by a template such as `https://tickets.example/{value}`; `{value}` alone: the value is
 * the address. Undefined for what is no address of the web, such as a script.
 */
export function linkOf(template: string, value: string): string | undefined {
  const isWhole = template === '{value}';
  const address = template.replaceAll('{value}', () =>
    isWhole ? value : encodeURIComponent(value),
  );
  return /^https?:\/\//.test(address) ? address : undefined;
}

const SECONDS: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3_600, d: 86_400 },
};

/** The seconds of `90s`, `1.5h`, `1h30m`; undefined for any other text. */
export function secondsOf(duration: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|sec|s|min|m|h|d))+$/.test(duration)) return undefined;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|sec|s|min|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0);
}
