/**
 * The benches of sync, by name: `tsx bench/sync/main.ts <name> [its own arguments]`.
 *
 *     firstLoad   rate of a load against a bare scan by the driver
 *     freshness   from the majority's acknowledgement to the tables
 *     soak        writers, faults and DDL for minutes, every state compared
 */
const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  firstLoad: () => import('./firstLoad.ts'),
  freshness: () => import('./freshness.ts'),
  soak: () => import('./soak.ts'),
};

const [name = ''] = process.argv.splice(2, 1);
const bench = BENCHES[name];
if (bench) await bench();
else {
  console.error(`which bench? ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
}

export {};
