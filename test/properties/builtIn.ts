/** The built-in tables as the oracle of explore knows them. */
import { compareValues, elementsAt, typeOf } from '../oracles/storedValues.ts';
import { isPlain, type Subject } from './exploreOracle.ts';
import { type Oracle, type SameLetters, values } from './oracle.ts';
import { EXPLORED, type GeneratedExplore, type GeneratedWorld, type Stored } from './worlds.ts';

/** Where the fields of an explore are stored, where the name is not the path. */
const STORED_AT: Readonly<Record<string, string>> = {
  'schedules user_email': 'task_args.user_email',
  'schedules schedule_id': '_id',
  'tasks id': '_id',
  'users id': '_id',
  'projects id': '_id',
  'projects project_id': 'identifier',
  'projects project_name': 'name',
};

const LABELLED_TYPES: Readonly<Record<string, string>> = {
  system_backup: 'System backup',
  housekeeping: 'Housekeeping',
  sync_ldap: 'Sync LDAP',
};

export function builtIn(
  world: GeneratedWorld,
  oracle: Oracle,
  same: SameLetters,
  request: GeneratedExplore,
): Subject {
  const kind = request.view.split(' ').at(-1)!;
  const { dates } = EXPLORED[kind]!;
  const elements = (one: Stored, field: string): unknown[] =>
    field === 'execution_time'
      ? [secondsOf(one)]
      : elementsAt(one, STORED_AT[`${kind} ${field}`] ?? field);
  const isProject = (field: string) => field === 'project_id' && kind !== 'projects';
  const labelOf = (field: string, value: unknown): string | undefined => {
    if (field === 'task_type') return LABELLED_TYPES[String(value)];
    if (!isProject(field) || typeof value !== 'string') return undefined;
    const name = world.projects.find(({ identifier }) => identifier === value)?.name;
    return typeof name === 'string' ? name : undefined;
  };
  return {
    ...{ elements, same, labelOf, found: oracle.hits(request) },
    isDated: (field) => dates.includes(field),
    valueOf: (field, given) =>
      dates.includes(field) && typeof given === 'string' ? new Date(given) : given,
    findsText: (one, text) => oracle.findsText(kind, one, text),
    hasText: (one, field, text) => oracle.hasText(kind, one, field, text),
    isListed: (_, value) => isPlain(value),
    textsOf(field, value) {
      if (typeof value !== 'string') return [];
      const texts = [value];
      if (field === 'task_type') texts.push(LABELLED_TYPES[value] ?? '');
      const named = world.projects.filter(({ identifier }) => identifier === value);
      if (isProject(field)) texts.push(...strings(named.flatMap((one) => values(one, 'name'))));
      return texts;
    },
    keyOf(one, field, sign) {
      if (field === 'project_name' && kind !== 'projects') {
        const key = one.project_id;
        return [typeof key === 'string' ? (labelOf('project_id', key) ?? null) : null];
      }
      return elements(one, field)
        .sort((a, b) => sign * compareValues(a, b))
        .slice(0, 1);
    },
  };
}

const strings = (found: readonly unknown[]) =>
  found.filter((value): value is string => typeOf(value) === 'string');

function secondsOf({ date_started: from, date_done: to }: Stored): number | null {
  return from instanceof Date && to instanceof Date
    ? (to.getTime() - from.getTime()) / 1_000
    : null;
}
