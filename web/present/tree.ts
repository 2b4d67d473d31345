/**
 * A document as a tree of lines. Extended JSON wraps values that JSON has no form for: `{"$oid": "…"}`
 * is one value, and its type stands beside it.
 */

export interface Leaf {
  readonly kind: 'leaf';
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** For people: `ObjectId`, `Date`; none where JSON shows it. */
  readonly type: string | undefined;
  /** Whether it is a text, which JSON has in quotes: `57374` may be one, and a number. */
  readonly isText: boolean;
}

export interface Branch {
  readonly kind: 'branch';
  readonly name: string;
  readonly path: string;
  /** `{3}`, `[12]` */
  readonly size: string;
  readonly children: readonly Node[];
}

export type Node = Leaf | Branch;

export function treeOf(name: string, value: unknown, path = name): Node {
  const wrapped = unwrapped(value);
  if (wrapped) return { kind: 'leaf', name, path, ...wrapped, isText: false };
  if (typeof value !== 'object' || value === null) {
    const isText = typeof value === 'string';
    const text = isText ? value : JSON.stringify(value);
    return { kind: 'leaf', name, path, text, type: undefined, isText };
  }
  const isList = Array.isArray(value);
  const children = Object.entries(value).map(([key, one]) =>
    treeOf(key, one, path === '' ? key : `${path}.${key}`),
  );
  const size = isList ? `[${children.length}]` : `{${children.length}}`;
  return { kind: 'branch', name, path, size, children };
}

const TYPES: Readonly<Record<string, string>> = {
  $oid: 'ObjectId',
  $date: 'Date',
  $numberDecimal: 'Decimal128',
  $numberLong: 'Long',
  $numberDouble: 'Double',
  $uuid: 'UUID',
  $binary: 'Binary',
  $timestamp: 'Timestamp',
  $regularExpression: 'Regular expression',
  $symbol: 'Symbol',
  $code: 'Code',
  $minKey: 'MinKey',
  $maxKey: 'MaxKey',
  $undefined: 'Undefined',
  $dbPointer: 'DBPointer',
};

function unwrapped(value: unknown): Pick<Leaf, 'text' | 'type'> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, ...others] = Object.entries(value);
  if (!first || others.length > 1) return undefined;
  const [key, inner] = first;
  const type = Object.hasOwn(TYPES, key) ? TYPES[key] : undefined;
  if (type === undefined || (others.length === 1 && key !== '$code')) return undefined;
  const uuid = key === '$binary' ? uuidIn(inner) : undefined;
  if (uuid !== undefined) return { text: uuid, type: TYPES.$uuid };
  const text = key === '$date' ? momentIn(inner) : inner;
  return { text: typeof text === 'string' ? text : JSON.stringify(text), type };
}

/** Dates before 1970 and after 9999 come as milliseconds; some are none that JavaScript has. */
function momentIn(date: unknown): unknown {
  const { $numberLong: ms } = Object(date) as { readonly $numberLong?: unknown };
  const at = new Date(Number(ms));
  return Number.isNaN(at.getTime()) ? date : at.toISOString();
}

/** The text of a binary UUID, as records show it; older ones (subtype 3) have no one order of their bytes. */
function uuidIn(binary: unknown): string | undefined {
  const { base64, subType } = binary as { readonly base64: string; readonly subType: string };
  if (subType !== '04') return undefined;
  const hex = [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
  return hex.length === 16
    ? hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : undefined;
}

/** The tree without members that hold the text neither in a name nor in a value. */
export function pruned(node: Node, text: string): Node | undefined {
  const wanted = text.toLowerCase();
  const holds = (one: string) => one.toLowerCase().includes(wanted);
  if (wanted === '' || holds(node.name)) return node;
  if (node.kind === 'leaf') return holds(node.text) ? node : undefined;
  const children = node.children.flatMap((one) => pruned(one, text) ?? []);
  return children.length > 0 ? { ...node, children } : undefined;
}
