/**
 * Where a BSON type stands in MongoDB's order: a value of a lower type comes first. The text index has
 * the same numbers, which are the server's (`canonicalizeBSONType`); the last three of the types here it
 * need not know.
 */

import { BsonType } from '../../store/bson/raw.ts';
import { TYPE_ORDER } from '../../textindex/index.ts';

const TYPE_ORDERS: Readonly<Record<number, number>> = {
  [BsonType.minKey]: TYPE_ORDER.minKey,
  [BsonType.undefined]: TYPE_ORDER.emptyArray,
  [BsonType.null]: TYPE_ORDER.null,
  [BsonType.double]: TYPE_ORDER.number,
  [BsonType.int]: TYPE_ORDER.number,
  [BsonType.long]: TYPE_ORDER.number,
  [BsonType.decimal]: TYPE_ORDER.number,
  [BsonType.string]: TYPE_ORDER.string,
  [BsonType.symbol]: TYPE_ORDER.string,
  [BsonType.object]: TYPE_ORDER.object,
  [BsonType.array]: TYPE_ORDER.array,
  [BsonType.binary]: TYPE_ORDER.binary,
  [BsonType.objectId]: TYPE_ORDER.objectId,
  [BsonType.boolean]: TYPE_ORDER.boolean,
  [BsonType.date]: TYPE_ORDER.date,
  [BsonType.timestamp]: TYPE_ORDER.timestamp,
  [BsonType.regex]: TYPE_ORDER.regex,
  [BsonType.dbPointer]: 55,
  [BsonType.code]: 60,
  [BsonType.codeWithScope]: 65,
  [BsonType.maxKey]: TYPE_ORDER.maxKey,
};

export const orderOfType = (type: number): number => TYPE_ORDERS[type] ?? TYPE_ORDER.maxKey;
