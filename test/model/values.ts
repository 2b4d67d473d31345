/**
 * Documents for the model test: few ids and few words, so that everything collides and every search
 * finds something; and dirt in every member, since real data has it.
 */
import fc from 'fast-check';
import {
  Binary,
  BSONSymbol,
  Code,
  Decimal128,
  type Document,
  Long,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { uuid } from '../conformance/documents.ts';

export const FOLLOWED = ['users', 'projects', 'schedules', 'tasks'] as const;
export type Followed = (typeof FOLLOWED)[number];

/** Identifiers of projects, some of them of none: dangling ones are asked for too. */
export const IDENTIFIERS = Array.from({ length: 6 }, (_, n) => uuid(n + 1));

const WORDS = ['Apollo', 'apollo two', 'ſtraße', '😀 Moon', 'Ωmega', 'K2', 'Zoë', 'a_b%', ''];
const EMAILS = ['ana@mail.test', 'Bo@Mail.Test', 'štefan@x.test', 'ANA@other.test', 'k@k.test'];

/** Parts of texts that the documents hold, and of texts that they do not. */
export const TERMS = [
  ...['a', 'AP', 'mail', '@', 'k', '8000-0000', '00000000-0000-4000-8000-000000000002'],
  ...['test', '😀', 'SS', 'ß', '1', '-', 'zzz', 'housekeeping', 'System backup', 'STRASSE'],
  ...['Ω', 'ω', 'apollo', 'a_b', 'e', 'service.', 'FAIL', 'success', ' Moon'],
];

/** Values that no reader of a member expects. */
export const DIRT: readonly (() => unknown)[] = [
  () => null,
  () => 0,
  () => 7,
  () => -1.5,
  () => Number.NaN,
  () => true,
  () => '',
  () => 'ana',
  () => [],
  () => [null],
  () => ['Apollo'],
  () => [uuid(1)],
  () => [uuid(1), uuid(2)],
  () => ['ana@mail.test', 5],
  () => [['Apollo']],
  () => ({ a: 1 }),
  () => new Date(0),
  () => new ObjectId('000000000000000000000001'),
  () => Long.fromString('9007199254740993'),
  () => Decimal128.fromString('5'),
  () => new Binary(Buffer.from('ab')),
  () => new Timestamp({ t: 5, i: 1 }),
  () => new BSONSymbol('ana'),
  () => new MinKey(),
  () => new Code('ana'),
];

const dirt = fc.integer({ min: 0, max: DIRT.length - 1 }).map((n) => DIRT[n]!());
const MISSING = undefined;

/** A member as it should be, or dirty, or not there. */
const member = (clean: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 16, arbitrary: clean },
    { weight: 1, arbitrary: dirt },
    { weight: 1, arbitrary: fc.constant(MISSING) },
  );

const word = fc.constantFrom(...WORDS);
const email = fc.constantFrom(...EMAILS);
const identifier = fc.constantFrom(...IDENTIFIERS);
const scope = fc.constantFrom('project', 'system', 'backup_infrastructure');
const type = fc.constantFrom('housekeeping', 'system_backup', 'generate_data', 'unknown_type');
const date = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 5 }).map((n) => new Date(Date.UTC(2026, 0, 1 + n))),
);

const usual = fc.integer({ min: 1, max: 9 });
/** Ids that are no small integers, each of a type that the store takes. */
export const ODD_IDS: readonly (() => unknown)[] = [
  () => 'text',
  () => 2.5,
  () => -3,
  () => true,
  () => null,
  () => new Date(5),
  () => Long.fromString('9007199254740993'),
  () => Decimal128.fromString('77'),
  () => new ObjectId('000000000000000000000002'),
  () => new Binary(Buffer.from('id')),
  () => ({ a: 1 }),
];
const oddId = fc.integer({ min: 0, max: ODD_IDS.length - 1 }).map((n) => ODD_IDS[n]!());
const numberId = fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: oddId });

