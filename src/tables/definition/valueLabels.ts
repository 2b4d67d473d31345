/**
 * Value labels: the values of a field with their names for people. The application supplies them, in sets.
 *
 *     {"countries": [{value: "de", label: "Germany", alias: "Federal Republic of Germany"}, …]}
 *
 * A field of kind `value label` is searched by its set, and facets show it. Texts compare by the
 * server's case folding.
 */

/** A value that has a name for people. */
export interface LabelledValue {
  readonly value: string;
  readonly label: string;
  /** Another full name, which can stand for the label. */
  readonly alias?: string;
}

export type ValueLabels = Readonly<Record<string, LabelSet>>;

type Fold = (text: string) => string;

export class LabelSet {
  readonly #values: readonly LabelledValue[];
  readonly #labels: ReadonlyMap<unknown, string>;

  constructor(values: readonly LabelledValue[]) {
    this.#values = values;
    this.#labels = new Map(values.map(({ value, label }) => [value, label]));
  }

  labelOf(value: unknown): string | undefined {
    return this.#labels.get(value);
  }

  /** The values whose label contains the text. */
  containing(text: string, fold: Fold): string[] {
    const wanted = fold(text);
    const found = this.#values.filter(({ label }) => fold(label).includes(wanted));
    return found.map(({ value }) => value);
  }

  /** The first value whose label or alias equals the text. */
  named(text: string, fold: Fold): string | undefined {
    const wanted = fold(text);
    const isNamed = (name: string | undefined) => name !== undefined && fold(name) === wanted;
    return this.#values.find(({ label, alias }) => isNamed(label) || isNamed(alias))?.value;
  }
}
