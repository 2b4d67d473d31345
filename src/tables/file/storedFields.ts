/**
 * From described tables to the fields that the index keeps.
 *
 *     use     asks the engine for
 *     text    contains
 *     filter  contains for strings, equality for other types
 *     others  the same
 *
 * Fields that labels and grants compare get equality, beside their own uses.
 */
import type { Expect, StoredField, Use } from '../definition/definition.ts';
import type { DescribedStored, DescribedTable } from './described.ts';
import type { FileUse } from './types.ts';

/** The stored fields of a table, by name. */
export type StoredFields = Readonly<Record<string, StoredField>>;

/** The stored fields of each table, by the table's name. */
export function compileFields(
  tables: readonly DescribedTable[],
): ReadonlyMap<string, StoredFields> {
  const compared = comparedFields(tables);
  return new Map(tables.map((table) => [table.name, storedFields(table, compared)]));
}

/** The fields that labels and grants compare, as `table.field`. */
function comparedFields(tables: readonly DescribedTable[]): ReadonlySet<string> {
  const compared = new Set<string>();
  for (const { name, fields, access } of tables) {
    for (const field of Object.values(fields)) {
      if (field.kind !== 'label') continue;
      compared.add(`${name}.${field.through}`).add(`${field.of}.${field.key}`);
      // A column of its own, from which labels are taken; conditions may not name it for that.
      compared.add(`${field.of}.${field.label}`);
    }
    for (const { rows } of access) {
      for (const field of Object.keys(rows)) compared.add(`${name}.${field}`);
    }
  }
  return compared;
}

function storedFields(table: DescribedTable, compared: ReadonlySet<string>): StoredFields {
  const entries = Object.entries(table.fields).flatMap(([name, field]): [string, StoredField][] => {
    if (field.kind !== 'stored') return [];
    const { path, type, several, uses } = field;
    const all = new Set(uses.flatMap((use) => ENGINE_USES[use](field)));
    if (compared.has(`${table.name}.${name}`)) all.add('equals');
    const compiled: StoredField = {
      kind: 'stored',
      path,
      expect: expectOf(field),
      uses: [...all],
      type,
      ...(several && { several }),
    };
    return [[name, compiled]];
  });
  return Object.fromEntries(entries);
}

const ENGINE_USES: Readonly<Record<FileUse, (field: DescribedStored) => readonly Use[]>> = {
  text: () => ['contains'],
  filter: ({ type, path }) => {
    if (type === 'string') return ['contains', 'select'];
    return path === '_id' ? ['select'] : ['equals', 'select'];
  },
  facet: () => ['facet'],
  sort: () => ['sort'],
  range: () => ['range'],
  show: () => [],
};

function expectOf({ type, values }: DescribedStored): Expect {
  switch (type) {
    case 'uuid':
    case 'date':
      return type;
    case 'number':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'few';
    default:
      return values;
  }
}
