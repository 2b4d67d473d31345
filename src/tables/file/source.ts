/**
 * From the text of a YAML 1.2 or JSON file to plain data, with the place of every member.
 *
 *     "a:\n  b: 1"  ──▶  {a: {b: 1}}   and   "/a/b" ──▶ line 2, column 3 (name), 6 (value)
 *
 * JSON is YAML. Values are those of YAML's core schema: text, numbers, true, false and null; `no`
 * and `on` are text. A name of a member is its text as written, so `1:` and `null:` are names too.
 */
import { isUtf8 } from 'node:buffer';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { type Problem, placeAt, Spot } from './problems.ts';

/** Longest file, in UTF-16 units. */
export const MAX_LENGTH = 2 ** 20;
/** Most values of a file, those of aliases included: nested aliases grow exponentially. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 20;
/** Open structures of a text that is parsed: a value takes some, and the composer a stack frame each. */
const MAX_OPEN = 10 * MAX_DEPTH;

export type Source =
  | { readonly value: unknown; readonly file: Spot }
  | { readonly syntax: readonly Problem[] };

/** Reads a file or its text; one that is no YAML has problems of syntax alone. */
export function readSource(given: string | Uint8Array): Source {
  const text = typeof given === 'string' ? given : new TextDecoder().decode(given);
  if (typeof given !== 'string' && !isUtf8(given)) return { syntax: [wrongBytes(text)] };
  if (text.length > MAX_LENGTH) {
    return refused(`the file is longer than ${MAX_LENGTH} characters`);
  }
  if (isDeep(text)) return refused(`the file holds more than ${MAX_DEPTH} levels`);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    // Names are compared here, where the first of two is known.
    uniqueKeys: false,
    version: '1.2',
  });
  const faults: readonly YAMLError[] = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    // The first problem of a line says more than those that follow from it.
    const lineOf = ({ pos }: YAMLError) => placeAt(lines, pos[0]).line;
    const first = new Map(faults.toReversed().map((fault) => [lineOf(fault), fault]));
    const inOrder = [...first.values()].sort((a, b) => a.pos[0] - b.pos[0]);
    const syntax = inOrder.map((fault) => ({
      ...placeAt(lines, openQuote(fault, document) ?? fault.pos[0]),
      message: sentenceOf(fault),
    }));
    return { syntax };
  }
  const reader = new Reader(document);
  const file = new Spot(lines);
  const value = reader.read(document.contents, file, 0);
  if (reader.tooLarge) return refused(`the file holds more than ${reader.tooLarge}`);
  return { value, file };
}

/** Windows PowerShell writes UTF-16, and old editors the letters of their country. */
function wrongBytes(text: string): Problem {
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  const message = 'the file is not in UTF-8 from here on: save it as UTF-8';
  return { line: before.length, column: before.at(-1)!.length + 1, message };
}

const refused = (message: string): Source => ({ syntax: [{ line: 1, column: 1, message }] });

/** Whether the composer, which is recursive, could come to the end of the stack. */
function isDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_OPEN) return true;
  }
  return false;
}

/** The parser reports a quote without an end there, and its beginning is the slip. */
function openQuote({ message, pos }: YAMLError, document: Document): number | undefined {
  if (!OPEN_QUOTE.test(message)) return undefined;
  let start: number | undefined;
  visit(document, {
    Scalar(_, { range }) {
      if (range?.[1] === pos[0]) [start] = range;
    },
  });
  return start;
}

const OPEN_QUOTE = /^Missing closing/;

/** The parser speaks of its grammar; authors of files look for the slip. A pattern takes its message, or code and message. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [OPEN_QUOTE, 'the quote that begins here has no end'],
  [/^Implicit map keys|^MULTILINE_IMPLICIT_KEY /, 'a name without a colon and a blank after it'],
  [
    /^Unexpected block-seq-ind on/,
    'a list begins on the next line, and a text that begins with a - stands in quotes',
  ],
  [/^Unexpected flow-/, 'a bracket too much'],
  [/^Unexpected ,/, 'a comma too much'],
  [/^Unexpected (?:scalar|.* at node end$)/, 'text after the end of the value'],
  [/^BAD_INDENT /, 'this line begins in another column than the lines beside it'],
  [/^BLOCK_AS_IMPLICIT_KEY /, 'a second name on one line, or a line that is indented too far'],
  [/^BLOCK_IN_FLOW /, 'a comma is missing between { and }, or [ and ]'],
  [/^MULTIPLE_DOCS /, 'the file holds more than one document'],
  [/^TAB_AS_INDENT /, 'a tab cannot indent a line: use blanks'],
];

function sentenceOf({ code, message }: YAMLError): string {
  const bracket = /^Flow .* ([\]}])$/.exec(message)?.[1];
  if (bracket !== undefined) return `a ${bracket} is missing`;
  const told = [message, `${code} ${message}`];
  const known = SLIPS.find(([pattern]) => told.some((text) => pattern.test(text)));
  return known?.[1] ?? message.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase());
}

/** Programs for YAML 1.1 take the members of another object by it. No member has this name. */
const MERGE = '<<';

class Reader {
  /** The bound that the file exceeds. */
  tooLarge: string | undefined;
  readonly #named: ReadonlyMap<Alias, Node>;
  #values = 0;

  constructor(document: Document) {
    this.#named = namedIn(document);
  }

  read(given: unknown, spot: Spot, depth: number): unknown {
    const node = isAlias(given) ? this.#named.get(given) : (given as Node | null);
    if (isAlias(given) && !node) spot.add(`no anchor before this is named ${given.source}`);
    if (++this.#values > MAX_VALUES || depth > MAX_DEPTH) {
      this.tooLarge = depth > MAX_DEPTH ? `${MAX_DEPTH} levels` : `${MAX_VALUES} values`;
      return null;
    }
    if (isMap(node)) return this.#object(node.items, spot, depth);
    if (isSeq(node)) {
      return node.items.map((item, position) => {
        const at = spot.in(position);
        at.stands(startOf(item) ?? startOf(node) ?? 0);
        return this.read(item, at, depth + 1);
      });
    }
    const value = isScalar(node) ? node.value : null;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      spot.add('numbers must be finite');
      return 0;
    }
    return value;
  }

  #object(pairs: readonly Pair[], spot: Spot, depth: number): object {
    const members = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      const start = startOf(key) ?? 0;
      const name = nameOf(key);
      const at = spot.in(name ?? '');
      const slip = slipOf(name, members, at);
      // An empty value has no place of its own.
      at.stands(slip === undefined ? (startOf(value) ?? start) : start, start);
      if (slip !== undefined) at.add(slip);
      else members.set(name!, this.read(value, at, depth + 1));
    }
    // Defines own members, so that one named `__proto__` stays data.
    return Object.fromEntries(members);
  }
}

/** Why a member cannot have this name beside those before it. */
function slipOf(name: string | undefined, before: ReadonlyMap<string, unknown>, at: Spot) {
  if (name === undefined) return 'a name must be text';
  if (name === MERGE) return 'YAML 1.2 has no merges: write the members out';
  if (!before.has(name)) return undefined;
  return `${JSON.stringify(name)} is already on line ${at.place('name').line}`;
}

/** The node of each alias. The library looks through the whole document for every one. */
function namedIn(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const named = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const meant = anchors.get(node.source);
        if (meant) named.set(node, meant);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return named;
}

function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const { value, source } = key as Scalar;
  return typeof value === 'string' ? value : (source ?? '');
}

/** The offset of a node; undefined for one without text. */
function startOf(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly number[] | null };
  return range && range[1]! > range[0]! ? range[0] : undefined;
}
