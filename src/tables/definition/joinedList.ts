/**
 * A member that lists the elements of an array, each with members of its related document.
 *
 *     staff: [{id: 7, role: "owner"}, …] ──► people: [{id: 7, email: "ana@…", …, role: "owner"}, …]
 *                                                      └ of person 7 ┘     └ of the element ┘
 *
 * The list is data, so that rows from memory are written without objects in between. A related
 * document shows the same in all rows that lead to it.
 */
import { invariant } from '../../errors.ts';
import type { JsonSchema } from './jsonSchema.ts';
import {
  at,
  type JoinedList,
  type JoinedRow,
  type Json,
  type Presenter,
  type StoredDocument,
} from './record.ts';

type Members = JoinedList['related'];

export function shownList(schema: JsonSchema, list: JoinedList): Presenter {
  const related = Object.keys(list.related);
  invariant(related.length > 0, 'a list shows something of the documents');
  invariant(!related.some((name) => Object.hasOwn(list.own, name)), 'a member is shown once');
  const show = (row: JoinedRow): Json =>
    linesOf(list, row).map(([document, element]) => ({
      ...membersOf(list.related, document),
      ...membersOf(list.own, element),
    }));
  const reads = [list.path];
  return Object.assign(show, { schema, reads, needs: 'joined' as const, list });
}

/** The lines of the list, in stored order: the related documents, each with its element. */
export function linesOf(
  { path, key, joined }: JoinedList,
  { document, joined: all }: Pick<JoinedRow, 'document' | 'joined'>,
): [document: StoredDocument, element: StoredDocument][] {
  const elements = at(document, path);
  const documents = all[joined];
  if (!Array.isArray(elements) || !documents || documents.length === 0) return [];
  const byId = new Map(documents.map((one) => [one._id, one]));
  const lines: [StoredDocument, StoredDocument][] = [];
  for (const element of elements) {
    const found = byId.get(at(element, key));
    if (found) lines.push([found, element]);
  }
  return lines;
}

/** The members of one document or element, in their order. */
export function membersOf(members: Members, of: StoredDocument): Readonly<Record<string, Json>> {
  const all: Record<string, Json> = {};
  for (const name in members) all[name] = members[name]!(of);
  return all;
}
