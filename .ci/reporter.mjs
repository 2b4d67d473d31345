/**
 * Mocha's spec reporter, which also keeps `<passed> <failed> <state>` in the file that the variable
 * TEST_FIGURES names: `running` after each test, `complete` at the end. A line for each failed test
 * follows. What a test prints cannot be taken for a figure, and a run that dies leaves the figures it
 * had reached.
 */

import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_RUN_END } = Mocha.Runner.constants;

export default class FiguresReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    let passed = 0;
    let failed = 0;
    let failures = '';
    const keep = (state) => {
      writeFileSync(process.env.TEST_FIGURES, `${passed} ${failed} ${state}\n${failures}`);
    };
    runner.on(EVENT_TEST_PASS, () => {
      passed += 1;
      keep('running');
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      failed += 1;
      failures += `${test.fullTitle()}: ${error?.message ?? error}`
        .replace(/\s+/g, ' ')
        .slice(0, 300);
      failures += '\n';
      // At once: a run that is ended does not get to its list of failures.
      const cause = error?.cause ? `Caused by: ${error.cause.stack ?? error.cause}\n` : '';
      process.stdout.write(`FAILED: ${test.fullTitle()}\n${error?.stack ?? error}\n${cause}`);
      keep('running');
    });
    runner.on(EVENT_RUN_END, () => keep('complete'));
  }
}
