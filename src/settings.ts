/**
 * One setting, and how its text becomes a value.
 *
 * ```
 * environment text ──parse──▶ value        '1mb' ──bytes()──▶ 1048576
 *                    │
 *                    └──▶ BadValue: why the text does not fit, without repeating it
 * ```
 *
 * A setting is data: its name, its kind, the text that stands for it when it is not set, and the
 * sentence docs/settings.md shows. `config.ts` holds the table of them.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { COLLECTIONS, SNAPSHOT_BUCKET } from './apps/admin/documents.ts';
import { RESOURCES } from './apps/admin/resources/index.ts';
import { SCOPES } from './apps/admin/resources/scope.ts';
import type { TaskTypeEntry } from './apps/admin/resources/taskTypes.ts';
import { type AppError, fileFault, type ProblemDetail } from './errors.ts';
import { HEARTBEAT_COLLECTION } from './follow/heartbeat.ts';
import { fullObject } from './tables/definition/jsonSchema.ts';
import { type OwnTable, type Problem, printProblems, readTablesFile } from './tables/file/index.ts';
import { compileSchema } from './tables/query/schema.ts';

/** Why a text does not fit its setting: reads on after the setting's name, "is not …". */
export class BadValue extends Error {
  /** The problems of a file, a line each. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** How a text is read, and how the table describes the texts it takes. */
export interface Kind<T> {
  readonly takes: string;
  readonly parse: (text: string) => T;
}

/** A setting: `preset` is written as the environment would write it; undefined means unset. */
export interface Setting<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly preset: string | undefined;
  /** A value that must not be repeated in messages. */
  readonly secret: boolean;
  readonly about: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting as it was given; undefined for one that is empty or blank. */
export function textIn(env: Environment, name: string): string | undefined {
  const text = env[name];
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** A setting that always has a value. */
export function setting<T>(name: string, kind: Kind<T>, preset: string, about: string): Setting<T> {
  return { name, kind, preset, secret: false, about };
}

/** A setting that may stay unset. */
export function optional<T>(name: string, kind: Kind<T>, about: string): Setting<T | undefined> {
  return { name, kind, preset: undefined, secret: false, about };
}

/** An optional setting whose value is never shown. */
export function secret<T>(name: string, kind: Kind<T>, about: string): Setting<T | undefined> {
  return { ...optional(name, kind, about), secret: true };
}

/** A whole number in decimal digits, from `min` to `max`. */
export function integer(min: number, max: number, unit = ''): Kind<number> {
  const takes = `${min} to ${max}${unit === '' ? '' : ` ${unit}`}`;
  return {
    takes,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new BadValue(`is not a whole number, ${takes}`);
      return value;
    },
  };
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 2 ** 10,
  mb: 2 ** 20,
  gb: 2 ** 30,
};

/** A size such as `512kb`, in bytes; the units are powers of 1024. */
export function bytes(min: string, max: string): Kind<number> {
  const takes = `a size, ${min} to ${max}`;
  return {
    takes,
    parse(text) {
      const value = sizeOf(text);
      if (!(value >= sizeOf(min) && value <= sizeOf(max))) throw new BadValue(`is not ${takes}`);
      return value;
    },
  };
}

function sizeOf(text: string): number {
  const [, digits, unit] = /^(\d{1,12})(b|kb|mb|gb)?$/i.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * UNITS[(unit ?? '').toLowerCase()]!;
}

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): Kind<T> {
  const takes = words.map((word) => `\`${word}\``).join(', ');
  return {
    takes,
    parse(text) {
      const found = words.find((word) => word === text);
      if (found === undefined) throw new BadValue(`is not one of ${words.join(', ')}`);
      return found;
    },
  };
}

/** `on` or `off`, as a boolean. */
export const ON_OFF: Kind<boolean> = {
  takes: '`on`, `off`',
  parse: (text) => oneOf(['on', 'off']).parse(text) === 'on',
};

/** Any text of at least `min` bytes. */
export function textOf(takes: string, min = 1): Kind<string> {
  return {
    takes,
    parse(text) {
      const size = Buffer.byteLength(text);
      if (size < min)
        throw new BadValue(`is ${size} ${size === 1 ? 'byte' : 'bytes'} long, ${min} is the least`);
      return text;
    },
  };
}

