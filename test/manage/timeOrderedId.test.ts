/** Ids whose order is the order of time, whatever the clock does. */
import { expect } from 'chai';
import fc from 'fast-check';
import { TimeOrderedIds } from '../../src/manage/timeOrderedId.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('time-ordered ids', () => {
  it('are UUIDs of version 7 that hold their moment', () => {
    const now = Date.parse('2026-11-16T06:00:03.020Z');
    const { id, at } = new TimeOrderedIds().next(now);
    expect(id).match(UUID_V7);
    expect(at.getTime()).equal(now);
    expect(Number.parseInt(id.replace(/-/g, '').slice(0, 12), 16)).equal(now);
  });

  it('rise strictly, with a clock that stands, jumps or goes back', () => {
    const clock = fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_009 }), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(clock, (moments) => {
        const ids = new TimeOrderedIds();
        let last = { id: '', at: new Date(0) };
        for (const moment of moments) {
          const next = ids.next(moment);
          expect(next.id > last.id).equal(true);
          expect(next.at.getTime()).at.least(Math.max(moment, last.at.getTime()));
          last = next;
        }
      }),
    );
  });

  it('borrow from the next millisecond when one is full', () => {
    const ids = new TimeOrderedIds();
    const made = Array.from({ length: 10_000 }, () => ids.next(1_700_000_000_000));
    const texts = made.map(({ id }) => id);
    expect(new Set(texts).size).equal(10_000);
    expect([...texts].sort()).eql(texts);
    expect(made.at(-1)!.at.getTime()).equal(1_700_000_000_002);
  });
});
