/**
 * Lines of the log for people, on a terminal: the local time, the level, the message and its fields.
 *
 *     10:31:05.120 info  POST /api/v2/admin/tasks/search 200 3.1 ms  user 1, index
 *     10:31:07.300 warn  the index waits for the store  reason="…"
 *
 * They are made from the finished lines of JSON, so that they show nothing that the log does not hold.
 * Characters that steer a terminal, or turn the direction of its text, stay written out.
 */
import { styleText } from 'node:util';
import { oneLine } from './oneLine.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Text in a style. */
type Paint = (style: 'dim' | 'red' | 'yellow' | 'green' | 'cyan', text: string) => string;

const COLOURED: Paint = (style, text) => styleText(style, text, { validateStream: false });
const PLAIN: Paint = (_, text) => text;

const STYLES: Readonly<Record<string, Parameters<Paint>[0]>> = {
  ...{ fatal: 'red', error: 'red', warn: 'yellow', info: 'green', debug: 'dim', trace: 'dim' },
};

/** Fields that a line of a request shows in its own way. */
const OF_REQUESTS = ['method', 'route', 'path', 'status', 'ms', 'user_id', 'search', 'request_id'];

/** A line of JSON as people read it, with its line end; other lines stay as they are. */
export function readableLine(line: string, coloured: boolean): string {
  const fields = parsed(line);
  if (!fields) return line;
  const paint = coloured ? COLOURED : PLAIN;
  const { level, time, msg, err, ...others } = fields;
  const isRequest = msg === 'request' && typeof others.status === 'number';
  const shown = isRequest ? request(others, paint) : oneLine(String(msg ?? ''));
  const listed = Object.entries(others).filter(
    ([name]) => !isRequest || !OF_REQUESTS.includes(name),
  );
  const more = listed.map(([name, value]) => `${oneLine(name)}=${oneLine(JSON.stringify(value))}`);
  const stack = err === undefined ? [] : errorLines(err as Fields);
  const first = [
    paint('dim', clock(time)),
    paint(STYLES[String(level)] ?? 'dim', String(level).padEnd(5)),
    [shown, ...(more.length > 0 ? [paint('dim', more.join(' '))] : [])].join('  '),
  ];
  return `${[first.join(' '), ...stack.map((one) => paint('dim', `    ${one}`))].join('\n')}\n`;
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function request(fields: Fields, paint: Paint): string {
  const { method, route, path, status, ms, user_id, search } = fields;
  const code = Number(status);
  const result = paint(code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green', String(code));
  const where = oneLine(String(route ?? path ?? ''));
  const took = `${Number(ms).toFixed(1)} ms`;
  const who = user_id === null || user_id === undefined ? [] : [`user ${user_id}`];
  const by = search === undefined ? [] : [String(search)];
  const said = paint('dim', oneLine([...who, ...by].join(', ')));
  return `${oneLine(String(method))} ${where} ${result} ${took}${said === '' ? '' : `  ${said}`}`;
}

/** The error with its stack, then the chain of its causes. */
function errorLines({ type, message, stack, cause }: Fields): string[] {
  const own = typeof stack === 'string' ? stack : `${type}: ${message}`;
  const lines = own.split('\n').map((line) => oneLine(line));
  if (typeof cause !== 'object' || cause === null) return lines;
  const [first = '', ...more] = errorLines(cause as Fields);
  return [...lines, `caused by ${first}`, ...more];
}

/** Hours to milliseconds, in the zone of this machine. */
function clock(time: unknown): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  const hours = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${hours}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
