/** Prints each task that ends, once: `npx tsx examples/poller.ts`, with TABLE_SEARCH_URL and TABLE_SEARCH_TOKEN. */
import { createClient } from '../clients/typescript/index.ts';
import { endedTasks } from './poller/endedTasks.ts';

const { TABLE_SEARCH_URL: baseUrl = 'http://127.0.0.1:8080', TABLE_SEARCH_TOKEN: token } =
  process.env;
const tasks = createClient({ baseUrl, token }).table('adminTasks');

for await (const { date_done, status, task_id } of endedTasks(tasks, { from: new Date() })) {
  console.log(date_done, status, task_id);
}
