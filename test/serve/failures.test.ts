/** Errors inside, and the caller's view of them: status, code, headers, bounded problems. */
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { AppError, PROBLEMS, type ProblemCode } from '../../src/errors.ts';
import { toAppError } from '../../src/serve/failures.ts';
import { problemText } from '../../src/serve/problem.ts';
import { isOvertaken } from '../../src/store/faults.ts';
import { useDatabase } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { until } from '../support/until.ts';
import { type Edge, echo, startEdge } from './edge.ts';

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('failures of the store', () => {
  const database = useDatabase();

  async function withFailPoint(data: object, work: () => Promise<unknown>): Promise<unknown> {
    const commands = { failCommands: ['find', 'aggregate'], appName: 'edge-failures', ...data };
    await failCommand(database.client, 'alwaysOn', commands);
    try {
      return await thrownBy(work);
    } finally {
      await failNone(database.client);
    }
  }

  async function withClient(options: object, work: (client: MongoClient) => Promise<unknown>) {
    const client = new MongoClient(database.uri, { appName: 'edge-failures', ...options });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  const find = (client: MongoClient, options = {}) =>
    client.db(database.name).collection('x').findOne({}, options);

  it('are 503 SearchTimeout when the server gives up', async () => {
    await database.db.collection('x').insertMany(Array.from({ length: 5_000 }, (_, n) => ({ n })));
    const error = await thrownBy(() =>
      database.db
        .collection('x')
        .aggregate(
          [
            {
              $lookup: {
                from: 'x',
                pipeline: [{ $match: { $expr: { $gt: [{ $rand: {} }, 2] } } }],
                as: 'y',
              },
            },
          ],
          { maxTimeMS: 20 },
        )
        .toArray(),
    );
    expect((error as { code?: number }).code).equal(50);
    const seen = toAppError(error);
    expect(seen).to.include({ status: 503, code: 'SearchTimeout' });
    expect(seen.headers['Retry-After']).equal('1');
    expect(seen.cause).equal(error);
  });

  it('are 503 SearchTimeout when the driver gives up', async () => {
    const error = await withClient({}, async (client) => {
      await client.connect();
      return await withFailPoint({ blockConnection: true, blockTimeMS: 400 }, () =>
        find(client, { signal: AbortSignal.timeout(100) }),
      );
    });
    expect(toAppError(error).code).equal('SearchTimeout');
  });

  it('are 503 StoreUnavailable when there is no server', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 100 });
    const seen = toAppError(await thrownBy(() => find(client)));
    await client.close();
    expect(seen).to.include({ status: 503, code: 'StoreUnavailable' });
    expect(seen.headers['Retry-After']).equal('1');
    expect(seen.detail).not.include('127.0.0.1');
  });

  it('are 503 StoreUnavailable when connections drop, or the primary steps down', async () => {
    const options = { retryReads: false };
    await withClient(options, async (client) => {
      await client.connect();
      const dropped = await withFailPoint({ closeConnection: true }, () => find(client));
      expect(toAppError(dropped).code).equal('StoreUnavailable');
      for (const errorCode of [91, 189, 10107, 11602, 13436]) {
        const stepped = await withFailPoint({ errorCode }, () => find(client));
        expect(toAppError(stepped).code, String(errorCode)).equal('StoreUnavailable');
      }
    });
  });

  it('are 503 StoreUnavailable once the client is closed', async () => {
    const client = new MongoClient(database.uri);
    await client.connect();
    const db = client.db(database.name);
    await client.close();
    const error = await thrownBy(() => db.command({ ping: 1 }));
    expect(toAppError(error), String(error)).include({ status: 503, code: 'StoreUnavailable' });
  });

  it('are 503 StoreUnavailable where the account may not, and say so', async () => {
    const error = await withFailPoint({ errorCode: 13 }, () => withClient({}, find));
    const { code, status, detail } = toAppError(error);
    expect({ code, status }).eql({ code: 'StoreUnavailable', status: 503 });
    expect(detail).match(/does not let the service read/);
  });

  it('are 503 StoreUnavailable for a capped collection, and say so', async () => {
    const { client, db } = database;
    await db.createCollection('capped', { capped: true, size: 4_096 });
    const error = await client.withSession({ snapshot: true }, (session) =>
      thrownBy(() => db.collection('capped').findOne({}, { session })),
    );
    expect(isOvertaken(error), 'worth another try').equal(false);
    expect(toAppError(error)).include({
      code: 'StoreUnavailable',
      detail: 'MongoDB does not read a capped collection as of one moment.',
    });
  });

  it('are 500 for what the service did wrong', async () => {
    const error = await thrownBy(() => database.db.command({ nonsense: 1 }));
    expect(toAppError(error)).to.include({ status: 500, code: 'Internal' });
    expect(toAppError(new TypeError('x is undefined')).code).equal('Internal');
    expect(toAppError('thrown text').code).equal('Internal');
    expect(toAppError(undefined).code).equal('Internal');
  });
});

