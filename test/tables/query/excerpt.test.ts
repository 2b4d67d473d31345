/** Bodies with far too much in them: the same verdict, the same problems, at a small cost. */
import { Ajv, type ErrorObject } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { adminTasks } from '../../../src/apps/admin/resources/views.ts';
import { compileExplore, compileSearch } from '../../../src/tables/explore/body.ts';
import { excerpt, type SchemaPart } from '../../../src/tables/query/excerpt.ts';
import { bodySchema } from '../../../src/tables/query/schema.ts';
import { refusal } from './refusal.ts';

const schema = bodySchema(adminTasks) as SchemaPart & object;
const ajv = new Ajv({ allErrors: true, ownProperties: true, allowUnionTypes: true });
ajv.addKeyword({ keyword: 'searchable', type: 'string', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'x-searched', schemaType: 'array' });
ajv.addFormat('uuid', true);
const valid = ajv.compile(schema);

/** The first hundred problems that the plain validator finds. */
function problemsOf(body: unknown): Pick<ErrorObject, 'instancePath' | 'params'>[] {
  valid(body);
  const errors = valid.errors ?? [];
  return errors.slice(0, 100).map(({ instancePath, params }) => ({ instancePath, params }));
}

const LARGE = [100, 300, 399, 400, 401, 450, 1_000];

const unknownMembers = fc.tuple(fc.constantFrom(0, 1, ...LARGE), fc.constantFrom('', 'z')).map(
  ([count, prefix]): Record<string, unknown> =>
    // Names that look like numbers come first in any object, others as they were written.
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i])),
);

const keys = fc
  .tuple(fc.constantFrom(0, 3, ...LARGE), fc.constantFrom<unknown[]>(['x'], ['x', 1], [null]))
  .map(([count, of]) => Array.from({ length: count }, (_, i) => of[i % of.length]));

const bodies = fc
  .record(
    {
      filters: fc.oneof(
        fc.constant(null),
        fc
          .tuple(
            unknownMembers,
            fc.record({ q: fc.constantFrom('x', 1), routing_keys: keys }, { requiredKeys: [] }),
            unknownMembers,
          )
          .map(([before, known, after]) => ({ ...before, ...known, ...after })),
      ),
      pagination: fc.constantFrom({}, { page: 1 }, { page: 1.5 }, []),
    },
    { requiredKeys: [] },
  )
  .chain((body) => unknownMembers.map((more) => ({ ...more, ...body })));

