/** `GET /api/v2/tables/{table}/documents/{id}`: a whole document, for grants that allow it. */
import { printTime } from '../../store/clusterTime.ts';
import { extendedJson, wholeDocument } from '../../tables/rows/wholeDocument.ts';
import type { Engine } from '../application.ts';
import { nothingHere } from '../auth/refusals.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { Route } from '../route.ts';
import { viewerOf } from '../searching.ts';
import type { Grants } from './grants.ts';

const DESCRIPTION: Description = {
  id: 'readDocument',
  group: 'Tables',
  summary: 'Read a whole document',
  text: 'Relaxed Extended JSON, at a moment no earlier than any that the service has shown.',
  answers: { 200: jsonAnswer('The document.', { type: 'object' }, ['Search-As-Of']) },
};

export function documentRoute(grants: Grants, { db, search, parseSettings }: Engine): Route {
  return {
    method: 'GET',
    path: '/api/v2/tables/:table/documents/:id',
    permission: 'table',
    cost: 'search',
    description: DESCRIPTION,
    async handle(ctx) {
      const { principal, deadline, holdings } = ctx.state;
      const { table, id } = ctx.params as { table: string; id: string };
      const granted = grants.of(principal, table);
      if (!granted?.grant.document) throw nothingHere();
      const found = await wholeDocument({
        ...{ db, search, view: granted.grant.view, viewer: viewerOf(ctx), id, deadline },
        settings: await parseSettings(deadline),
        caller: holdings.caller,
      });
      if (!found) throw nothingHere();
      const { bson, asOf } = found;
      // Its bytes, and the JSON made of them.
      const room = await holdings.room(bson.length);
      try {
        const texts: string[] = [];
        for await (const piece of holdings.steps(extendedJson(bson))) texts.push(piece);
        ctx.body = texts.join('');
      } finally {
        room.release();
      }
      ctx.set({ 'Search-As-Of': printTime(asOf), 'Content-Type': 'application/json' });
    },
  };
}
