/** Facts about the deployment in a server's reply to `hello`. */
import type { Document } from 'mongodb';

/** Whether it came from a router, a mongos: the store is a sharded cluster. */
export const isFromRouter = (hello: Document): boolean => hello.msg === 'isdbgrid';
