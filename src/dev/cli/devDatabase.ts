/** Prints the connection string of the store of a demo that runs on `DATA_DIR`, for the examples. */
import { runningEmbedded } from '../embedded/running.ts';

// Not all settings are read: an address needs no secret.
const dataDir = process.env.DATA_DIR?.trim() || '.data';
const running = await runningEmbedded(dataDir);
if (running !== undefined) console.log(running.uri);
else {
  console.error(`No demo runs on ${dataDir}: start one by \`npm run demo\`.`);
  process.exitCode = 1;
}