export const idOf: Readonly<Record<Followed, fc.Arbitrary<unknown>>> = {
  users: numberId,
  projects: numberId,
  schedules: fc.oneof({ weight: 20, arbitrary: usual.map(uuid) }, { weight: 1, arbitrary: oddId }),
  tasks: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 24 }) },
    { weight: 1, arbitrary: oddId },
  ),
};

const memberList = fc.array(
  fc.record({ user_id: member(numberId), role: fc.constantFrom('owner', 'member') }),
  { maxLength: 3 },
);

const MEMBERS: Readonly<Record<Followed, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  users: {
    email: member(email),
    first_name: member(word),
    last_name: member(word),
    language: member(fc.constantFrom('en', 'el')),
    active: member(fc.boolean()),
    tc_creation: member(date),
    tc_update: member(date),
  },
  projects: {
    identifier: member(identifier),
    name: member(word),
    type: member(fc.constantFrom('custom', 'demo')),
    members: member(memberList),
    tc_creation: member(date),
    tc_update: member(date),
  },
  schedules: {
    scope: member(scope),
    project_id: member(identifier),
    enabled: member(fc.boolean()),
    date_last_run_at: member(date),
    total_run_count: member(fc.integer({ min: 0, max: 3 })),
    task_type: member(type),
    task_name: member(type.map((value) => `service.tasks.${value}`)),
    task_args: member(fc.record({ user_email: member(email), other: word })),
  },
  tasks: {
    task_id: member(fc.integer({ min: 1, max: 24 }).map(uuid)),
    scope: member(scope),
    project_id: member(identifier),
    user_email: member(email),
    status: member(fc.constantFrom('PENDING', 'STARTED', 'SUCCESS', 'FAILURE')),
    worker: member(word),
    folder: member(word),
    exception_type: member(fc.constantFrom(null, 'ValueError')),
    name: member(type.map((value) => `service.tasks.${value}`)),
    routing_key: member(type.map((value) => `service.${value}`)),
    task_type: member(type),
    date_queued: member(date),
    date_started: member(date),
    date_done: member(date),
  },
};

/** Members of a document; those that are not there are left out. */
export const documentOf = (collection: Followed): fc.Arbitrary<Document> =>
  fc
    .record(MEMBERS[collection])
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== MISSING)));

/** Changes of one or two members: `$set`, or `$unset` where it shall not be there. */
export const changesOf = (collection: Followed): fc.Arbitrary<Document> => {
  const one = (name: string) =>
    MEMBERS[collection][name]!.map((value) => ({ name, value }) as const);
  const some = fc.oneof(...Object.keys(MEMBERS[collection]).map(one));
  return fc.array(some, { minLength: 1, maxLength: 2 }).map((changes) => {
    const set = changes.filter(({ value }) => value !== MISSING);
    const unset = changes.filter(
      ({ name, value }) => value === MISSING && !set.some((other) => other.name === name),
    );
    return {
      ...(set.length > 0 && {
        $set: Object.fromEntries(set.map(({ name, value }) => [name, value])),
      }),
      ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map(({ name }) => [name, 1])) }),
    };
  });
};

/** The changes that travel to other collections' rows: names, identifiers, members, emails. */
export const relatedChanges: fc.Arbitrary<{ collection: Followed; update: Document }> = fc.oneof(
  member(word).map((name) => ({ collection: 'projects' as const, update: setOrUnset({ name }) })),
  member(identifier).map((value) => ({
    collection: 'projects' as const,
    update: setOrUnset({ identifier: value }),
  })),
  member(memberList).map((members) => ({
    collection: 'projects' as const,
    update: setOrUnset({ members }),
  })),
  member(email).map((value) => ({
    collection: 'users' as const,
    update: setOrUnset({ email: value }),
  })),
);

function setOrUnset(change: Readonly<Record<string, unknown>>): Document {
  const [[name, value]] = Object.entries(change) as [[string, unknown]];
  return value === MISSING ? { $unset: { [name]: 1 } } : { $set: { [name]: value } };
}
