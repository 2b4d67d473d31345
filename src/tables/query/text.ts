/** From a text to its predicate: in one field, or in all fields of a free text. */
import { invariant } from '../../errors.ts';
import type { Filter, Resource } from '../definition/definition.ts';
import { contains, equals, oneOf, or, type Predicate } from '../definition/predicate.ts';
import type { LabelSet, ValueLabels } from '../definition/valueLabels.ts';
import type { SearchView } from '../definition/view.ts';

export interface TextSettings {
  readonly labels: ValueLabels;
  /** Folds text so that two texts are equal exactly when the server's `$regex` with `i` says so. */
  readonly fold: (text: string) => string;
}

/** The predicate of a free text. `named`: the value whose label or alias the text is, if any. */
interface FreeText {
  readonly where: Predicate;
  readonly named?: { readonly field: string; readonly value: string };
}

type TextFilter = Filter & { readonly kind: 'text' };

/** The filter of a view that takes free text, if it has one. */
export function freeTextFilter({ resource, filters }: SearchView): TextFilter | undefined {
  const all = filters.map((name) => resource.filters[name]);
  return all.find((filter): filter is TextFilter => filter?.kind === 'text');
}

export function freeText(
  resource: Resource,
  filter: TextFilter,
  text: string,
  settings: TextSettings,
): FreeText {
  const matches = filter.fields.map((field) => textIn(resource, field, text, settings));
  const field = filter.named && resource.fields[filter.named.by];
  const value =
    field?.kind === 'value label'
      ? labelSet(settings.labels, field).named(text, settings.fold)
      : undefined;
  if (field?.kind !== 'value label' || value === undefined) return { where: or(...matches) };
  const named = { field: field.of, value };
  return { where: or(...matches, equals(named.field, value)), named };
}

/** Text in a field; in a value label, that means the values whose label has the text. */
export function textIn(
  resource: Resource,
  name: string,
  text: string,
  { labels, fold }: TextSettings,
): Predicate {
  const field = resource.fields[name]!;
  if (field.kind !== 'value label') return contains(resource, name, text);
  return oneOf(field.of, labelSet(labels, field).containing(text, fold));
}

export function labelSet(all: ValueLabels, { labels }: { readonly labels: string }): LabelSet {
  const set = all[labels];
  invariant(set, `there are labels ${labels}`);
  return set;
}
