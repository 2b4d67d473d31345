/**
 * The JSON Schema (draft 2020-12) of a definition file, for the service and for editors.
 *
 * `tables.schema.json` in the package is this object; a test keeps it so. References between members,
 * such as a label's table, are beyond a schema: `tables.ts` checks them.
 *
 * The branches of every `anyOf` take values of different JSON types. `shape.ts` tells by the type which
 * branch was meant.
 */
import { CLAIM_PATH } from '../definition/claim.ts';
import { FIELD_TYPES } from '../definition/definition.ts';
import { MAX_FACETS } from '../explore/body.ts';
import { FILE_USES, LOOKS } from './types.ts';

/** The keywords that this schema has. `shape.ts` reads all that restrict a value, and of `propertyNames` the pattern. */
export interface Shape {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: number;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly propertyNames?: Shape;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly oneOf?: readonly { readonly required: readonly [string] }[];
}

const list = (items: Shape, more: Shape = {}): Shape => ({
  type: 'array',
  items,
  uniqueItems: true,
  ...more,
});

const text = (maxLength: number, description: string): Shape => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

/** Letters and digits of any script, since names of stored fields have these. */
const NAME = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_]{0,63}';

const fieldName: Shape = {
  type: 'string',
  pattern: `^${NAME}$`,
  patternErrorMessage: 'at most 64 letters, digits and _, and no digit first',
};

const fieldNames = (description: string, more: Shape = {}) =>
  list(fieldName, { description, maxItems: 250, ...more });

/** Characters of a path. */
export const LONGEST_PATH = 256;

/**
 * Dotted steps. MongoDB reads a step of digits as a place in a list, and `$` as an operator. It takes
 * pipelines of 200 levels, and a step makes six.
 */
const path: Shape = {
  type: 'string',
  maxLength: LONGEST_PATH,
  pattern:
    '^(?!\\d+(?:\\.|$))[^.$\\u0000][^.\\u0000]*(?:\\.(?!\\d+(?:\\.|$))[^.$\\u0000][^.\\u0000]*){0,19}$',
  patternErrorMessage:
    'a dotted path, such as ship.region, of at most 20 steps, without empty steps, steps of digits or steps that begin with $',
};

const typeName: Shape = { type: 'string', enum: FIELD_TYPES };
const severalTypes: Shape = {
  type: 'array',
  items: typeName,
  minItems: 1,
  maxItems: 1,
  description: 'A document may hold several values, by an array anywhere on the path.',
};

const look: Shape = {
  description: 'How values look to people.',
  anyOf: [
    { type: 'string', enum: LOOKS },
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        link: {
          type: 'string',
          maxLength: 1000,
          pattern: '^(https?://[^\\s{}]+[^\\s]*\\{value\\}[^\\s]*|\\{value\\})$',
          patternErrorMessage: 'an http or https address that contains {value}, or {value} alone',
          description:
            'Address in which {value} stands for the value; "{value}" where the value is the address.',
        },
        money: {
          type: 'string',
          pattern: '^[A-Z]{3}$',
          patternErrorMessage: 'the three capital letters of a currency, such as EUR',
          description: 'Currency (ISO 4217).',
        },
      },
    },
  ],
};

const uses: Shape = list(
  { type: 'string', enum: FILE_USES },
  {
    description:
      'What the field is used for. Without this member its type decides. The index keeps nothing for other uses.',
  },
);

const fieldMembers: Readonly<Record<string, Shape>> = {
  type: {
    description: 'Type of the stored values; a list of one type where a document may hold several.',
    anyOf: [typeName, severalTypes],
  },
  path: {
    ...path,
    description: "Where the value is stored, dotted, through arrays. Default: the field's name.",
  },
  values: {
    type: 'string',
    enum: ['few', 'many', 'unique'],
    description: 'How often values repeat: a hint for the index, which never changes an answer.',
  },
  use: uses,
  label: {
    ...fieldName,
    description: "A string field of the table `of`, shown as this field's value.",
  },
  of: { type: 'string', description: 'The table that the label comes from.' },
  through: {
    ...fieldName,
    description: "The field of this table that equals the other table's key.",
  },
  key: { ...fieldName, description: "The other table's field to compare with. Default: id." },
  seconds: {
    ...list(fieldName, { minItems: 2, maxItems: 2 }),
    description: 'Two date fields: the value is the seconds from the first to the second.',
  },
  title: text(100, 'Heading for people.'),
  look,
};

