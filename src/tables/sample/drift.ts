/** Where the data of a store are not, or no longer, as a definition file says. */
import type { DescribedField, DescribedStored, DescribedTable } from '../file/described.ts';
import { repeatOf, repetitionAt } from './distinct.ts';
import { CLEAR, fieldsOf, OFTEN_ARRAYS } from './fields.ts';
import { firstOf, percent, plural } from './figures.ts';
import type { Finding } from './finding.ts';
import { quoted } from './names.ts';
import type { Kind, PathProfile } from './pathProfile.ts';
import { isEmpty, type LookedAt, type Survey } from './survey.ts';
import { isPromised } from './validator.ts';

/** Fewer values cannot tell whether a hint fits, and fewer documents of a sample not whether a path is gone. */
const ENOUGH = 1_000;
/** Undeclared paths that are named. */
const NAMED = 5;

export function driftOf(tables: readonly DescribedTable[], survey: Survey): Finding[] {
  return tables.flatMap((table) => {
    const pointer = `/tables/${table.name}`;
    const looked = survey.collections.find(({ name }) => name === table.collection);
    if (!looked) {
      const left = survey.leftOut.find(({ name }) => name === table.collection);
      const { why = 'this collection was not looked at', isAnswered = false } = left ?? {};
      const message = `${table.collection}: ${why}`;
      return [{ pointer: `${pointer}/collection`, message, isDrift: !isAnswered }];
    }
    const remarks = looked.remarks.map((message) => ({ pointer, message, isDrift: false }));
    if (isEmpty(looked)) {
      return [{ pointer, message: 'its collection is empty', isDrift: false }, ...remarks];
    }
    if (looked.profile.documents === 0) return remarks;
    const fields = Object.entries(table.fields).flatMap(([name, field]) => {
      const at = `${pointer}/fields/${name}`;
      return fieldDrift(name, field, looked).map((one) => ({ ...one, pointer: at }));
    });
    return [...remarks, ...fields, ...undeclared(table, tables, looked)];
  });
}

type Said = Omit<Finding, 'pointer'>;

function fieldDrift(name: string, field: DescribedField, looked: LookedAt): Said[] {
  if (field.kind !== 'stored') return [];
  const { profile, isWhole, schema } = looked;
  const path = profile.at(field.path);
  if (!path) {
    const where = field.path === name ? '' : ` (${field.path})`;
    const documents = plural(profile.documents, 'document');
    const those = isWhole ? documents : `the ${documents} looked at`;
    const isGone = isWhole || profile.documents >= ENOUGH;
    const isDrift = isGone && !isPromised(field.path, schema);
    return [{ message: `${name}${where}: none of ${those} has it`, isDrift }];
  }
  return [
    ...typeDrift(name, field, path),
    ...arrayDrift(name, field, path),
    ...hintDrift(name, field, path, looked),
  ];
}

function typeDrift(name: string, field: DescribedStored, path: PathProfile): Said[] {
  if (field.type === 'mixed') return [];
  const others = path.types
    .flatMap(([kind, n]): [string, number][] => {
      const part = path.shareOf(kind, 'values');
      if (!fits(field.type, kind)) return [[kind, part]];
      const odd = field.type === 'uuid' ? n - (path.looks.get('uuid') ?? 0) : 0;
      return odd > 0 ? [['other text', (part * odd) / n]] : [];
    })
    .sort(([, a], [, b]) => b - a);
  if (others.length === 0) return [];
  const share = others.reduce((sum, [, part]) => sum + part, 0);
  const list = others.map(([kind, part]) => `${percent(part)} ${kind}`).join(', ');
  return [
    { message: `${name} is ${field.type}, but of its values ${list}`, isDrift: share > 1 - CLEAR },
  ];
}

/** Whether values of this kind are no dirt in a field of this type. */
function fits(type: DescribedStored['type'], kind: Kind): boolean {
  if (type === 'number' || type === 'decimal') return kind === 'number' || kind === 'decimal';
  return kind === (type === 'uuid' ? 'string' : type);
}

function arrayDrift(name: string, { several, type }: DescribedStored, path: PathProfile): Said[] {
  const share = path.inArrays / path.documents;
  if (several || type === 'mixed' || share === 0) return [];
  const message = `${name} crosses an array in ${percent(share)} of the documents: make it [${type}]`;
  return [{ message, isDrift: share > OFTEN_ARRAYS }];
}

function hintDrift(
  name: string,
  { type, values: hint, uses }: DescribedStored,
  path: PathProfile,
  looked: LookedAt,
): Said[] {
  // The index keeps nothing of a field that is only shown.
  if (type !== 'string' || path.drawn < ENOUGH || uses.every((use) => use === 'show')) return [];
  const { values, distinct } = repetitionAt(path, looked);
  const seen = repeatOf(distinct, values);
  if (seen === hint) return [];
  const about = `about ${plural(distinct, 'value')}`;
  return [{ message: `${name} has values: ${hint}, but ${about}: ${seen}`, isDrift: false }];
}

/** Paths without a field, for which `init` writes one. */
function undeclared(
  table: DescribedTable,
  tables: readonly DescribedTable[],
  looked: LookedAt,
): Finding[] {
  // A table may leave out the fields that another table of the collection has.
  const declared = tables
    .filter(({ collection }) => collection === table.collection)
    .flatMap(({ fields }) => Object.values(fields))
    .flatMap((field) => (field.kind === 'stored' ? field.path : []));
  const isWithin = (path: string, other: string) => `${path}.`.startsWith(`${other}.`);
  const hasField = (path: string) =>
    declared.some((one) => isWithin(path, one) || isWithin(one, path));
  const missing = fieldsOf(looked).fields.flatMap(({ found }) => {
    const path = found?.profile.path;
    return path === undefined || hasField(path) ? [] : [quoted(path)];
  });
  if (missing.length === 0) return [];
  const added = missing.length > 1 ? 'them as comments' : 'it as a comment';
  const message = `${table.name} has no field for ${firstOf(missing, NAMED)}; \`init --update\` adds ${added}`;
  return [{ pointer: `/tables/${table.name}/fields`, message, isDrift: false }];
}
