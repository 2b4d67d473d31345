/** A failure of a command → the sentence for the person at the terminal, with no stack. */
import { MongoError } from 'mongodb';
import { ConfigError } from '../../config.ts';
import { UnusableSecret } from '../demoSecret.ts';
import { EmbeddedError } from '../embedded/binary.ts';

const SPEAK_FOR_THEMSELVES = [EmbeddedError, ConfigError, UnusableSecret];

/** Undefined for a defect: that one is to end with its stack. */
export function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (SPEAK_FOR_THEMSELVES.some((kind) => error instanceof kind)) return error.message;
  // The connection string's own parser has errors of that name which are none of the driver's.
  if (error.name === 'MongoParseError' || error.name === 'MongoAPIError') {
    return `The connection string of the store is wrong: ${error.message}`;
  }
  if (error instanceof MongoError) return `The store failed: ${error.message}`;
  return systemSentence(error);
}

/** What the operating system refused: a port, a folder, a file. */
function systemSentence(error: NodeJS.ErrnoException & { port?: number }): string | undefined {
  const { code, port, path, syscall } = error;
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT to another, or to 0 for any.`;
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} is not for this user: set PORT.`;
  }
  if (syscall === 'listen') return `HOST and PORT cannot be listened on: ${error.message}`;
  if (syscall === undefined || path === undefined) return undefined;
  return `${path} cannot be used: ${error.message}`;
}
