/**
 * A member that lists the elements of an array, each with members of its related document.
 *
 *     staff: [{id: 7, role: "owner"}, …] ──► people: [{id: 7, email: "ana@…", …, role: "owner"}, …]
 *                                                      └ of person 7 ┘     └ of the element ┘
 */
import { invariant } from '../../errors.ts';
import type { JsonSchema } from './jsonSchema.ts';
import {
  at,
  type JoinedRow,
  type Json,
  type Presenter,
  type StoredDocument,
  shown,
} from './record.ts';

interface JoinedList {
  /** The array. An element that leads to no document is left out. */
  readonly path: string;
  /** The member of an element that holds the `_id` of its document. */
  readonly key: string;
  /** The name under which the documents are joined. */
  readonly joined: string;
  /** The members shown of the document, then those shown of the element. */
  readonly related: Members;
  readonly own: Members;
}

type Members = Readonly<Record<string, (of: StoredDocument) => Json>>;

export function shownList(schema: JsonSchema, list: JoinedList): Presenter {
  const { path, key, joined, related, own } = list;
  const isTwice = Object.keys(related).some((name) => Object.hasOwn(own, name));
  invariant(!isTwice, 'a member is shown once');
  const show = ({ document, joined: all }: JoinedRow): Json => {
    const elements = at(document, path);
    const documents = all[joined];
    if (!Array.isArray(elements) || !documents || documents.length === 0) return [];
    const byId = new Map(documents.map((one) => [one._id, one]));
    return elements.flatMap((element) => {
      const found = byId.get(at(element, key));
      return found ? [{ ...membersOf(related, found), ...membersOf(own, element) }] : [];
    });
  };
  return shown(schema, [path], show, { needs: 'joined' });
}

/** The members of one document or element, in their order. */
function membersOf(members: Members, of: StoredDocument): Readonly<Record<string, Json>> {
  const all: Record<string, Json> = {};
  for (const name in members) all[name] = members[name]!(of);
  return all;
}
