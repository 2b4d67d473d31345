/**
 * Grants that show more than they seem to. A label shows a text of another table. A whole document shows
 * hidden fields, and so may another table over the same collection.
 */
import type { DescribedGrant, DescribedTable } from '../file/described.ts';
import type { Finding } from './finding.ts';

export function revealingGrants(tables: readonly DescribedTable[]): Finding[] {
  return tables.flatMap((table) =>
    table.access.flatMap((grant, position) => {
      const pointer = `/tables/${table.name}/access/${position}`;
      const found = [
        ...labelsShown(table, grant, tables),
        ...documentsShown(grant),
        ...otherTables(table, grant, tables),
      ];
      return found.map((message) => ({ pointer, message, isDrift: false }));
    }),
  );
}

/** The grant that a caller with this role alone has. */
const grantOf = (table: DescribedTable, role: string): DescribedGrant | undefined =>
  table.access.find(({ roles }) => roles.includes(role));

const isRestricted = ({ rows }: DescribedGrant) => Object.keys(rows).length > 0;

function labelsShown(
  table: DescribedTable,
  grant: DescribedGrant,
  tables: readonly DescribedTable[],
): string[] {
  return Object.entries(table.fields).flatMap(([name, field]) => {
    if (field.kind !== 'label' || grant.hidden.has(name)) return [];
    const other = tables.find((one) => one.name === field.of);
    if (!other) return [];
    return grant.roles.flatMap((role) => {
      const there = grantOf(other, role);
      const text = `${name} shows ${field.of}.${field.label} to ${role}, who`;
      if (!there) return [`${text} may not see that table`];
      if (there.hidden.has(field.label)) return [`${text} may not see that field there`];
      return isRestricted(there) ? [`${text} may see some rows of that table only`] : [];
    });
  });
}

function documentsShown({ document, hidden, roles }: DescribedGrant): string[] {
  if (!document || hidden.size === 0) return [];
  return [`whole documents show ${[...hidden].join(', ')} to ${roles.join(', ')}, although hidden`];
}

function otherTables(
  table: DescribedTable,
  grant: DescribedGrant,
  tables: readonly DescribedTable[],
): string[] {
  const others = tables.filter((one) => one !== table && one.collection === table.collection);
  return others.flatMap((other) =>
    grant.roles.flatMap((role) => {
      const there = grantOf(other, role);
      if (!there) return [];
      const shown = [...grant.hidden].filter((name) => shows(other, there, table, name));
      const more = [
        ...(shown.length > 0 ? [shown.join(', ')] : []),
        ...(isRestricted(grant) && !isRestricted(there) ? ['all rows'] : []),
        ...(there.document && !grant.document ? ['whole documents'] : []),
      ];
      return more.length > 0
        ? [`${other.name} shows ${role} ${more.join(' and ')} of this collection`]
        : [];
    }),
  );
}

/** Whether the other table shows the path of a field that is hidden here. */
function shows(other: DescribedTable, there: DescribedGrant, table: DescribedTable, name: string) {
  const field = table.fields[name];
  if (field?.kind !== 'stored') return false;
  return Object.entries(other.fields).some(([theirs, one]) => {
    if (one.kind !== 'stored' || there.hidden.has(theirs)) return false;
    return field.path === one.path || field.path.startsWith(`${one.path}.`);
  });
}
