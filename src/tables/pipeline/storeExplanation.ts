/**
 * The store's explanation of a pipeline, reduced to a few figures: the shape of its `explain`
 * differs by version and topology.
 */
import { BSON, type Document } from 'mongodb';

export interface StoreExplanation {
  readonly collection: string;
  /** As extended JSON; long lists are cut, the last element says so. */
  readonly stages: readonly unknown[];
  /** Names of the database indexes that were used. */
  readonly indexes: readonly string[];
  /** Whether a whole collection was read. */
  readonly scans: boolean;
  /** Whether rows were sorted in memory. */
  readonly sorts: boolean;
  readonly keysExamined: number;
  readonly documentsExamined: number;
}

/** Elements of a list that are shown. */
const SHOWN = 20;

/** @param reply to `explain` with `executionStats` */
export function storeExplanation(
  collection: string,
  stages: readonly Document[],
  reply: Document,
): StoreExplanation {
  const names = new Set(valuesOf(reply, 'stage'));
  const sum = (name: string) =>
    valuesOf(reply, name).reduce<number>((total, one) => total + Number(one), 0);
  const indexes = valuesOf(reply, 'indexName').filter((one) => typeof one === 'string');
  if (names.has('IDHACK') || names.has('EXPRESS_IXSCAN')) indexes.push('_id_');
  return {
    collection,
    stages: stages.map((stage) => shortened(BSON.EJSON.serialize(stage))),
    indexes: [...new Set(indexes)].sort(),
    scans: names.has('COLLSCAN'),
    sorts: names.has('SORT') || valuesOf(reply, '$sort').length > 0,
    keysExamined: sum('totalKeysExamined'),
    documentsExamined: sum('totalDocsExamined'),
  };
}

/** Every value under a name, however deep; not of plans that lost, nor of the command itself. */
function valuesOf(value: unknown, name: string): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'rejectedPlans' || key === 'command') return [];
    return [...(key === name ? [inner] : []), ...valuesOf(inner, name)];
  });
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN).map(shortened);
    return value.length > SHOWN ? [...shown, `… and ${value.length - SHOWN} more`] : shown;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}