const field: Shape = {
  description: 'A field: the name of its type, a list of one type, or an object.',
  anyOf: [
    typeName,
    severalTypes,
    {
      type: 'object',
      additionalProperties: false,
      properties: fieldMembers,
      oneOf: [{ required: ['type'] }, { required: ['label'] }, { required: ['seconds'] }],
      dependentRequired: {
        label: ['of', 'through'],
        of: ['label'],
        through: ['label'],
        key: ['label'],
      },
    },
  ],
};

const scalarTypes = ['string', 'number', 'boolean'];
const claim: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['claim'],
  properties: {
    claim: {
      ...text(256, "Name of the token's claim; a dotted path leads into objects."),
      pattern: CLAIM_PATH,
      patternErrorMessage:
        'a claim or a dotted path to one, such as org.region, without empty steps',
    },
  },
};

const grant: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['roles'],
  properties: {
    roles: list(text(256, 'A role of the token.'), {
      minItems: 1,
      maxItems: 100,
      description:
        'Callers with one of these roles have this grant, unless an earlier one is theirs.',
    }),
    rows: {
      type: 'object',
      minProperties: 1,
      propertyNames: fieldName,
      description: 'Only rows whose fields have these values. Default: all rows.',
      additionalProperties: {
        description: "A value, a list of values, or a claim of the caller's token.",
        anyOf: [
          { type: scalarTypes, maxLength: 1000 },
          list({ type: scalarTypes, maxLength: 1000 }, { minItems: 1, maxItems: 1000 }),
          claim,
        ],
      },
    },
    hide: fieldNames('Fields that do not exist for these callers.'),
    document: {
      type: 'boolean',
      description: 'Whether they may read whole documents. Default: where nothing is hidden.',
    },
  },
};

const table: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['collection', 'fields'],
  properties: {
    collection: {
      type: 'string',
      maxLength: 255,
      pattern: '^(?!\\.|system\\.)[^$\\u0000]+$',
      patternErrorMessage:
        'the name of a collection, without $ or a dot in front, and not one of system.',
      description: 'The collection in the database MONGODB_DB.',
    },
    title: text(100, 'Heading for people.'),
    fields: {
      type: 'object',
      minProperties: 1,
      maxProperties: 250,
      propertyNames: fieldName,
      additionalProperties: field,
      description: 'The fields by name. `id` is the key, stored at _id.',
    },
    text: fieldNames(
      'Fields that the filter q looks in. Default: all that can be searched as text.',
    ),
    facets: fieldNames(
      'Fields to count by value, first to last. Default: all with the use facet.',
      {
        maxItems: MAX_FACETS,
      },
    ),
    sort: {
      type: 'string',
      pattern: `^-?${NAME}$`,
      patternErrorMessage: 'the name of a field; a leading - sorts from the greatest',
      description: 'Default order; a leading - sorts from the greatest. Default: -id.',
    },
    columns: fieldNames('Columns, left to right. Default: the first ten fields that are shown.', {
      minItems: 1,
    }),
    window: {
      type: 'object',
      additionalProperties: false,
      required: ['field', 'span'],
      description: 'Only the newest documents are in the table. Default: all documents.',
      properties: {
        field: { ...fieldName, description: 'The date field that decides.' },
        span: {
          type: 'string',
          pattern: '^[1-9][0-9]{0,3}[hdw]$',
          patternErrorMessage: 'a number of hours, days or weeks, such as 12h, 90d or 8w',
          description: 'How far back the table reaches.',
        },
      },
    },
    access: list(grant, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: false,
      description:
        'Grants; a caller has the first that names one of their roles. Default: admins only.',
    }),
  },
};

export const TABLES_SCHEMA: Shape = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tables',
  description: 'Tables of your own: the fields of MongoDB collections, and who may see them.',
  type: 'object',
  additionalProperties: false,
  required: ['version', 'tables'],
  properties: {
    version: { const: 1, description: 'Version of this format.' },
    tables: {
      type: 'object',
      minProperties: 1,
      maxProperties: 100,
      propertyNames: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]{0,31}$',
        patternErrorMessage: 'at most 32 small letters, digits and _, and a letter first',
      },
      additionalProperties: table,
      description: 'The tables by name, as paths and commands name them.',
    },
  },
};
