/** Questions to a store that may say nothing, and known answers in its place. */
import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { AppError } from '../../src/errors.ts';
import { Ended } from '../../src/store/deadline.ts';
import { Hedge } from '../../src/store/hedged.ts';

const never = () => new Promise<string>(() => {});
const nothing = () => undefined;

describe('a hedged question', () => {
  let now: number;
  let hedge: Hedge;
  let asked: number;
  const answering = async () => {
    asked++;
    return 'store';
  };

  beforeEach(() => {
    now = 0;
    asked = 0;
    hedge = new Hedge(() => now);
  });

  it('is answered by the store, whatever is known', async () => {
    expect(await hedge.ask(answering, () => 'memory')).equal('store');
    expect(await hedge.ask(answering, () => 'memory')).equal('store');
    expect(asked).equal(2);
  });

  it('is answered by what is known where the store says nothing, and those after it at once', async () => {
    expect(await hedge.ask(never, () => 'memory')).equal('memory');
    now = 499;
    expect(await hedge.ask(answering, () => 'memory')).equal('memory');
    expect(asked, 'asked a silent store').equal(0);
    now = 500;
    expect(await hedge.ask(answering, () => 'memory')).equal('store');
  });

  it('is asked of a silent store where nothing is known', async () => {
    await hedge.ask(never, () => 'memory');
    expect(await hedge.ask(answering, nothing)).equal('store');
  });

  it('looks at what is known again and again', async () => {
    let looks = 0;
    expect(await hedge.ask(never, () => (++looks < 3 ? undefined : 'memory'))).equal('memory');
  });

  it('fails as the store does where nothing is known, and says what is known where something is', async () => {
    const failing = async (): Promise<string> => {
      throw new Error('away');
    };
    expect(await hedge.ask(failing, nothing).catch(({ message }) => message)).equal('away');
    expect(await hedge.ask(failing, () => 'memory')).equal('memory');
  });

  it('looks once more where its connection broke: that the store is away may be heard a little later', async () => {
    const cut = async (): Promise<string> => {
      throw new MongoNetworkError('connection closed');
    };
    const wrapped = async (): Promise<string> => {
      throw await cut().catch((cause) => new AppError('StoreUnavailable', 'away', { cause }));
    };
    for (const failing of [cut, wrapped]) {
      // Known at once, too, it speaks for those after it.
      expect(await hedge.ask(failing, () => 'memory')).equal('memory');
      expect(await hedge.ask(answering, () => 'memory'), 'asked a silent store').equal('memory');
      now += 500;
      let looks = 0;
      expect(await hedge.ask(failing, () => (++looks < 2 ? undefined : 'memory'))).equal('memory');
      expect(await hedge.ask(answering, () => 'memory'), 'asked a silent store').equal('memory');
      now += 500;
    }
    let looks = 0;
    const late = async (): Promise<string> => {
      throw new Ended('client');
    };
    const ended = await hedge.ask(late, () => void looks++).catch(({ message }) => message);
    expect([ended, looks]).eql(['the client left', 1]);
  });

  it('is refused as the store refuses, whatever is known', async () => {
    const refusing = async (): Promise<string> => {
      throw new AppError('TooManyBuckets', 'too many');
    };
    const refused = await hedge.ask(refusing, () => 'memory').catch(({ code }) => code);
    expect(refused).equal('TooManyBuckets');
  });
});
