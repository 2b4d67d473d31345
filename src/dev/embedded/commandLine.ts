/** The command line of the embedded mongod: each option and why it is there. */

import os from 'node:os';
import { LOOPBACK } from './port.ts';
import { REPLICA_SET } from './replicaSet.ts';

const GIB = 1024 ** 3;

export interface CommandLineOptions {
  readonly dbPath: string;
  readonly logPath: string;
  readonly port: number;
  /** Further `--setParameter` pairs. */
  readonly setParameters?: Readonly<Record<string, string | number | boolean>>;
}

export function commandLine(options: CommandLineOptions): string[] {
  const parameters = {
    // Its diagnostics file grows by 10 MB an hour and serves MongoDB's support staff.
    diagnosticDataCollectionEnabled: false,
    // There is no other member to hand over to: the default waits up to 15 s for one.
    shutdownTimeoutMillisForSignaledShutdown: 100,
    ...options.setParameters,
  };
  return [
    ['--dbpath', options.dbPath],
    ['--port', String(options.port)],
    ['--bind_ip', LOOPBACK],
    // A socket file in /tmp would be a second way in.
    ['--nounixsocket'],
    ['--replSet', REPLICA_SET],
    // A w:1 write reaches a change stream once it is journaled: after 8 ms instead of 60.
    ['--journalCommitInterval', '10'],
    // No $where, $function or mapReduce: the service sends no JavaScript, so none is run.
    ['--noscripting'],
    ['--wiredTigerCacheSizeGB', cacheGiB().toFixed(2)],
    // In MB. The default is 5 % of the free disk; a change stream needs minutes of history.
    ['--oplogSize', '1024'],
    ['--logpath', options.logPath],
    ['--logappend'],
    ['--logRotate', 'reopen'],
    ['--quiet'],
    ['--slowms', '1000'],
    ...Object.entries(parameters).map(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ].flat();
}

/** An eighth of the machine, between 0.25 and 2 GiB: the index lives beside it in the same memory. */
function cacheGiB(): number {
  return Math.min(2, Math.max(0.25, os.totalmem() / GIB / 8));
}
