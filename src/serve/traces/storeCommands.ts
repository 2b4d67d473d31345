/** Commands that the driver sends, noted in the trace of the request that they are sent for. */
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { currentTrace, type StoreCommand } from './requestTrace.ts';

/** The client must have been made with `monitorCommands`. */
export function noteCommands(client: MongoClient): void {
  /** Commands under way, by the driver's request id. */
  const underWay = new Map<number, StoreCommand>();
  const end = (requestId: number, failed: boolean) => {
    const command = underWay.get(requestId);
    if (!command) return;
    underWay.delete(requestId);
    command.endMs = performance.now();
    if (failed) command.failed = true;
  };
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    const collection = collectionOf(commandName, command);
    const noted = currentTrace()?.command(commandName, databaseName, collection);
    if (noted) underWay.set(requestId, noted);
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId, false));
  client.on('commandFailed', ({ requestId }) => end(requestId, true));
}

/** `{find: 'orders', …}`, `{getMore: 7, collection: 'orders'}`; undefined for commands of no collection. */
function collectionOf(name: string, command: CommandStartedEvent['command']): string | undefined {
  const named: unknown = command[name];
  if (typeof named === 'string') return named;
  return typeof command.collection === 'string' ? command.collection : undefined;
}
