/** Facts about the deployment in a server's reply to `hello`. */
import type { Document } from 'mongodb';

/** Whether it came from a router, a mongos: the store is a sharded cluster. */
export const isFromRouter = (hello: Document): boolean => hello.msg === 'isdbgrid';

/** The wire version of MongoDB 6.0, the first whose reads can name a collection by UUID. */
const WIRE_VERSION = 17;

/** Whether a server with this `maxWireVersion` is older than MongoDB 6.0. */
export const isTooOld = (wireVersion: number): boolean => wireVersion < WIRE_VERSION;
