import { expect } from 'chai';
import { deliveredUpTo, readToken } from '../../src/follow/resumeToken.ts';

const MARK = '826B01604C000000082B0229296E04';
const EVENT = '826B01604C000000082B022C0100296E5A10044A9B8D5CBDC940359ECDC8357B91CBD804';
const AT = (0x6b01604cn << 32n) | 8n;

describe('resume token', () => {
  it('tells its time and its kind', () => {
    expect(readToken(MARK)).to.deep.equal({ data: MARK, time: AT, highWaterMark: true });
    expect(readToken(EVENT)).to.deep.equal({ data: EVENT, time: AT, highWaterMark: false });
  });

  it('is refused in a form that is not known', () => {
    for (const data of ['', '00', MARK.replace('2B02', '2C02')]) {
      expect(() => readToken(data)).to.throw('resume token');
    }
  });

  const batch = {
    token: readToken(EVENT),
    events: 3,
    batchSize: 10,
    bytes: 900,
    openedAt: AT - 5n,
    deliveredBefore: false,
  };
  const mark = { ...batch, token: readToken(MARK), events: 0 };
  const CASES = [
    ['an event ends a batch that is not full', batch, AT],
    ['an event ends a full batch: its time may go on', { ...batch, events: 10 }, AT - 1n],
    ['an event ends a reply cut by its size', { ...batch, bytes: 15 << 20 }, AT - 1n],
    [
      'nothing came after an event of this cursor',
      { ...batch, events: 0, deliveredBefore: true },
      AT,
    ],
    ['nothing came since the cursor was resumed after an event', { ...batch, events: 0 }, AT - 1n],
    ['a high-water mark', mark, AT],
    ['a high-water mark behind events', { ...mark, events: 10 }, AT],
    ['a high-water mark that is where the stream was opened', { ...mark, openedAt: AT }, AT - 1n],
  ] as const;
  for (const [name, facts, delivered] of CASES) {
    it(`is passed or not: ${name}`, () => {
      expect(deliveredUpTo(facts)).to.equal(delivered);
    });
  }
});
