/**
 * The oracle of own tables: a definition, documents and a body; the answer by looking at every
 * document. Conditions and counts are those of `ExploreOracle`, which the built-in tables are checked
 * by too.
 */
import { expect } from 'chai';
import { BSON, BSONSymbol, Decimal128, type Document, ObjectId } from 'mongodb';
import { putUndefined } from '../../follow/support/rawInsert.ts';
import {
  compareValues,
  elementsAt,
  exactText,
  isObject,
  keyOf,
  memberAt,
  oneValueAt,
  typeOf,
} from '../../oracles/storedValues.ts';
import {
  ExploreOracle,
  isPlain,
  type Json,
  type Subject,
  shown,
} from '../../properties/exploreOracle.ts';
import type { SameLetters } from '../../properties/oracle.ts';
import type { Answer } from './stage.ts';
import type { Contents, Question, World, Written } from './world.ts';

/** The hours of a unit of a window's span. */
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };

/** A field of the file: `type` without its brackets, and where it is stored. */
interface Field {
  readonly type: string;
  readonly path: string;
  readonly uses: readonly string[];
}

/** A text of the other documents, found by this table's field. */
interface Label {
  readonly through: string;
  /** Where text and key are stored. */
  readonly text: string;
  readonly key: string;
}

export class OwnOracle {
  readonly #fields: Readonly<Record<string, Field>>;
  readonly #written: Written;
  readonly #things: readonly Document[];
  readonly #others: readonly Document[];
  readonly #same: SameLetters;
  readonly #claims: Document;
  /** Each label by the name of its field. */
  readonly #labels: Readonly<Record<string, Label>>;

