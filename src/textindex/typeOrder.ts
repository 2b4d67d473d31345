/** The order of types: MongoDB's canonical one. See scalars.ts. */

/** Places in the order. An `Odd` has any finite place except those of the five scalars. */
export const TYPE_ORDER = {
  minKey: -1,
  emptyArray: 0,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  maxKey: 127,
} as const;
