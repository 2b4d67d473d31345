/** The reference of tables whose names would give one name to two schemas. */
import { expect } from 'chai';
import { useDatabase } from '../../support/database.ts';
import { serveTables } from './stage.ts';

/** Each table has a field that the others have not. */
const NAMES = ['a', 'a_explore', 'a_row', 'a_1', 'a1', 'a__1', 'search', 'export', 'explain'];
const FILE = JSON.stringify({
  version: 1,
  tables: Object.fromEntries(
    NAMES.map((name) => [
      name,
      { collection: 'c', fields: { id: 'string', [`of_${name}`]: 'string', at: 'date' } },
    ]),
  ),
});

describe('the reference of tables with similar names', () => {
  const database = useDatabase();

  it('is kept by browsers where no token decides about it alone', async () => {
    const service = await serveTables(database.uri, database.name, FILE);
    try {
      const token = await service.tokenOf('a', { roles: ['admin'] });
      const kept = async (headers: Record<string, string>) => {
        const answer = await fetch(`${service.url}/openapi.json`, { headers });
        return [answer.status, answer.headers.get('cache-control')];
      };
      expect(await kept({})).eql([200, 'public, max-age=3600']);
      expect(await kept({ authorization: `Bearer ${token}` })).eql([200, 'private, no-cache']);
      expect(await kept({ authorization: 'Bearer refused' })).eql([200, 'private, no-cache']);
    } finally {
      await service.stop();
    }
  });

  it('has a schema of its own for each', async () => {
    const service = await serveTables(database.uri, database.name, FILE);
    try {
      const token = await service.tokenOf('a', { roles: ['admin'] });
      const { status, body } = await service.ask('GET', '/openapi.json', { token });
      expect(status).equal(200);
      const { paths, components } = body;
      const ids: string[] = [];
      const named = (schema: { $ref: string }) =>
        components.schemas[schema.$ref.replace('#/components/schemas/', '')];
      for (const name of NAMES) {
        const { post } = paths[`/api/v2/tables/${name}/search`];
        const answered = named(post.responses[200].content['application/json'].schema);
        const row = named(answered.properties.data.items);
        expect(Object.keys(row.properties)).eql(['id', `of_${name}`, 'at']);
        for (const way of ['', '/explore', '/export', '/explain']) {
          ids.push(paths[`/api/v2/tables/${name}/search${way}`].post.operationId);
        }
      }
      expect(new Set(ids).size, ids.join()).equal(ids.length);
      for (const way of ['', '/explore', '/export', '/explain']) {
        const [ofAny, ofOne] = ['{table}', 'a'].map((name) => {
          const { post } = paths[`/api/v2/tables/${name}/search${way}`];
          return Object.keys(named(post.requestBody.content['application/json'].schema).properties);
        });
        expect(ofAny, way).have.members(ofOne!);
      }
    } finally {
      await service.stop();
    }
  });
});
