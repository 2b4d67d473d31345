/** When memory is collected: by a service without work that has grown, and by no other. */
import { expect } from 'chai';
import { IdleMemory, processMemory } from '../../src/idleMemory.ts';

const MB = 2 ** 20;

describe('the memory of an idle service', () => {
  const loads = { index: false };

  /** A service whose figures are set by hand; how often its memory was collected. */
  function service() {
    const traffic = { begun: 0, underWay: 0 };
    let resident = 200;
    let collected = 0;
    const idle = new IdleMemory(traffic, () => loads.index, {
      resident: () => resident * MB,
      collect() {
        collected += 1;
      },
    });
    /** A look after so many requests, with so many megabytes. */
    return (requests: number, megabytes: number, underWay = 0) => {
      traffic.begun += requests;
      traffic.underWay = underWay;
      resident = megabytes;
      idle.look();
      return collected;
    };
  }

  it('is collected after a flood, when the flood is over, twice', () => {
    const look = service();
    expect(look(5_000, 400), 'during the flood').equal(0);
    expect(look(0, 400), 'after it').equal(1);
    expect(look(0, 280), 'a second time').equal(2);
    expect(look(0, 240), 'never more').equal(2);
    expect(look(0, 280)).equal(2);
  });

  it('is collected after a flood that came before there was nothing to do', () => {
    const look = service();
    look(1_000, 220);
    look(5_000, 400);
    expect(look(0, 400)).equal(1);
  });

  it('is left alone while a request is under way', () => {
    const look = service();
    expect(look(0, 400, 1)).equal(0);
    expect(look(0, 400, 0)).equal(1);
    expect(look(0, 400, 1)).equal(1);
  });

  it('is left alone while the index is loaded', () => {
    const look = service();
    loads.index = true;
    expect(look(0, 400)).equal(0);
    loads.index = false;
    expect(look(0, 400)).equal(1);
  });

  it('is collected although probes come', () => {
    const look = service();
    expect(look(11, 400), 'more than probes').equal(0);
    expect(look(10, 400)).equal(1);
  });

  it('is left alone where it has hardly grown', () => {
    const look = service();
    expect(look(0, 248)).equal(0);
    expect(look(0, 249)).equal(1);
  });

  it('is not collected again and again where that gives nothing back', () => {
    const look = service();
    for (const collected of [1, 2, 2, 2]) expect(look(0, 400)).equal(collected);
    expect(look(0, 440)).equal(2);
    expect(look(0, 460), 'it has grown anew').equal(3);
  });

  it('is given back bit by bit: what is left is looked at later', () => {
    const look = service();
    look(0, 400);
    look(0, 390);
    expect(look(0, 220)).equal(2);
    expect(look(0, 280), 'grown by 60').equal(3);
  });

  it('is collected after a second flood that came before the first was over', () => {
    const look = service();
    expect(look(0, 400)).equal(1);
    expect(look(5_000, 400)).equal(1);
    expect(look(0, 400)).equal(2);
  });

  it('is measured from the least that an idle service has had', () => {
    const look = service();
    expect(look(0, 120)).equal(0);
    expect(look(0, 180)).equal(1);
  });

  it('is given back by a collection where nothing holds it', async () => {
    const memory = processMemory();
    let large: object | undefined = { bytes: new Array(1_000).fill(0) };
    const kept = { bytes: new Array(1_000).fill(0) };
    const [gone, there] = [new WeakRef(large), new WeakRef(kept)];
    large = undefined;
    // What a WeakRef was made of lives until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    memory.collect();
    expect(gone.deref()).equal(undefined);
    expect(there.deref()).equal(kept);
    expect(memory.resident()).greaterThan(10 * MB);
  });
});
