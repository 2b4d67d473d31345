/**
 * Query parameters as data: the values that each one takes, and all problems at once.
 *
 *     readQuery(ctx, { limit: integer(1, 5000, 'Most lines.') })   ?limit=7  ──▶  {limit: 7}
 *
 * One that is not known is a problem, since its sender counts on it: `?scoope=system` would guard
 * nothing. So is one that is given twice, or empty: which of two to take would be a guess.
 */
import type { ParsedUrlQuery } from 'node:querystring';
import type { ProblemDetail } from '../../errors.ts';
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';
import { unknownName } from '../../tables/query/guess.ts';
import { pointerStep, validationFailed } from '../../tables/query/schema.ts';

/** Reads one parameter: its value, or undefined where the text does not fit. */
export interface Parameter<T> {
  /** Its meaning, for the reference. */
  readonly meaning: string;
  readonly schema: JsonSchema;
  readonly takes: string;
  readonly parse: (text: string) => T | undefined;
}

export function integer(min: number, max: number, meaning: string): Parameter<number> {
  return {
    meaning,
    schema: { type: 'integer', minimum: min, maximum: max },
    takes: `a whole number from ${min} to ${max}`,
    parse(text) {
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function oneOf<const V extends string>(values: readonly V[], meaning: string): Parameter<V> {
  return {
    meaning,
    schema: { enum: values },
    takes: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => value === text),
  };
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type Values<P> = {
  readonly [N in keyof P]: P[N] extends Parameter<infer T> ? T | undefined : never;
};

/**
 * The values of the parameters that are there.
 *
 * @throws AppError `ValidationFailed`; the pointer of a problem is `/` and the parameter's name.
 */
export function readQuery<P extends Parameters>(
  { query }: { readonly query: ParsedUrlQuery },
  parameters: P,
): Values<P> {
  const values: Record<string, unknown> = {};
  const problems: ProblemDetail[] = [];
  for (const [name, { takes, parse }] of Object.entries(parameters)) {
    const given = query[name];
    if (given === undefined) continue;
    const value = typeof given === 'string' ? parse(given) : undefined;
    if (value !== undefined) values[name] = value;
    else problems.push({ pointer: `/${name}`, detail: `The query parameter must be ${takes}.` });
  }
  const known = Object.keys(parameters);
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue;
    problems.push({ pointer: pointerStep(name), detail: unknownName(name, known) });
  }
  if (problems.length > 0) throw validationFailed(problems, 'query');
  return values as Values<P>;
}
