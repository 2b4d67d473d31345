/** Prints the connection string of the store of a demo that runs on `DATA_DIR`, for the examples. */
import { dataDirOf } from '../demoSecret.ts';
import { runningEmbedded } from '../embedded/running.ts';

const dataDir = dataDirOf(process.env);
const running = await runningEmbedded(dataDir);
if (running !== undefined) console.log(running.uri);
else {
  console.error(`No demo runs on ${dataDir}: start one by \`npm run demo\`.`);
  process.exitCode = 1;
}