describe('the excerpt of a body', () => {
  it('fits exactly when the body does, and has the same problems to list', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const part = excerpt(schema, body);
        expect(valid(part)).equal(valid(body));
        expect(problemsOf(part)).eql(problemsOf(body));
      }),
      { numRuns: 150 },
    );
  });

  it('is the body itself where nothing is too much', () => {
    const most = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`m${i}`, i]));
    const items = Array.from({ length: 400 }, () => 'x');
    for (const body of [{}, null, 3, [], { filters: { ...most } }, most]) {
      expect(excerpt(schema, body)).equal(body);
    }
    const body = { filters: { routing_keys: items } };
    expect(excerpt(schema, body)).equal(body);
  });

  it('keeps what is known, wherever it stands, and what is named like a prototype', () => {
    const many = Array.from({ length: 500 }, (_, i) => `"m${i}":1,`).join('');
    const text = `{"__proto__":{},${many}"pagination":{"page":"x"}}`;
    const part = excerpt(schema, JSON.parse(text)) as Record<string, unknown>;
    expect(Object.keys(part)).include('__proto__').include('pagination');
    expect(Object.getPrototypeOf(part)).equal(Object.prototype);
  });

  it('cuts what stands inside of items', () => {
    const { schema } = compileExplore(adminTasks);
    const body = { select: [{ any: Array(300_000).fill(1) }, { field: 'status', in: ['x'] }] };
    const { select } = excerpt(schema as SchemaPart, body) as typeof body;
    expect(select.map((one) => one.any?.length)).eql([400, undefined]);
  });

  it('cuts a list that may have more than it looks at of others, and says that it is too long', () => {
    const explore = compileExplore(adminTasks);
    const given = Array(300_000).fill([]);
    const body = { select: [{ field: 'status', in: given }] };
    const { select } = excerpt(explore.schema as SchemaPart, body) as typeof body;
    expect(select[0]!.in.length).equal(1_001);
    const [long] = refusal(explore, {
      select: [{ field: 'status', in: given.map(String) }],
    }).errors;
    expect(long).include({ pointer: '/select/0/in', detail: 'This must not list more than 1000.' });
    const json = JSON.stringify(body);
    const parsing = fastest(() => JSON.parse(json));
    const refusing = fastest(() => refusal(explore, body));
    expect(refusing, `${refusing} ms to refuse, ${parsing} ms to parse`).lessThan(2 * parsing);
  });

  it('cuts conditions that are too many with those of any counted, and says so', () => {
    const explore = compileExplore(adminTasks);
    const any = Array(20).fill({ field: 'status', in: Array(333).fill([]) });
    const body = { select: Array(50).fill({ any }) };
    const { select } = excerpt(explore.schema as SchemaPart, body) as typeof body;
    expect(select.length).equal(6);
    const long = {
      select: [{ any: Array(400).fill({ field: 'status', in: Array(833).fill([]) }) }],
    };
    const [first] = (excerpt(explore.schema as SchemaPart, long) as typeof long).select;
    expect(first!.any.length).equal(21);
    const few = [{ field: 'status', in: ['x'] }];
    const some = { any: Array(17).fill(few[0]) };
    expect(explore({ select: [some, some, ...Array(16).fill(few[0])] })).an('object');
    const { errors } = refusal(explore, { select: [some, some, some] });
    const detail = 'This must not list more than 50, those of "any" counted.';
    expect(errors).eql([{ pointer: '/select', detail }]);
    const many = refusal(explore, { select: Array(51).fill(few[0]) }).errors;
    expect(many).eql([{ pointer: '/select', detail: 'This must not list more than 50.' }]);
    const json = JSON.stringify(body);
    const parsing = fastest(() => JSON.parse(json));
    const refusing = fastest(() => refusal(explore, body));
    // As long as all of its values that may be there; uncut, ten times as long as to parse.
    expect(refusing, `${refusing} ms to refuse, ${parsing} ms to parse`).lessThan(4 * parsing);
  });

  const validate = compileSearch(adminTasks);
  const refuse = (body: unknown) => refusal(validate, body);

  it('leaves the first hundred problems in the answer, and says that there are more', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, 1]));
    const { errors, detail } = refuse(many);
    expect(errors.map(({ pointer }) => pointer)).eql(
      Array.from({ length: 100 }, (_, i) => `/m${i}`),
    );
    expect(detail).equal('More than 100 problems in the body; the first 100 are listed.');
    expect(refuse({ a: 1, filters: { b: 2, routing_keys: [1] } }).errors.length).equal(3);
    const [long] = refuse({ filters: { ['p'.repeat(10_000)]: 1 } }).errors;
    expect(long!.pointer).lengthOf('/filters/'.length + 256);
  });

  const HOSTILE = {
    'a hundred thousand unknown members': () =>
      `{${Array.from({ length: 100_000 }, (_, i) => `"m${i}":1`).join(',')}}`,
    'three hundred thousand wrong items': () =>
      `{"filters":{"routing_keys":[${'1,'.repeat(300_000)}1]}}`,
    'three hundred thousand blank items': () =>
      `{"filters":{"routing_keys":[${'"",'.repeat(300_000)}""]}}`,
  };
  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`costs no more than twice as much as to parse ${what}`, () => {
      const json = text();
      const body: unknown = JSON.parse(json);
      const parsing = fastest(() => JSON.parse(json));
      const refusing = fastest(() => refuse(body));
      expect(refusing, `${refusing} ms to refuse, ${parsing} ms to parse`).lessThan(2 * parsing);
    });
  }
});

/** The shortest of several times, milliseconds: other work on the machine only adds to it. */
function fastest(work: () => unknown): number {
  let best = Infinity;
  for (let i = 0; i < 7; i++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
