/** The client of table-search: typed, without dependencies, for browsers and Node 20 or newer. */
export { type AnyRequest, type Client, createClient } from './client.ts';
export {
  type AnswerInfo,
  type CallOptions,
  type ClientOptions,
  keyInPath,
} from './connection.ts';
export * from './contract.ts';
export { ApiError, ConnectionError, CutStreamError, type ErrorCode } from './errors.ts';
export { type ExportedFile, type ExportedRows, RowCounter } from './export.ts';
export type { Ended, FollowOptions, Lost } from './following.ts';
export { bytesOf, durationOf, linkOf, moneyOf, secondsOf } from './looks.ts';
export type { OperationId, ScheduleAddress } from './manage.ts';
export {
  type AnyRecord,
  exactFields,
  KINDS,
  type OwnField,
  type OwnTable,
  type OwnTables,
  type OwnTypes,
  viewOf,
} from './ownTables.ts';
export type { Answer, AnyAnswer, AnyTable, Table, ViewName } from './table.ts';
export type {
  FollowedLine,
  LogAddress,
  LogEvent,
  LogFollowOptions,
  LogLine,
  LogOptions,
  LogPage,
  LogPageOptions,
  LogPosition,
  RoutingKey,
  Snapshot,
  TaskMetadata,
} from './tasks.ts';
export {
  type AddressFields,
  addressFieldsOf,
  askedInDecimals,
  askedInDoubles,
  MOST_DIGITS,
  nextAfter,
  type ViewedSearch,
  type ViewSelect,
  viewedAt,
} from './viewAddress.ts';
export type { WatchEvent } from './watch.ts';