/** A text of one form. */
export function matching(takes: string, pattern: RegExp): Kind<string> {
  return {
    takes,
    parse(text) {
      if (!pattern.test(text)) throw new BadValue(`is not ${takes}`);
      return text;
    },
  };
}

/**
 * Why the driver refuses a connection string. It takes parts of a password for a host or an option where the
 * password has an unencoded @, or where nothing follows it.
 */
function refusalOf(text: string, { message }: Error): string {
  if (text.split('@').length > 2) return 'the user name and the password must be percent-encoded';
  return message.replace(/^Unable to parse .*/s, 'a host or its port cannot be read');
}

/** A connection string that the driver takes. */
export const STORE: Kind<string> = {
  takes: 'mongodb://, mongodb+srv:// or `embedded`',
  parse(text) {
    if (text === 'embedded') return text;
    if (!/^mongodb(\+srv)?:\/\/\S+$/.test(text)) throw new BadValue(`is not ${this.takes}`);
    try {
      new MongoClient(text);
    } catch (error) {
      throw new BadValue(`is not a connection string: ${refusalOf(text, error as Error)}`);
    }
    return text;
  },
};

/** A public key as PEM; `\n` may be written out, since some environments hold no line ends. */
export const PUBLIC_KEY: Kind<KeyObject> = {
  takes: 'PEM of an RSA (2048 bits or more), P-256 or Ed25519 key',
  parse(text) {
    const pem = text.replaceAll('\\n', '\n');
    if (pem.includes('PRIVATE KEY')) throw new BadValue('holds a private key; give the public one');
    let key: KeyObject;
    try {
      key = createPublicKey(pem);
    } catch {
      throw new BadValue('is not a public key in PEM form');
    }
    const details = key.asymmetricKeyDetails;
    const usable =
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'rsa' && (details?.modulusLength ?? 0) >= 2048) ||
      (key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1');
    if (!usable) throw new BadValue('is none of: RSA of 2048 bits or more, P-256, Ed25519');
    return key;
  },
};

/** An address of keys or of a provider: `https`, or `http` on this machine, so that it cannot be replaced on its way. */
export const SECURE_URL: Kind<URL> = {
  takes: 'an https URL',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const local =
      url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
    if (url === undefined || !(url.protocol === 'https:' || local)) {
      throw new BadValue('is not an https URL (http is taken for this machine only)');
    }
    return url;
  },
};

const isHttp = (text: string) => /^https?:/.test(text) && URL.canParse(text);

export const HTTP_URL: Kind<string> = {
  takes: 'an http or https URL',
  parse(text) {
    if (isHttp(text)) return text;
    throw new BadValue('is not an http or https URL');
  },
};

export const DATABASE = matching(
  'a database name',
  /^(?!(admin|config|local)$)[^\s/\\."$*<>:|?\0]{1,63}$/,
);

/** A name that MongoDB takes for a collection. */
const COLLECTION = /^(?!system\.|\.|(?!off)[oO][fF]{2}$)(?!.*\.\.)[^\s$\0]{1,100}(?<!\.)$/;

export const VIEWS = matching('a collection name, or `off`', COLLECTION);

/** An address without the account and the query, which may hold passwords and keys. */
export const withoutSecrets = (address: string): string =>
  address.replace(/\/\/.*@/s, '//…@').replace(/^([\w+]+:\/\/[^?]*\?).*/s, '$1…');

/** Origins as browsers write them, separated by commas. */
export const ORIGINS: Kind<ReadonlySet<string>> = {
  takes: 'origins, such as `https://app.example.com`, separated by commas',
  parse(text) {
    const origins = text.split(',').map((one) => one.trim());
    for (const origin of origins) {
      const isOne = isHttp(origin);
      if (isOne && new URL(origin).origin === origin) continue;
      const meant = isOne ? `; ${new URL(origin).origin} would be` : '';
      const named = JSON.stringify(withoutSecrets(origin));
      throw new BadValue(`names ${named}, which is no origin${meant}`);
    }
    return new Set(origins);
  },
};

/** A definition file of tables, read when the setting is. */
export const TABLES_FILE: Kind<readonly OwnTable[]> = {
  takes: 'path of a YAML or JSON file',
  parse(path) {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      throw new BadValue(`names a file that cannot be read: ${fileFault(error as Error, 'file')}`);
    }
    const file = readTablesFile(bytes);
    if ('tables' in file) return file.tables;
    throw wrongFile(path, file.problems);
  },
};

