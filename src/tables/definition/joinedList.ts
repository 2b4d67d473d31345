/**
 * A member that lists the elements of an array, each with members of its related document.
 *
 *     staff: [{id: 7, role: "owner"}, …] ──► people: [{id: 7, email: "ana@…", …, role: "owner"}, …]
 *                                                      └ of person 7 ┘     └ of the element ┘
 */
import { invariant } from '../../errors.ts';
import {
  at,
  type JoinedRow,
  type Json,
  type Presenter,
  present,
  type RecordContext,
  recordSchema,
  type StoredDocument,
  shown,
} from './record.ts';

interface JoinedList {
  /** The array. An element that leads to no document is left out. */
  readonly path: string;
  /** The member of an element that holds the `_id` of its document. */
  readonly key: string;
  /** The related field that leads to the documents. */
  readonly by: string;
  /** The type of an element. */
  readonly title: string;
  /** The members shown of the document, then those shown of the element. */
  readonly related: Members;
  readonly own: Members;
}

type Members = Readonly<Record<string, Presenter>>;

export function shownList({ path, key, by, title, related, own }: JoinedList): Presenter {
  const isTwice = Object.keys(related).some((name) => Object.hasOwn(own, name));
  invariant(!isTwice, 'a member is shown once');
  const schema = { type: 'array', items: { title, ...recordSchema({ ...related, ...own }) } };
  const shows = Object.values(related).flatMap(({ paths }) => paths);
  const show = ({ document, joined }: JoinedRow, context: RecordContext): Json => {
    const elements = at(document, path);
    const documents = joined[by];
    if (!Array.isArray(elements) || !documents || documents.length === 0) return [];
    const membersOf = (members: Members, of: StoredDocument) =>
      present(members, { document: of, joined: {} }, context);
    const byId = new Map(documents.map((one) => [one._id, one]));
    return elements.flatMap((element) => {
      const found = byId.get(at(element, key));
      return found ? [{ ...membersOf(related, found), ...membersOf(own, element) }] : [];
    });
  };
  const joins = { by, shows: shows.filter((shownPath) => shownPath !== '_id'), one: false };
  return shown(schema, [path], show, { joins });
}
