/** Lists of related documents are written as their presenter shows them, whatever is kept of the documents. */
import { expect } from 'chai';
import fc from 'fast-check';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { listWriter } from '../../src/serve/answer/listWriter.ts';
import { Output } from '../../src/store/bson/output.ts';
import { shownList } from '../../src/tables/definition/joinedList.ts';
import {
  asJson,
  asText,
  at,
  type MemoryRow,
  type RecordContext,
  type StoredDocument,
} from '../../src/tables/definition/record.ts';

const HEAD = ',"users":';
const presenter = shownList(
  {},
  {
    path: 'members',
    key: 'user_id',
    joined: 'members',
    related: { id: ({ _id }) => asJson(_id), name: ({ name }) => asText(name) },
    own: {
      role: (member) => asText(at(member, 'role')),
      since: (member) => asJson(at(member, 'since')),
    },
  },
);
const context: RecordContext = { labels: taskCatalogue([]).labels, options: new Set() };

const id = fc.constantFrom<unknown>(
  ...Array.from({ length: 20 }, (_, n) => n),
  -0,
  Number.NaN,
  '7',
);
const text = fc.constantFrom<unknown>(
  'a',
  'é "中"',
  '\ud83d',
  'x'.repeat(70),
  'é'.repeat(300),
  null,
  7,
);
const users = fc.uniqueArray(fc.record({ _id: id, name: text }), {
  selector: ({ _id }) => _id,
  comparator: 'SameValueZero',
  maxLength: 20,
});
const member = fc.oneof(
  {
    arbitrary: fc.record({ user_id: id, role: text, since: text }, { requiredKeys: [] }),
    weight: 9,
  },
  { arbitrary: fc.constantFrom<unknown>(null, 7, [], [{ user_id: 1 }]), weight: 1 },
);
const members = fc.oneof(
  { arbitrary: fc.array(member, { maxLength: 12 }), weight: 9 },
  { arbitrary: fc.constantFrom<unknown>(undefined, null, 'x', {}), weight: 1 },
);

describe('a list of related documents', () => {
  it('is what its presenter shows, in each of several rows that show the same documents', () => {
    fc.assert(
      fc.property(users, fc.array(members, { minLength: 1, maxLength: 8 }), (all, lists) => {
        const write = listWriter(HEAD, presenter.list!);
        const out = new Output(16);
        for (const list of lists) {
          const row = { document: { members: list }, joined: { members: all } };
          out.length = 0;
          write(out, row as unknown as MemoryRow);
          const shown = presenter(row, context);
          expect(out.take().toString()).to.equal(HEAD + JSON.stringify(shown));
          expect(shown).to.deep.equal(plainly(list, all));
        }
      }),
    );
  });
});

/** The same, found by a map. */
function plainly(list: unknown, all: readonly StoredDocument[]) {
  if (!Array.isArray(list)) return [];
  const byId = new Map(all.map((user) => [user._id, user]));
  return list.flatMap((one) => {
    const user = byId.get(at(one, 'user_id'));
    if (!user) return [];
    const [role, since] = [asText(at(one, 'role')), asJson(at(one, 'since'))];
    return { id: asJson(user._id), name: asText(user.name), role, since };
  });
}
