/** From a question about tasks to a peer's condition: text in the joined column, and the rest. */
import type { Fold } from '../../src/textindex/index.ts';
import type { Question } from '../searches.ts';

export interface PeerQuestion {
  /** Folded text that the joined column has; '' for any. */
  readonly text: string;
  readonly equals: readonly { readonly column: string; readonly values: readonly string[] }[];
  readonly contains: readonly { readonly column: string; readonly text: string }[];
  readonly sortBy: string;
  readonly descending: boolean;
  readonly page: number;
  readonly perPage: number;
}

/** Undefined for questions about anything but tasks: the peers hold no more. */
export function peerQuestion(question: Question, fold: Fold): PeerQuestion | undefined {
  const { search, within, body } = question;
  if (search !== 'admin tasks' && search !== 'project tasks') return undefined;
  const { q, project_id, user_email, project_name, routing_keys } = body.filters ?? {};
  const project = within ?? project_id;
  const contains = Object.entries({ user_email, project_name });
  return {
    text: fold.fold(String(q ?? '').trim()),
    equals: [
      ...(project === undefined ? [] : [{ column: 'project_id', values: [String(project)] }]),
      ...(routing_keys === undefined
        ? []
        : [{ column: 'routing_key', values: routing_keys as readonly string[] }]),
    ],
    contains: contains
      .filter(([, text]) => text !== undefined)
      .map(([column, text]) => ({ column, text: fold.fold(String(text).trim()) })),
    sortBy: body.sorting?.sort_by ?? 'id',
    descending: body.sorting?.sort_order !== 'asc',
    page: body.pagination?.page ?? 1,
    perPage: 10,
  };
}
