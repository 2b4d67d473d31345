/**
 * Required by .mocharc.json. Files of one process run in any order, and a variable that one of them leaves
 * changed would change the next.
 */
import { expect } from 'chai';

let before: NodeJS.ProcessEnv;

export const mochaHooks = {
  beforeAll() {
    before = { ...process.env };
  },
  afterAll() {
    const names = Object.keys({ ...before, ...process.env });
    const changed = names.filter((name) => process.env[name] !== before[name]);
    expect(changed, 'variables that the tests of this file leave changed').eql([]);
  },
};
