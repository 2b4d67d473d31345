/** Random definition files without a problem, as data; of use to every test that takes a definition. */
import fc from 'fast-check';
import { FIELD_TYPES } from '../../../src/tables/definition/definition.ts';
import type { DescribedTable, OwnTable } from '../../../src/tables/file/index.ts';
import { ABILITIES, type FileUse } from '../../../src/tables/file/types.ts';
import type {
  FieldMembers,
  WrittenField,
  WrittenGrant,
  WrittenTable,
} from '../../../src/tables/file/written.ts';

/** A table without all that is compiled from its description. */
export const described = ({
  place: _,
  resource: __,
  grants: ___,
  ...table
}: OwnTable): DescribedTable => table;

/** A field in its short or long form, and the uses that a list of its table can rely on. */
interface RandomField {
  readonly written: WrittenField;
  readonly kind: string;
  readonly uses: readonly FileUse[];
}

const TAKEN = ['q', 'id', 'in', 'took', 'label'];
const fieldName = fc
  .stringMatching(/^[A-Za-z_имя商ß][A-Za-z0-9_имя商ß]{0,9}$/)
  .filter((name) => !TAKEN.includes(name) && !(name in {}));
const title = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const some = <T>(of: readonly T[]) => fc.subarray([...of]);

function storedField(path: string): fc.Arbitrary<RandomField> {
  const types = fc.record({ type: fc.constantFrom(...FIELD_TYPES), several: fc.boolean() });
  return types.chain(({ type, several }) => {
    const possible = ABILITIES[type].possible.filter((use) => !several || use !== 'sort');
    const written = several ? ([type] as const) : type;
    const kind = several ? 'several' : type;
    const long = fc.record<FieldMembers>(
      {
        type: fc.constant(written),
        path: fc.constantFrom(`in.${path}`, `${path}.at.last`),
        values: fc.constantFrom('few', 'many', 'unique'),
        use: some(possible),
        title,
      },
      { requiredKeys: ['type'] },
    );
    return fc.oneof(
      fc.constant({ written, kind, uses: possible }),
      long.map((members) => ({ written: members, kind, uses: members.use ?? possible })),
    );
  });
}

/** Labels and seconds over the fields of this table, where there are fields for them. */
function derivedFields(fields: Readonly<Record<string, RandomField>>): Record<string, RandomField> {
  const ofKind = (kind: string) =>
    Object.keys(fields).filter((name) => fields[name]!.kind === kind);
  const derived: Record<string, RandomField> = {};
  const [from, to] = ofKind('date');
  if (to) {
    const written = { seconds: [from!, to] } as const;
    derived.took = { written, kind: 'seconds', uses: ABILITIES.seconds.possible };
  }
  const [text, through] = ofKind('string');
  if (through) {
    const written = { label: text!, of: 'things', through, key: text! };
    derived.label = { written, kind: 'label', uses: ABILITIES.label.possible };
  }
  return derived;
}

const KEYS = ['objectId', 'string', 'number', 'uuid', 'mixed'] as const;

const fields: fc.Arbitrary<Readonly<Record<string, RandomField>>> = fc
  .uniqueArray(fieldName, { maxLength: 8 })
  .chain((names) =>
    fc.tuple(
      fc.constantFrom(...KEYS),
      ...names.map((name) => storedField(name).map((field) => [name, field] as const)),
    ),
  )
  .map(([type, ...stored]) => {
    const key: RandomField = { written: type, kind: 'key', uses: ABILITIES[type].possible };
    const all = Object.fromEntries<RandomField>([['id', key], ...stored]);
    return { ...all, ...derivedFields(all) };
  });

function access(fields: Readonly<Record<string, RandomField>>) {
  const names = Object.keys(fields).filter((name) => name !== 'id');
  const texts = names.filter((name) => fields[name]!.kind === 'string');
  const rows = fc
    .dictionary(
      fc.constantFrom(...texts, ''),
      fc.oneof(
        title,
        fc.array(title, { minLength: 1, maxLength: 3 }),
        fc.constant({ claim: 'a.b' }),
      ),
    )
    .map(({ '': _, ...rest }) => rest);
  const grant = (role: string): fc.Arbitrary<WrittenGrant> =>
    fc
      .record({ rows, hide: some(names), document: fc.boolean() }, { requiredKeys: [] })
      .map(({ rows = {}, ...rest }) => ({
        roles: [role],
        ...(Object.keys(rows).length > 0 && { rows }),
        ...rest,
      }));
  return fc
    .uniqueArray(title, { minLength: 1, maxLength: 3 })
    .chain((roles) => fc.tuple(...roles.map(grant)));
}

const table: fc.Arbitrary<WrittenTable> = fields.chain((given) => {
  const able = (use: FileUse) =>
    Object.keys(given).filter((name) => given[name]!.uses.includes(use));
  const sorts = ['id', ...able('sort')].flatMap((name) => [name, `-${name}`]);
  const written = Object.entries(given).map(([name, field]) => [name, field.written] as const);
  return fc.record<WrittenTable>(
    {
      collection: fc.constant('things'),
      fields: fc.constant(Object.fromEntries<WrittenField>(written)),
      title,
      text: some(able('text')),
      facets: some(able('facet')),
      sort: fc.constantFrom(...sorts),
      columns: some(able('show')).map((names) => (names.length === 0 ? ['id'] : names)),
      access: access(given),
    },
    { requiredKeys: ['collection', 'fields'] },
  );
});

/** One table, `things`. */
export const definition: fc.Arbitrary<{ tables: Record<string, WrittenTable> }> = table.map(
  (things) => ({
    version: 1,
    tables: { things },
  }),
);
