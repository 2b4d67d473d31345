/**
 * Large counts by pipeline. The limits on a reply's document, a command and a stage's memory keep
 * no explore from its answer, nor make it fail without a reason.
 *
 *     8 values of 3 MB        a list of them is more than a document of 16 MB holds
 *     150 values of 1 MB      grouping them takes more than the 100 MB that a stage may have
 */
import { expect } from 'chai';
import { ADMIN, day, PEOPLE, task } from '../../conformance/documents.ts';
import { useDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const PATH = '/api/v2/admin/tasks/search/explore';
const LARGE = 8;
const MANY = 150;

describe('large counts by pipeline', function large() {
  this.timeout(120_000);
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    const { db } = database;
    await db.collection('users').insertMany(PEOPLE as never[]);
    const add = (first: number, count: number, bytes: number, field: string) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          db.collection('tasks').insertOne(
            task(first + n, {
              [field]: String.fromCharCode(0x61 + (n % 26)).repeat(bytes) + n,
              date_done: day(1 + (n % 3)),
              status: field,
            }) as never,
          ),
        ),
      );
    await add(1, LARGE, 3_000_000, 'worker');
    await add(1_000, MANY, 1_000_000, 'folder');
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    token = await service.token(ADMIN, true);
  });
  after(() => service.stop());

  const explore = (body: object, of: string) => {
    const select = [{ field: 'status', in: [of] }];
    const pagination = { per_page: 1 };
    return service.post(PATH, { select, pagination, ...body }, token);
  };

  it('list values that no document holds together', async () => {
    const { status, body } = await explore({ facets: [{ field: 'worker' }] }, 'worker');
    expect([status, body.code]).to.deep.equal([200, undefined]);
    const [{ values, distinct, rest }] = body.facets;
    expect({ distinct, rest, listed: values.length }).to.deep.equal({
      ...{ distinct: LARGE, rest: 0, listed: LARGE },
    });
    for (const { value, count } of values) {
      expect([value.length, count]).to.deep.equal([3_000_001, 1]);
    }
  });

  it('say why a histogram is not split by such values', async () => {
    const histogram = { field: 'date_done', interval: 'P1D', by: 'worker' };
    const { status, body, headers } = await explore({ histogram }, 'worker');
    expect([status, body.code]).to.deep.equal([503, 'StoreUnavailable']);
    expect(body.detail).to.match(/values of worker have 23 MB/);
    expect(headers.get('retry-after')).to.equal('1');
  });

  it('group what takes more memory than a stage has', async () => {
    const facets = [{ field: 'folder', limit: 1 }];
    const histogram = { field: 'date_done', interval: 'P1D', by: 'folder' };
    const { status, body } = await explore({ facets, histogram }, 'folder');
    expect([status, body.code]).to.deep.equal([200, undefined]);
    expect(body.facets[0]).to.include({ distinct: MANY, rest: MANY - 1 });
    const counts = body.histogram.buckets.map(({ count }: { count: number }) => count);
    expect(counts).to.deep.equal([50, 50, 50]);
  });
});
