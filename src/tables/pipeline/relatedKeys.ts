/**
 * Related texts resolved to keys, by reads of one moment.
 *
 *     shop_name ~ "ana" ──► shops whose name has it ──► their numbers
 *     within one's own ───► of the shops that one's rows point at, those whose name has it
 *
 * If a plan limits the rows that the caller may see, it reads only documents related to those rows.
 * So the time of a search says nothing of names and emails that the caller may not see.
 */

import { projectionOf } from '../../follow/extract.ts';
import type { SnapshotRead } from '../../store/snapshotRead.ts';
import { scalarKey } from '../../textindex/index.ts';
import type { KeyType, RelatedField, Resources } from '../definition/definition.ts';
import { ALL } from '../definition/predicate.ts';
import { at } from '../definition/record.ts';
import { type RelationKey, relationKeyOf } from '../definition/relationKey.ts';
import { lookupRead, type RelatedLookup, relatedValueStages } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';
import { beginningWithin } from './rowsWithin.ts';

export class RelatedKeys {
  readonly #plan: Plan;
  readonly #resources: Resources;
  readonly #read: SnapshotRead;

  constructor(plan: Plan, resources: Resources, read: SnapshotRead) {
    this.#plan = plan;
    this.#resources = resources;
    this.#read = read;
  }

  /** The keys whose related text contains the text. */
  async of(lookup: RelatedLookup): Promise<readonly RelationKey[]> {
    const { within } = this.#plan;
    const among = within.op === 'all' ? undefined : await this.#visibleKeys(lookup.field);
    if (among?.length === 0) return [];
    const { collection, stages, key } = lookupRead(lookup, this.#resources, among);
    const shown = { $project: projectionOf([{ path: key }]) };
    const found = await this.#read.aggregate(collection, [...stages, shown]);
    return keysAmong(
      found.map((document) => at(document, key)),
      lookup.field.keyType,
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
    return keysAmong(
      groups.flatMap(({ _id }) => _id as unknown),
      keyType,
    );
  }
}

/** The keys of a type among stored values, each once. */
function keysAmong(values: readonly unknown[], type: KeyType): readonly RelationKey[] {
  const keys = new Map<string, RelationKey>();
  for (const value of values) {
    const key = relationKeyOf(value, type);
    if (key !== undefined) keys.set(scalarKey(key), key);
  }
  return [...keys.values()];
}
