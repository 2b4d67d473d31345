/**
 * Fields that hold the key of another collection's documents: `customerId` in orders is `_id` in
 * customers.
 *
 * Names only say where to look. A link counts where most sampled values are found there.
 */
import { type Db, ObjectId } from 'mongodb';
import { faultOf } from '../../store/faults.ts';
import type { Kind, PathProfile } from './pathProfile.ts';
import type { LookedAt, Survey } from './survey.ts';

export interface Link {
  readonly from: string;
  readonly path: string;
  readonly to: string;
  /** Path of the key in the other collection. */
  readonly key: string;
}

/** The share of sampled values that must be there. */
const FOUND = 0.5;
/** Questions to the store in all, the time of each, and how many are under way together. */
const MAX_QUESTIONS = 300;
const QUESTION_MS = 500;
const TOGETHER = 4;
/** Collections to search for an ObjectId if its name says nothing. */
const BLIND = 8;
/** Kinds that a key has. */
const KEYS: readonly Kind[] = ['objectId', 'string', 'number'];
/** Fewer examples than this say too little. */
const FEW_EXAMPLES = 3;

export async function findLinks(db: Db, { collections }: Survey): Promise<Link[]> {
  const targets = collections.map(targetOf);
  const waiting = collections.flatMap((from) =>
    from.profile.paths().flatMap((profile) => {
      const places = placesOf(profile, from, targets);
      return places.length > 0 ? [{ from: from.name, profile, places }] : [];
    }),
  );
  // A collection of thousands of names must not use up the questions of the others.
  waiting.sort((a, b) => b.places[0]!.near - a.places[0]!.near);
  let questions = 0;
  const found: Link[] = [];
  const next = waiting.values();
  const work = async () => {
    for (const { from, profile, places } of next) {
      for (const { to, key } of places) {
        if (questions++ >= MAX_QUESTIONS) return;
        if (!(await holds(db, { to, key }, profile))) continue;
        found.push({ from, path: profile.path, to, key });
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return found;
}

interface Place extends Pick<Link, 'to' | 'key'> {
  /** How much the names speak for it. */
  readonly near: number;
}

/** A collection, and the paths that find one of its documents. */
interface Target {
  readonly name: string;
  /** As paths may say it: the whole name, and its last word. */
  readonly words: readonly string[];
  readonly keys: readonly Key[];
}

interface Key {
  readonly path: string;
  readonly kind: Kind | undefined;
  readonly word: string;
  /** Its name says that it is a key. */
  readonly isNamedKey: boolean;
}

/** Names without all that only separates their words. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Its keys are `_id`, and paths with a unique index. In a collection that was read whole, also those that
 * differ in every document.
 */
function targetOf({ name, profile, isWhole, uniquePaths }: LookedAt): Target {
  const differing = profile.paths().filter(({ inArrays, different, drawn, documents }) => {
    return isWhole && inArrays === 0 && different === drawn && documents === profile.documents;
  });
  const paths = new Set(['_id', ...uniquePaths, ...differing.map(({ path }) => path)]);
  const keys = [...paths].flatMap((path): Key[] => {
    const found = profile.at(path);
    const isNamedKey = /(^|_)(id|uuid|guid|identifier|key|code)$/i.test(path);
    return found ? [{ path, kind: keyKind(found), word: plain(path), isNamedKey }] : [];
  });
  return { name, words: [plain(name), plain(name.split(/[^A-Za-z0-9]+/).at(-1)!)], keys };
}

/** Where a path may lead, likely places first. */
function placesOf(profile: PathProfile, from: LookedAt, targets: readonly Target[]): Place[] {
  const { path } = profile;
  const kind = keyKind(profile);
  if (path === '_id' || kind === undefined || profile.inArrays > 0) return [];
  // Small numbers are found in any collection with numbers as keys: their name has to say more.
  if (kind === 'number' && !/id$/i.test(path)) return [];
  const enough = from.isWhole && kind !== 'number' ? 1 : FEW_EXAMPLES;
  if (profile.examples.length < enough) return [];
  const places = placesNamed(
    path,
    kind,
    targets.filter(({ name }) => name !== from.name),
  );
  // A number at `user.id` is found in any collection that counts its documents by `id`.
  const least = kind === 'number' && /(^|\.)id$/i.test(path) ? NAMED : 1;
  const likely = places.filter(({ near }) => near >= least).sort((a, b) => b.near - a.near);
  const blind = places.filter(({ near }) => near === 0).slice(0, BLIND);
  return kind === 'objectId' ? [...likely, ...blind] : likely;
}

/** The one kind that its values are of, if that may be a key. */
function keyKind(profile: PathProfile): Kind | undefined {
  const [kind, n] = profile.types[0] ?? ['other', 0];
  const values = profile.types.reduce((sum, [, times]) => sum + times, 0);
  return n > 0.9 * values && KEYS.includes(kind) ? kind : undefined;
}

/** From here on, the path has the name of the collection. */
const NAMED = 2;

/** The keys for which a path's name speaks, and every `_id`, for which it need not. */
function placesNamed(path: string, kind: Kind, targets: readonly Target[]): Place[] {
  const steps = path.split('.');
  const last = steps.at(-1)!;
  const bare = last.replace(/_?(id|ID|Id|ref|Ref|key|Key|code|Code|email|Email)$/, '');
  const stem = plain(bare === '' || last === '_id' ? (steps.at(-2) ?? '') : bare);
  const forms = stem === '' ? [] : [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, 'ies')];
  const word = stem === '' ? '' : plain(last);
  const nearness = (key: Key, isNamed: boolean): number => {
    if (key.path === '_id') return isNamed ? 3 : 0;
    if (isNamed) return word.endsWith(key.word) ? 4 : key.isNamedKey ? NAMED : 0;
    return key.isNamedKey && word === key.word ? 1 : 0;
  };
  return targets.flatMap(({ name, words, keys }) => {
    const isNamed = words.some((one) => forms.includes(one));
    return keys.flatMap((key): Place[] => {
      if (key.kind !== kind) return [];
      const near = nearness(key, isNamed);
      return near > 0 || key.path === '_id' ? [{ to: name, key: key.path, near }] : [];
    });
  });
}

async function holds(
  db: Db,
  { to, key }: Omit<Place, 'near'>,
  { examples }: PathProfile,
): Promise<boolean> {
  const values = examples.map(({ kind, value }) =>
    kind === 'objectId' ? new ObjectId(String(value)) : value,
  );
  try {
    const options = { projection: { [key]: 1 }, maxTimeMS: QUESTION_MS, batchSize: values.length };
    const found = await db
      .collection(to)
      .find({ [key]: { $in: values } }, options)
      .toArray();
    return found.length >= FOUND * values.length;
  } catch (error) {
    if (faultOf(error) === 'away') throw error;
    return false;
  }
}