  constructor(
    { tables, claims }: Pick<World, 'tables' | 'claims'>,
    contents: Contents,
    same: SameLetters,
  ) {
    this.#claims = claims;
    this.#written = tables.things;
    this.#same = same;
    const { collection, fields } = tables.others;
    const pathOf = (name: string) => (name === 'id' ? '_id' : fields[name]!.path);
    this.#others = asStored(contents[collection]);
    this.#labels = Object.fromEntries(
      Object.entries(tables.things.fields)
        .filter(([, { label }]) => label)
        .map(([name, { label, through, key = 'id' }]) => [
          name,
          { through, text: pathOf(label), key: pathOf(key) },
        ]),
    );
    this.#fields = Object.fromEntries(
      Object.entries(tables.things.fields).map(([name, { type, path = name, use = [] }]) => [
        name,
        { type: [type].flat()[0], path: name === 'id' ? '_id' : path, uses: use },
      ]),
    );
    this.#things = asStored(contents.things).filter((one) => this.#isInWindow(one));
  }

  check({ body, grant }: Question, answer: Answer): void {
    if ('wrong' in answer) throw new Error(`refused: ${answer.wrong}`);
    const sorts = [body.sorting ?? this.#usualSort()].flat();
    const rows = this.#things.filter((one) => this.#isShown(one, grant));
    const oracle = new ExploreOracle(this.#subject(body, sorts, rows), { ...body, sorts });
    const whole = oracle.inOrder()!;
    const { page = 1, per_page: perPage = 10 } = body.pagination ?? {};
    const last = Math.max(1, Math.ceil(whole.length / perPage));
    const at = Math.min(page, last);
    const listed = whole.slice((at - 1) * perPage, at * perPage);
    const expected = listed.map(({ _id }, i) => shown(_id, answer.rows[i]?.id));
    expect(answer).to.include({ total: whole.length, page: at });
    expect(JSON.stringify(answer.rows.map(({ id }) => id))).to.equal(JSON.stringify(expected));
    for (const [i, one] of listed.entries()) this.#checkRecord(one, answer.rows[i]!);
    if (body.facets) oracle.checkFacets(answer.facets ?? []);
    if (body.histogram) oracle.checkHistogram(answer.histogram!);
    if (body.stats) oracle.checkStats(answer.stats ?? []);
  }

  /** Labels, seconds, and values of simple types outside of arrays. */
  #checkRecord(one: Document, record: Document): void {
    for (const [name, { type, use = ['show'] }] of Object.entries(this.#written.fields)) {
      if (name === 'id' || Array.isArray(type)) continue;
      const label = this.#labels[name];
      const value = label
        ? (this.#related(label, this.#elements(one, label.through))
            .slice(0, 1)
            .map((other) => memberAt(other, label.text))
            .find((text) => typeof text === 'string') ?? null)
        : name === 'took'
          ? this.#seconds(one)
          : memberAt(one, this.#fields[name]!.path);
      if (!use.includes('show')) expect(record).not.to.have.property(name);
      else if (label || isPlain(value) || value instanceof Date)
        expect(record[name], name).to.equal(shown(value, record[name]));
    }
  }

  #usualSort(): Document {
    const [, sign, by] = /^(-?)(.*)$/.exec(this.#written.sort)!;
    return { sort_by: by, sort_order: sign ? 'desc' : 'asc' };
  }

  /** Whether each field that the grant names has one of its values. */
  #isShown(one: Document, grant: number): boolean {
    const { rows = {} } = this.#written.access[grant]!;
    return Object.entries(rows).every(([name, given]) => {
      const { type } = this.#fields[name]!;
      const values: Json | Json[] = given.claim ? (this.#claims.of[name] ?? []) : given;
      const doubles = type === 'decimal' ? [values].flat().filter(isNumber) : [];
      const wanted = [...[values].flat().map((value) => typed(type, value)), ...doubles].map(keyOf);
      return this.#elements(one, name).some((value) => wanted.includes(keyOf(value)));
    });
  }

  #subject(body: Document, sorts: readonly Document[], things: readonly Document[]): Subject {
    const filters = Object.entries<string | null>(body.filters ?? {}).flatMap(([name, text]) =>
      text?.trim() ? [[name, text] as const] : [],
    );
    const holds =
      (one: Document) =>
      ([name, text]: readonly [string, string]) =>
        name === 'q' ? this.#findsText(one, text.trim()) : this.#hasText(one, name, text.trim());
    return {
      found: things.filter((one) => filters.every(holds(one))),
      elements: (one, name) => this.#elements(one, name),
      isDated: (name) => this.#fields[name]!.type === 'date',
      isAsWritten: (name, given) => {
        const { type } = this.#fields[name]!;
        return type === 'uuid' || (type === 'decimal' && typeof given === 'number');
      },
      valueOf: (name, given, isBound) => {
        const { type, uses } = this.#fields[name]!;
        return isBound || !uses.includes('facet') ? typed(type, given) : listed(type, given);
      },
      findsText: (one, text) => this.#findsText(one, text),
      hasText: (one, name, text) => this.#hasText(one, name, text),
      textsOf: (name, value) => {
        const label = this.#shownWith(name);
        return [
          ...this.#ownTexts(name, [value]),
          ...(label ? this.#labelTexts(label, [value]) : []),
        ];
      },
      same: this.#same,
      labelOf: (name, value) => {
        const label = this.#shownWith(name);
        return label && this.#label(label, value);
      },
      isListed: (name, value) =>
        isPlain(value) || (typeOf(value) === 'ObjectId' && this.#fields[name]!.type === 'objectId'),
      keyOf: (one, name, sign) => this.#sortKey(one, name, sign, sorts.length === 1),
    };
  }

  /** Whether one of its dates is in the window, which no date of these documents lies near the start of. */
  #isInWindow(one: Document): boolean {
    const { window } = this.#written;
    if (!window) return true;
    const { field, span } = window;
    const from = Date.now() - Number.parseInt(span, 10) * HOURS[span.at(-1)!]! * 3_600_000;
    return this.#elements(one, field).some((value) => value instanceof Date && +value >= from);
  }

  #elements(one: Document, name: string): unknown[] {
    if (name === 'took') return [this.#seconds(one)];
    return elementsAt(one, this.#fields[name]!.path);
  }

  /** Milliseconds between two dates, neither of them in an array. */
  #seconds(one: Document): number | null {
    const [from, to] = this.#written.fields.took!.seconds.map((name: string) =>
      memberAt(one, this.#fields[name]!.path),
    );
    const isSpan = from instanceof Date && to instanceof Date;
    return isSpan ? (to.getTime() - from.getTime()) / 1_000 : null;
  }

  /** The label that a counted value of the field has: of several the first. */
  #shownWith = (name: string): Label | undefined =>
    Object.values(this.#labels).find(({ through }) => through === name);

  #findsText(one: Document, text: string): boolean {
    return this.#written.text.some((name) => this.#hasText(one, name, text));
  }

  #hasText(one: Document, name: string, text: string): boolean {
    const label = this.#labels[name];
    const texts = label
      ? this.#labelTexts(label, this.#elements(one, label.through))
      : this.#ownTexts(name, this.#elements(one, name));
    return texts.some((found) => this.#same(found).includes(this.#same(text)));
  }

  #ownTexts(name: string, values: readonly unknown[]): string[] {
    const type = this.#fields[name]!.type === 'objectId' ? 'ObjectId' : 'string';
    return values.filter((value) => typeOf(value) === type).map(String);
  }

  /** The other documents that have one of these keys, of the field's own type, in the order of their ids. */
  #related({ through, key }: Label, keys: readonly unknown[]): readonly Document[] {
    const { type } = this.#fields[through]!;
    const expected = type === 'objectId' ? 'ObjectId' : type === 'number' ? 'number' : 'string';
    const wanted = new Set(keys.filter((one) => typeOf(one) === expected).map(keyOf));
    const found = this.#others.filter((other) => wanted.has(keyOf(memberAt(other, key))));
    return found.sort((a, b) => compareValues(a._id, b._id));
  }

  #labelTexts(label: Label, keys: readonly unknown[]): string[] {
    return this.#related(label, keys)
      .flatMap((other) => elementsAt(other, label.text))
      .filter((text) => typeof text === 'string');
  }

  #label(label: Label, key: unknown): string | undefined {
    const text = memberAt(this.#related(label, [key])[0], label.text);
    return typeof text === 'string' ? text : undefined;
  }

  #sortKey(one: Document, name: string, sign: number, isAlone: boolean): readonly unknown[] {
    const label = this.#labels[name];
    if (label) {
      const { path } = this.#fields[label.through]!;
      return [this.#label(label, oneValueAt(one, path)) ?? null];
    }
    const isKept = isAlone && name !== 'took' && this.#fields[name]!.uses.includes('sort');
    const found = isKept
      ? sorted(one, this.#fields[name]!.path.split('.'))
      : this.#elements(one, name);
    // Boxed, since `sort` puts undefined last whatever the order says.
    const boxed = found.map((value) => ({ value }));
    boxed.sort((a, b) => sign * compareValues(a.value, b.value));
    return boxed.slice(0, 1).map(({ value }) => value);
  }
}

