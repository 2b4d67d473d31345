/**
 * MongoDB's order of types: a value of a lower rank comes first, whatever the two values are. The
 * numbers are the server's own (`canonicalizeBSONType`), so that they can be looked up there.
 */
import { BsonType } from './raw.ts';

const RANKS: Readonly<Record<number, number>> = {
  [BsonType.minKey]: -1,
  [BsonType.undefined]: 0,
  [BsonType.null]: 5,
  [BsonType.double]: 10,
  [BsonType.int]: 10,
  [BsonType.long]: 10,
  [BsonType.decimal]: 10,
  [BsonType.string]: 15,
  [BsonType.symbol]: 15,
  [BsonType.object]: 20,
  [BsonType.array]: 25,
  [BsonType.binary]: 30,
  [BsonType.objectId]: 35,
  [BsonType.boolean]: 40,
  [BsonType.date]: 45,
  [BsonType.timestamp]: 47,
  [BsonType.regex]: 50,
  [BsonType.dbPointer]: 55,
  [BsonType.code]: 60,
  [BsonType.codeWithScope]: 65,
  [BsonType.maxKey]: 127,
};

export const rankOf = (type: number): number => RANKS[type] ?? 127;