export function wrongFile(path: string, problems: readonly Problem[]): BadValue {
  const { length } = problems;
  const lines = printProblems(path, problems).split('\n');
  return new BadValue(
    `names a file with ${length} ${length === 1 ? 'problem' : 'problems'}`,
    lines,
  );
}

/** A JSON file with a list of `{value, label, scopes}`, read when the setting is. */
export const TASK_TYPES: Kind<readonly TaskTypeEntry[]> = {
  takes: 'path of a JSON file',
  parse(path) {
    let entries: unknown;
    try {
      entries = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new BadValue(`names a file that cannot be read as JSON (${(error as Error).message})`);
    }
    const types = typesIn(entries);
    unique(types, 'value', (type) => type.value);
    unique(types, 'label', (type) => type.label.toLowerCase());
    return Object.freeze(types);
  },
};

const validTypes = compileSchema<readonly TaskTypeEntry[]>({
  type: 'array',
  minItems: 1,
  items: {
    ...fullObject({
      value: { type: 'string', pattern: '^[a-z0-9][a-z0-9_.-]{0,63}$' },
      label: { type: 'string', pattern: '^\\S(.*\\S)?$' },
      scopes: { type: 'array', minItems: 1, items: { enum: SCOPES } },
    }),
    additionalProperties: true,
  },
});

function typesIn(entries: unknown): readonly TaskTypeEntry[] {
  try {
    return validTypes(entries);
  } catch (error) {
    const [{ pointer, detail }] = (error as AppError).errors as [ProblemDetail];
    throw new BadValue(`names a file that is no list of task types: ${pointer || '/'}: ${detail}`);
  }
}

function unique(
  types: readonly TaskTypeEntry[],
  what: string,
  of: (type: TaskTypeEntry) => string,
) {
  const seen = new Set<string>();
  for (const type of types) {
    if (seen.has(of(type))) throw new BadValue(`names a file with two types of one ${what}`);
    seen.add(of(type));
  }
}

/** Settings beside which tables and views are served, by the members of the configuration. */
interface Others {
  readonly builtInTables?: boolean;
  readonly viewsCollection?: string;
}

/** Why saved views cannot be kept: they would be rows of a table, and private ones would show. */
export function viewsProblems({ builtInTables, viewsCollection }: Others): readonly string[] {
  const files = ['files', 'chunks'].map((part) => `${SNAPSHOT_BUCKET}.${part}`);
  const builtIn = builtInTables === false ? [] : [...Object.values(COLLECTIONS), ...files];
  const taken = [...builtIn, HEARTBEAT_COLLECTION].some((one) => one === viewsCollection);
  if (!taken) return [];
  return [`VIEWS_COLLECTION ${viewsCollection} is a collection of the service: give another name`];
}

/** Why tables of a file cannot be served beside the other settings. */
export function tableProblems({
  tables = [],
  builtInTables,
  viewsCollection,
}: Others & { readonly tables?: readonly OwnTable[] }): readonly Problem[] {
  // The command line and the web UI call tables by their names alone.
  const called = tables
    .filter(({ name }) => builtInTables !== false && Object.hasOwn(RESOURCES, name))
    .map(({ name, place }) => ({
      ...place,
      message: `a built-in table has the name ${name}, too: rename this one, or set BUILT_IN_TABLES=off`,
    }));
  // Private views would be rows of the table.
  const kept = tables
    .filter(({ resource }) => resource.collection === viewsCollection)
    .map(({ name, place }) => ({
      ...place,
      message: `saved views are kept in the collection of ${name}: give VIEWS_COLLECTION another name`,
    }));
  return [...called, ...kept];
}
