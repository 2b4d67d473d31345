/**
 * Related texts resolved to keys, by reads of one moment.
 *
 *     shop_name ~ "ana" ──► shops whose name has it ──► their numbers
 *     within one's own ───► of the shops that one's rows point at, those whose name has it
 *
 * If a plan limits the rows that the caller may see, it reads only documents related to those rows.
 * So the time of a search says nothing of names and emails that the caller may not see.
 */

import type { Document } from 'mongodb';
import { projectionOf } from '../../follow/extract.ts';
import { queryValue } from '../../store/bson/storeValue.ts';
import { onlyAfter } from '../../store/commands.ts';
import type { SnapshotRead } from '../../store/snapshotRead.ts';
import { scalarKey } from '../../textindex/index.ts';
import type { KeyType, RelatedField, Resources } from '../definition/definition.ts';
import { ALL } from '../definition/predicate.ts';
import { at } from '../definition/record.ts';
import { type RelationKey, relationKeysOf } from '../definition/relationKey.ts';
import { isKey, matchOf, type RelatedLookup, regex, storedPath } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import { beginningWithin } from './rowsWithin.ts';

export class RelatedKeys {
  readonly #plan: Plan;
  readonly #resources: Resources;
  readonly #read: Pick<SnapshotRead, 'aggregate'>;
  /** The keys of the texts that were asked for. */
  readonly #known = new Map<string, readonly RelationKey[]>();

  constructor(plan: Plan, resources: Resources, read: Pick<SnapshotRead, 'aggregate'>) {
    this.#plan = plan;
    this.#resources = resources;
    this.#read = read;
  }

  /** The keys whose related text contains the text; read once. */
  async of(lookup: RelatedLookup): Promise<readonly RelationKey[]> {
    const asked = JSON.stringify(lookup);
    const keys = this.#known.get(asked) ?? (await this.#find(lookup));
    this.#known.set(asked, keys);
    return keys;
  }

  async #find(lookup: RelatedLookup): Promise<readonly RelationKey[]> {
    const { within } = this.#plan;
    const among = within.op === 'all' ? undefined : await this.#visibleKeys(lookup.field);
    if (among?.length === 0) return [];
    const { to, keyPath, keyType } = lookup.field;
    const found = await this.#read.aggregate(
      this.#resources[to]!.collection,
      lookupStages(lookup, among),
    );
    return keysAmong(
      found.map((document) => at(document, keyPath)),
      keyType,
    );
  }

  /** The keys that the rows within hold. */
  async #visibleKeys({ through, keyType }: RelatedField): Promise<readonly RelationKey[]> {
    const { resource } = this.#plan;
    const stages = relatedValueStages(this.#plan, through);
    const groups = await this.#read.aggregate(
      resource.collection,
      stages,
      beginningWithin({ ...this.#plan, where: ALL }),
    );
    // A path through an array groups by lists, of lists where its values are lists as well.
    const values = groups.map(({ _id }) => _id as unknown).flat(Number.POSITIVE_INFINITY);
    return keysAmong(values, keyType);
  }
}

/** The keys of a type among stored values, each once. */
function keysAmong(values: readonly unknown[], type: KeyType): readonly RelationKey[] {
  const keys = relationKeysOf(values, type).map((key) => [scalarKey(key), key] as const);
  return [...new Map(keys).values()];
}

/**
 * The keys of the documents that a related text finds. With `among`, the store first finds the documents
 * with one of these keys, then the text in them: a database index of the text would lead it to others.
 */
function lookupStages(
  { field: { keyPath, keyType, textPath }, text }: RelatedLookup,
  among?: readonly RelationKey[],
): readonly Document[] {
  return [
    ...(among ? onlyAfter({ [keyPath]: { $in: among.map(queryValue) } }) : []),
    { $match: { [textPath]: regex(text), $expr: isKey(keyPath, keyType) } },
    { $project: projectionOf([{ path: keyPath }]) },
  ];
}

/** The distinct values of a column in the rows that the caller may see; of arrays, the arrays. */
function relatedValueStages({ resource, within }: Plan, column: string): Document[] {
  return [
    { $match: matchOf(resource, within) },
    { $group: { _id: `$${storedPath(resource, column)}` } },
  ];
}
