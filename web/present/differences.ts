/** Members of a record before and after a change: pure. */

export interface Difference {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The members of an audit record that are not the same before and after. */
export function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((member) => {
    const same = JSON.stringify(was[member]) === JSON.stringify(is[member]);
    return same ? [] : [{ member, before: was[member], after: is[member] }];
  });
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
