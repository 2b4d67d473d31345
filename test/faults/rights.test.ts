/** The fault suite's verdicts on a right that comes and goes. */
import { expect } from 'chai';
import { judged, type Since } from './rights.ts';

/** Taken away between 2,000 and 2,100, given back between 30,000 and 30,100. */
const history: Since[] = [
  { at: 0, may: true },
  { at: 2_000, may: undefined },
  { at: 2_100, may: false },
  { at: 30_000, may: undefined },
  { at: 30_100, may: true },
];

const use = (startedAt: number, status: number | null, age: number | null = null) =>
  judged([{ startedAt, endedAt: startedAt + 10, status, code: null, age }], history);
const wrong = (...of: Parameters<typeof use>) => use(...of).wrong.length;

describe('a right that is taken away, as the fault suite judges it', () => {
  it('counts for a second', () => {
    expect([2_050, 3_000, 3_090].map((at) => wrong(at, 200))).eql([0, 0, 0]);
    expect([3_150, 10_000, 29_900].map((at) => wrong(at, 200))).eql([1, 1, 1]);
    expect(use(3_000, 200).lateMs).equal(900);
  });

  it('counts while the store is away for as long as the answer is old', () => {
    expect(wrong(7_000, 200, 3)).equal(0);
    expect(wrong(9_000, 200, 3)).equal(1);
    expect(wrong(14_500, 200, 10)).equal(0);
    expect(wrong(14_700, 200, 10)).equal(1);
  });

  it('never counts with an answer that is older than the setting', () => {
    expect(wrong(1_000, 200, 11)).equal(1);
  });

  it('may be refused while it is not there, or may not have been, and for a second more', () => {
    expect([2_050, 9_000, 30_050, 31_050].map((at) => wrong(at, 404))).eql([0, 0, 0, 0]);
    expect([1_000, 31_150, 43_000].map((at) => wrong(at, 401))).eql([1, 1, 1]);
  });

  it('may be refused while the store is away for as long as the refusal is old', () => {
    expect([31_150, 35_500].map((at) => wrong(at, 404, 3))).eql([0, 0]);
    expect([35_700, 42_500].map((at) => wrong(at, 401, 3))).eql([1, 1]);
    expect(wrong(31_000, 404, 11)).equal(1);
  });

  it('may be told that the store is away, and nothing else', () => {
    expect([null, 503, 429].map((status) => wrong(9_000, status))).eql([0, 0, 0]);
    expect([403, 500].map((status) => wrong(9_000, status))).eql([1, 1]);
  });
});
