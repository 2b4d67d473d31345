/** A line of the table: a measure, its bar, and whether the value reaches it. */

export const MICRO = 0.001;
export const ms = (number: number) =>
  `${number < 0.1 ? number.toFixed(3) : number < 10 ? number.toFixed(2) : number.toFixed(number < 100 ? 1 : 0)} ms`;
export const k = (number: number) => `${Math.round(number / 1000)}k`;

export const atMost = (
  measure: string,
  value: number,
  bar: number,
  show: (n: number) => string,
) => ({
  measure,
  value: show(value),
  bar: `≤ ${show(bar)}`,
  reached: value <= bar,
});

export const atLeast = (
  measure: string,
  value: number,
  bar: number,
  show: (n: number) => string,
) => ({
  measure,
  value: show(value),
  bar: `≥ ${show(bar)}`,
  reached: value >= bar,
});

/** A figure beside a bar, to say what can be reached. */
export const forComparison = (measure: string, value: string) => ({
  measure: `for comparison, ${measure}`,
  value,
  bar: '',
  reached: true,
});

export const times = (number: number) => `${number.toFixed(number < 10 ? 2 : 0)}×`;