describe('a problem', () => {
  it('has the members of RFC 9457 and ours, for every code', () => {
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      const problem = JSON.parse(problemText(new AppError(code, 'Because.'), 'r'));
      const [status, title] = PROBLEMS[code];
      const type = `urn:table-search:problem:${code}`;
      expect(problem).eql({ type, title, status, detail: 'Because.', code, request_id: 'r' });
    }
  });

  it('says when to come back, wherever it was thrown', () => {
    for (const code of [
      'TooManyRequests',
      'Overloaded',
      'SearchTimeout',
      'StoreUnavailable',
    ] as const) {
      expect(toAppError(new AppError(code, 'x')).headers).eql({ 'Retry-After': '1' });
      const headers = { 'Retry-After': '7' };
      expect(toAppError(new AppError(code, 'x', { headers })).headers).eql(headers);
    }
  });

  it('lists a hundred problems at most', () => {
    const errors = Array.from({ length: 5_000 }, (_, n) => ({
      pointer: `/${'p'.repeat(256)}${n}`,
      detail: 'unknown member',
    }));
    const text = problemText(new AppError('ValidationFailed', 'No.', { errors }), 'r');
    const problem = JSON.parse(text);
    expect(problem.errors.length).equal(100);
    expect(problem.detail).include('4900');
    expect(text.length).lessThan(100_000);
  });
});

describe('an answer that breaks off', () => {
  const database = useDatabase();
  let edge: Edge;

  before(async () => {
    edge = await startEdge({
      db: database.db,
      routes: [
        {
          ...echo('GET', '/before', 'public'),
          handle(ctx) {
            ctx.body = new Readable({
              read() {
                this.destroy(new Error('the file is gone'));
              },
            });
          },
        },
        {
          ...echo('GET', '/amid', 'public'),
          handle(ctx) {
            let sent = 0;
            ctx.set('Content-Length', '1000000');
            ctx.body = new Readable({
              read() {
                if (sent++ < 2) this.push(Buffer.alloc(1_000, 'x'));
                else setTimeout(() => this.destroy(new Error('the file is gone')), 50);
              },
            });
          },
        },
      ],
    });
  });
  after(() => edge.close());

  it('after its head is cut, so that no client takes a part for the whole', async () => {
    const answer = await fetch(`${edge.url}/amid`);
    expect(answer.status).equal(200);
    await thrownBy(() => answer.arrayBuffer());
    const errorsLogged = () =>
      edge.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    await until(() => errorsLogged().length > 0);
    const errors = errorsLogged();
    expect(errors.map(({ err }) => err.message)).eql(['the file is gone']);
  });

  it('before its head is a problem, or cut', async () => {
    edge.lines.length = 0;
    const answer = await fetch(`${edge.url}/before`).catch(() => undefined);
    if (answer !== undefined) {
      expect(answer.status).equal(500);
      expect((await answer.json()) as object).to.include({ code: 'Internal' });
    }
    await until(() => edge.lines.some((line) => line.includes('the file is gone')));
  });
});
