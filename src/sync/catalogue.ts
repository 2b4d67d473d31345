/** What a collection's name stands for at the moment, and whether that can be followed. */
import { BSON, type UUID } from 'mongodb';
import type { Channel } from './channel.ts';
import type { ClusterTime } from './clusterTime.ts';

export interface Described {
  /** Null when there is no such collection. */
  readonly uuid: UUID | null;
  /** Why an index cannot give this collection's answers; null when it can. */
  readonly unfit: string | null;
  /** The server's time when it had answered. */
  readonly operationTime: ClusterTime;
}

interface Listed {
  readonly type: string;
  readonly options: { readonly capped?: boolean; readonly collation?: unknown };
  readonly info: { readonly uuid?: UUID };
}

export async function describe(channel: Channel, collection: string): Promise<Described> {
  const { documents, operationTime } = await channel.batch({
    listCollections: 1,
    filter: { name: collection },
    cursor: {},
  });
  if (documents.length === 0) return { uuid: null, unfit: null, operationTime };
  const listed = BSON.deserialize(documents[0]!) as Listed;
  return { uuid: listed.info.uuid ?? null, unfit: unfitness(listed), operationTime };
}

function unfitness({ type, options }: Listed): string | null {
  if (type !== 'collection') return `it is a ${type}, which has no change events`;
  if (options.capped) return 'it is capped, and what falls off its end has no change events';
  if (options.collation) return 'it has a collation, and the index compares bytes';
  return null;
}
