/** Calls by the operations of the contract, and those on schedules. */
import { type Call, type CallOptions, type Connection, filled } from './connection.ts';
import { OPERATIONS, type Operations, type Schedule } from './contract.ts';

/** Operations that answer in JSON, or with nothing: `tasks.snapshot` has the bytes of a download. */
export type OperationId = Exclude<keyof Operations, 'downloadSnapshot'>;

/** The arguments of an operation: the parts of its path, its query and its body. */
export type Arguments<O extends OperationId> = CallOptions & {
  readonly query?: Operations[O]['query'] | undefined;
} & PathOf<Operations[O]['path']> &
  (Operations[O]['body'] extends undefined ? unknown : { readonly body: Operations[O]['body'] });

/** The parts of a path; it may be left out where it has none. */
type PathOf<P> =
  Readonly<Record<never, never>> extends P ? { readonly path?: P } : { readonly path: P };

/** The same, which may be left out where nothing is needed. */
export type Given<O extends OperationId> =
  Partial<Arguments<O>> extends Arguments<O> ? [given?: Arguments<O>] : [given: Arguments<O>];

/** Calls any operation by its name in the reference. Reads are tried again, changes are not. */
export const call = <O extends OperationId>(
  connection: Connection,
  id: O,
  ...[given]: Given<O>
): Promise<Operations[O]['answer']> => answerOf(connection, id, (given ?? {}) as AnyArguments);

interface AnyArguments extends Pick<Call, 'query' | 'body' | 'signal'> {
  readonly path?: Readonly<Record<string, string>>;
}

async function answerOf<T>(
  connection: Connection,
  id: OperationId,
  { path: parts = {}, ...given }: AnyArguments,
): Promise<T> {
  const { method, path } = OPERATIONS[id];
  const asked = { ...given, method, path: filled(path, parts), isRead: method === 'GET' };
  return (await connection.json<T>(asked)).body;
}

/** A schedule: anywhere for admins, guarded by its scope where that is given; or of a project. */
export type ScheduleAddress =
  | { readonly schedule_id: string; readonly scope?: Scope | undefined }
  | {
      readonly schedule_id: string;
      readonly project_id: string;
      /** Takes the path for admins, which needs no record of the project. */
      readonly admin?: boolean | undefined;
    };

type Scope = Operations['switchAnySchedule']['query']['scope'];

export class Schedules {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  enable(address: ScheduleAddress, options: CallOptions = {}): Promise<Schedule> {
    return this.#ask('switch', address, { body: { enabled: true }, ...options });
  }

  disable(address: ScheduleAddress, options: CallOptions = {}): Promise<Schedule> {
    return this.#ask('switch', address, { body: { enabled: false }, ...options });
  }

  delete(address: ScheduleAddress, options: CallOptions = {}): Promise<void> {
    return this.#ask('delete', address, options);
  }

  #ask<T>(verb: 'switch' | 'delete', address: ScheduleAddress, given: AnyArguments): Promise<T> {
    if (!('project_id' in address)) {
      const { scope, ...path } = address;
      const asked = { path, query: { scope }, ...given };
      return answerOf(this.#connection, `${verb}AnySchedule`, asked);
    }
    const { admin, ...path } = address;
    const place = admin ? 'ScheduleOfAnyProject' : 'ScheduleOfProject';
    return answerOf(this.#connection, `${verb}${place}`, { path, ...given });
  }
}
