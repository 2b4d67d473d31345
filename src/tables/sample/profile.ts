/**
 * The profile of a collection: a tree of the names in its documents, with the values under each.
 *
 *     { lines: [{ sku: 'a' }, { sku: 'b' }] }  ──▶  lines ─▶ sku   2 strings, in an array
 *
 * Documents are walked in their bytes, since one may have 16 MB. Bounds keep a profile small however
 * odd the documents are: a path beyond them is counted, and reported as left out.
 */
import { BsonType, bufferOf, eachElement, int32At } from '../../store/bson/raw.ts';
import { isOddName } from './names.ts';
import { PathProfile } from './pathProfile.ts';

/** Levels of names that a path may have. */
export const MAX_DEPTH = 10;
/** Different paths of a collection. */
export const MAX_NAMES = 5_000;
/** Elements of an array whose values may be remembered; later ones are only counted by type. */
const MAX_ELEMENTS = 50;
/** Different values that all paths together remember; later ones are only counted by type. */
const MAX_VALUES = 200_000;
/** Odd names that are remembered, to be named in the file. */
const MAX_ODD = 100;

export class Profile {
  /** Has the names of the top level as its children. */
  readonly root = new PathProfile('', '');
  /** Documents of the sample. */
  documents = 0;
  /** Documents of the sample that were drawn at random. */
  drawn = 0;
  bytes = 0;
  /** Names that no dotted path can reach, as a path up to the name. */
  readonly oddNames = new Set<string>();
  /** How often a name was one too many, and a document too deep. */
  namesLeftOut = 0;
  tooDeep = 0;
  #names = 0;
  readonly #room = { values: MAX_VALUES };
  #isDrawn = false;

  /** @param isDrawn drawn at random: it counts for percentages and the estimate of distinct values */
  add(document: Uint8Array, isDrawn: boolean): void {
    this.documents += 1;
    if (isDrawn) this.drawn += 1;
    this.bytes += document.length;
    this.#isDrawn = isDrawn;
    this.#walk(this.root, bufferOf(document), 0, 1, false);
  }

  /** After the last document. */
  finish(): void {
    for (const path of this.paths()) path.summarize();
  }

  /** Every path, parents before their children. */
  paths(): PathProfile[] {
    const all: PathProfile[] = [];
    const visit = (node: PathProfile) => {
      for (const child of node.children.values()) {
        all.push(child);
        visit(child);
      }
    };
    visit(this.root);
    return all;
  }

  /** The profile of a dotted path, if a document has it. */
  at(path: string): PathProfile | undefined {
    let node: PathProfile | undefined = this.root;
    for (const name of path.split('.')) node = node?.children.get(name);
    return node;
  }

  #walk(parent: PathProfile, bytes: Buffer, at: number, depth: number, several: boolean): void {
    if (depth > MAX_DEPTH) {
      this.tooDeep += 1;
      return;
    }
    eachElement(bytes, at, (type, nameAt, nameEnd, valueAt) => {
      const name = bytes.toString('utf8', nameAt, nameEnd);
      const child = parent.children.get(name) ?? this.#newChild(parent, name);
      if (child) this.#value(child, type, bytes, valueAt, depth, several);
    });
  }

  #newChild(parent: PathProfile, name: string): PathProfile | undefined {
    const path = parent === this.root ? name : `${parent.path}.${name}`;
    if (isOddName(name, path)) {
      parent.oddNames += 1;
      if (this.oddNames.size < MAX_ODD) this.oddNames.add(path);
      return undefined;
    }
    if (this.#names === MAX_NAMES) {
      this.namesLeftOut += 1;
      return undefined;
    }
    this.#names += 1;
    const child = new PathProfile(name, path);
    parent.children.set(name, child);
    return child;
  }

  #value(
    node: PathProfile,
    type: number,
    bytes: Buffer,
    at: number,
    depth: number,
    several: boolean,
  ): void {
    node.seenIn(this.documents, several || type === BsonType.array, this.#isDrawn);
    if (type === BsonType.object) {
      node.count('object', int32At(bytes, at), this.#isDrawn);
      this.#walk(node, bytes, at, depth + 1, several);
      return;
    }
    if (type !== BsonType.array) {
      node.take(type, bytes, at, { document: this.documents, isDrawn: this.#isDrawn }, this.#room);
      return;
    }
    const isDrawn = this.#isDrawn;
    let left = MAX_ELEMENTS;
    eachElement(bytes, at, (element, _, __, elementAt) => {
      this.#isDrawn = isDrawn && left-- > 0;
      // Paths do not lead through an array inside an array.
      if (element === BsonType.array) {
        node.count('array', int32At(bytes, elementAt), this.#isDrawn);
      } else this.#value(node, element, bytes, elementAt, depth, true);
    });
    this.#isDrawn = isDrawn;
  }
}