/**
 * The values that a sort of the store sees at a path: `undefined` for an empty array, null for an
 * element of an array that leads nowhere.
 */
function sorted(value: unknown, [name, ...more]: readonly string[]): unknown[] {
  const member = isObject(value) && Object.hasOwn(value, name!) ? value[name!] : null;
  if (!Array.isArray(member)) return more.length === 0 ? [member] : sorted(member, more);
  if (more.length === 0) return member.length === 0 ? [undefined] : [...member];
  return member.length === 0 ? [null] : member.flatMap((inner) => sorted(inner, more));
}

const isNumber = (value: Json): value is number => typeof value === 'number';

/** A JSON value as a field of the type stores it. */
function typed(type: string, given: Json): unknown {
  if (given === null) return null;
  if (type === 'date') return new Date(String(given));
  if (type === 'objectId') return new ObjectId(String(given));
  if (type === 'uuid') return String(given).toLowerCase();
  // A decimal is the digits that are written, a number the double next to them.
  const isDigits = type === 'decimal' || (type === 'number' && typeof given === 'string');
  return isDigits ? Decimal128.fromString(String(given)) : given;
}

/** A JSON value as a facet of such a field lists it: of any type, in digits only where no double is. */
function listed(type: string, given: Json): unknown {
  if (typeof given !== 'string') return given;
  const isId = type === 'objectId' && /^[0-9a-f]{24}$/i.test(given);
  if (isId || (type === 'uuid' && UUID.test(given))) return typed(type, given);
  const isDigits = type === 'number' && exactText(given) !== undefined;
  const number = isDigits ? Decimal128.fromString(given) : given;
  // Answers write integers past 2^53 in digits, too, and those that are doubles are no others.
  const isText = keyOf(number) === keyOf(Number(given)) && !(Math.abs(Number(given)) > 2 ** 53);
  return isText ? given : number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Documents as the store has them: the first of each `_id`, members without a value left out. */
function asStored(documents: readonly Document[]): readonly Document[] {
  const first = new Map<string, Document>();
  for (const one of documents) {
    const bytes = putUndefined(Buffer.from(BSON.serialize(one, { ignoreUndefined: true })));
    const options = { promoteValues: false, bsonRegExp: true };
    const stored = withTexts(BSON.deserialize(bytes, options)) as Document;
    const key = keyOf(stored._id);
    if (!first.has(key)) first.set(key, stored);
  }
  return [...first.values()];
}

/** Symbols, which old programs stored, are texts. */
function withTexts(value: unknown): unknown {
  if (value instanceof BSONSymbol) return value.value;
  if (Array.isArray(value)) return value.map(withTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one)]));
}
