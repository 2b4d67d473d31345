/**
 * Where a BSON type stands in MongoDB's order: a value of a lower rank comes first, whatever the two
 * values are. The text index has the same numbers, which are the server's (`canonicalizeBSONType`);
 * the last three of the types here it need not know.
 */
import { RANK } from '../../textindex/index.ts';
import { BsonType } from './raw.ts';

const RANKS: Readonly<Record<number, number>> = {
  [BsonType.minKey]: RANK.minKey,
  [BsonType.undefined]: RANK.emptyArray,
  [BsonType.null]: RANK.null,
  [BsonType.double]: RANK.number,
  [BsonType.int]: RANK.number,
  [BsonType.long]: RANK.number,
  [BsonType.decimal]: RANK.number,
  [BsonType.string]: RANK.string,
  [BsonType.symbol]: RANK.string,
  [BsonType.object]: RANK.object,
  [BsonType.array]: RANK.array,
  [BsonType.binary]: RANK.binary,
  [BsonType.objectId]: RANK.objectId,
  [BsonType.boolean]: RANK.boolean,
  [BsonType.date]: RANK.date,
  [BsonType.timestamp]: RANK.timestamp,
  [BsonType.regex]: RANK.regex,
  [BsonType.dbPointer]: 55,
  [BsonType.code]: 60,
  [BsonType.codeWithScope]: 65,
  [BsonType.maxKey]: RANK.maxKey,
};

export const rankOf = (type: number): number => RANKS[type] ?? RANK.maxKey;
