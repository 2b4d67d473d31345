/** Schemathesis' report (NDJSON events) → the requests sent, and every check that failed. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ProblemDetail } from '../../src/errors.ts';

export interface FailedCheck {
  readonly check: string;
  /** Method and path, as the document has them. */
  readonly operation: string;
  readonly phase: string;
  /** Schemathesis' words for it. */
  readonly message: string;
  readonly status: number | undefined;
  /** The answer, where it is a problem. */
  readonly problem:
    | {
        readonly code: string;
        readonly detail?: string;
        readonly errors?: readonly ProblemDetail[];
      }
    | undefined;
  /** For people: the request and its answer. */
  readonly shown: string;
}

export interface Report {
  readonly failed: readonly FailedCheck[];
  /** Errors that kept Schemathesis from testing: none of these is expected. */
  readonly errors: readonly string[];
  /** Requests with an answer, by operation and class of status: `POST /x 2xx`. */
  readonly answered: ReadonlyMap<string, number>;
  readonly requests: number;
}

interface Interaction {
  readonly request: { readonly method: string; readonly uri: string; readonly body?: Encoded };
  readonly response?: { readonly status_code: number; readonly content?: Encoded };
}
type Encoded = { readonly $base64: string } | null;
interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: {
    readonly failure: { readonly title: string; readonly message: string };
  };
}
interface Scenario {
  readonly phase: string;
  readonly status: string;
  /** Where it was skipped, only the label is there. */
  readonly recorder: {
    readonly label: string;
    readonly cases: Readonly<
      Record<string, { readonly value: { readonly method: string; readonly path: string } }>
    >;
    readonly checks: Readonly<Record<string, readonly Check[]>>;
    readonly interactions?: Readonly<Record<string, Interaction>>;
  };
}

const SHOWN = 600;

export async function readReport(file: string): Promise<Report> {
  const failed: FailedCheck[] = [];
  const errors: string[] = [];
  const answered = new Map<string, number>();
  let requests = 0;
  let ended = false;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [[event, value]] = Object.entries(JSON.parse(line)) as [[string, unknown]];
    if (/Error|Interrupted/.test(event)) errors.push(line.slice(0, 2 * SHOWN));
    if (event === 'EngineFinished') ended = true;
    if (event !== 'ScenarioFinished') continue;
    const { recorder, phase } = value as Scenario;
    for (const [id, exchange] of Object.entries(recorder.interactions ?? {})) {
      const { response } = exchange;
      const { method, path } = recorder.cases[id]!.value;
      const operation = `${method} ${path}`;
      requests += 1;
      if (response) {
        const kind = `${operation} ${Math.floor(response.status_code / 100)}xx`;
        answered.set(kind, (answered.get(kind) ?? 0) + 1);
      }
      for (const check of recorder.checks[id] ?? []) {
        if (check.status === 'failure') {
          failed.push(failure(check, { operation, phase }, exchange));
        }
      }
    }
  }
  if (!ended) errors.push('it did not come to its end');
  return { failed, errors, answered, requests };
}

function failure(
  { name, failure_info: info }: Check,
  where: Pick<FailedCheck, 'operation' | 'phase'>,
  { request, response }: Interaction,
): FailedCheck {
  const answer = textOf(response?.content);
  const message = `${info?.failure.title}: ${info?.failure.message}`;
  return {
    check: name,
    ...where,
    message,
    status: response?.status_code,
    problem: problemOf(answer),
    shown: [
      `${name} (${where.phase}): ${message.replaceAll('\n', ' ')}`,
      `  ${request.method} ${request.uri} ${textOf(request.body).slice(0, SHOWN)}`,
      `  ${response?.status_code} ${answer.slice(0, SHOWN)}`,
    ].join('\n'),
  };
}

const textOf = (content: Encoded | undefined): string =>
  content ? Buffer.from(content.$base64, 'base64').toString() : '';

function problemOf(text: string): FailedCheck['problem'] {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text);
    return typeof value.code === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
