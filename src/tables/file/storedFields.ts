/**
 * From described tables to the fields that the index keeps.
 *
 *     use     asks the engine for
 *     text    contains
 *     filter  contains for strings, equality for other types
 *     others  the same
 *
 * Fields that labels and grants compare get equality, whatever their own uses.
 */
import type { Expect, StoredField, Use } from '../definition/definition.ts';
import { type DescribedStored, type DescribedTable, KEY } from './described.ts';
import type { FileUse } from './types.ts';

/** The stored fields of a table, by name. */
export type StoredFields = Readonly<Record<string, StoredField>>;

/** The uses that fields need besides their own, by `table.field`. */
type Needed = ReadonlyMap<string, ReadonlySet<Use>>;

/** The stored fields of each table, by the table's name. */
export function compileFields(
  tables: readonly DescribedTable[],
): ReadonlyMap<string, StoredFields> {
  const needed = neededUses(tables);
  return new Map(tables.map((table) => [table.name, storedFields(table, needed)]));
}

function neededUses(tables: readonly DescribedTable[]): Needed {
  const needed = new Map<string, Set<Use>>();
  const need = (table: string, field: string, use: Use) => {
    const name = `${table}.${field}`;
    needed.set(name, (needed.get(name) ?? new Set()).add(use));
  };
  for (const { name, fields, access, window } of tables) {
    for (const field of Object.values(fields)) {
      if (field.kind !== 'label') continue;
      need(name, field.through, 'equals');
      need(field.of, field.key, 'equals');
      // A column of its own, from which labels are taken; conditions may not name it for that.
      need(field.of, field.label, 'equals');
    }
    for (const { rows, document } of access) {
      // A document is read if its row is among those that the caller may see.
      if (document && (window || Object.keys(rows).length > 0)) need(name, KEY, 'select');
      for (const field of Object.keys(rows)) need(name, field, 'equals');
    }
  }
  return needed;
}

function storedFields(table: DescribedTable, needed: Needed): StoredFields {
  const entries = Object.entries(table.fields).flatMap(([name, field]): [string, StoredField][] => {
    if (field.kind !== 'stored') return [];
    const { path, type, several, uses } = field;
    const own = uses.flatMap((use) => ENGINE_USES[use](field));
    const all = new Set([...own, ...(needed.get(`${table.name}.${name}`) ?? [])]);
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
      return values === 'many' ? 'repeating' : values;
  }
}
