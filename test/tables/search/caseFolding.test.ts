/** A store that is upgraded while it is followed: its case folding is asked for again, and gone by. */
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { CaseFolding } from '../../../src/store/caseFolding.ts';
import { candidatePairs, Fold } from '../../../src/textindex/index.ts';
import { type System, startSystem } from '../../model/system.ts';
import { useDatabase } from '../../support/database.ts';
import { NetworkProxy } from '../../support/networkProxy.ts';
import { until } from '../../support/until.ts';

const KELVIN = 0x212a;

/**
 * The letters of the connected server; once upgraded, those of a server without the Kelvin sign.
 */
class Upgraded extends CaseFolding {
  asked = 0;
  upgraded = false;
  #poorer: Fold | undefined;

  override async ask(): Promise<Fold> {
    this.asked++;
    const fold = await super.ask();
    this.#poorer ??= without(KELVIN, fold);
    return this.upgraded ? this.#poorer : fold;
  }
}

function without(letter: number, fold: Fold): Fold {
  const folded = (codePoint: number) => fold.fold(String.fromCodePoint(codePoint));
  const equal = candidatePairs().filter(
    ([a, b]) => a !== letter && b !== letter && folded(a) === folded(b),
  );
  return Fold.from(equal);
}

describe('the case folding of a store that changes', function suite() {
  this.timeout(40_000);
  const database = useDatabase();
  let proxy: NetworkProxy;
  let system: System | undefined;
  let caseFolding: Upgraded;

  const start = async (db: Db) => {
    proxy = await NetworkProxy.to(database.uri);
    caseFolding = new Upgraded(db);
    system = await startSystem({ uri: proxy.uri, dbName: database.name, caseFolding });
    await until(() => system!.index.state().state === 'live');
  };
  afterEach(async () => {
    await system?.stop();
    await proxy?.close();
    system = undefined;
  });

  /** People whose address has the text, and the route of the answer. */
  const search = async (email: string) => {
    const response = await fetch(`${system!.url}/api/v2/users/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filters: { email } }),
    });
    const { data, meta } = (await response.json()) as {
      data?: unknown[];
      meta?: { pagination: { total_items: number } };
    };
    expect(data?.length).to.equal(meta?.pagination.total_items);
    // An answer with an age is of before: the store seemed to be away.
    const route = response.headers.has('age') ? 'old' : response.headers.get('search-route');
    return { route, found: data?.length };
  };
  const byIndex = () =>
    until(async () => {
      const answer = await search('kelvin');
      return answer.route === 'index' && answer;
    });
  const interrupt = async () => {
    proxy.cut();
    await until(() => system!.index.state().reason?.includes('interrupted'));
    proxy.restore();
  };

  before(() =>
    database.db
      .collection<{ _id: number }>('users')
      .insertOne({ _id: 1, email: '\u212aelvin@example.org' } as never),
  );

  it('are asked with every stream; tables stay when they are the same', async () => {
    await start(database.db);
    const { asked } = caseFolding;
    await interrupt();
    expect(await byIndex()).to.include({ found: 1 });
    expect(caseFolding.asked).to.be.greaterThan(asked);
    expect(system!.warnings.join()).not.to.include('has to begin again');
  });

  it('count once they have changed: tables are made again, the pipeline answers meanwhile', async () => {
    await start(database.db);
    expect(await byIndex()).to.include({ found: 1 });
    caseFolding.upgraded = true;
    await interrupt();
    // The pipeline goes by the server's letters, the index by those that it was told.
    await until(async () => {
      const { route, found } = await search('kelvin');
      if (route === 'pipeline') expect(found).to.equal(1);
      if (route === 'index') expect(found).to.equal(0);
      return route === 'index';
    });
    expect(system!.warnings.join()).to.include('has to begin again');
    expect(await search('elvin')).to.eql({ route: 'index', found: 1 });
  });
});
