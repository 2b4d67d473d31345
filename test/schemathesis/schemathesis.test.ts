/**
 * Schemathesis in short: every operation's examples and some drawn requests, and the bounds of every
 * keyword for one operation of each kind. `npm run test:schemathesis` has all.
 */
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { type PythonTools, pythonToolsOrSkip } from '../support/pythonTools.ts';
import { excusesOf } from './exceptions.ts';
import type { Report } from './report.ts';
import { REQUIREMENTS, schemathesis } from './run.ts';
import { type Stage, stageOf } from './stage.ts';

const SEED = 19;
const COVERED =
  '^(POST .*/admin/projects/search/export|PATCH /api/v2/admin/schedules/|GET /api/v2/tasks/.*logs)';

describe('Schemathesis', function suite() {
  // The first run installs it.
  this.timeout(600_000);
  const database = useDatabase();
  let tools: PythonTools;
  let stage: Stage | undefined;
  let report: Report;

  before(async function start() {
    tools = await pythonToolsOrSkip(this as unknown as Mocha.Context, REQUIREMENTS);
    stage = await stageOf(database);
    const phases = ['examples', 'coverage', 'fuzzing'];
    report = await schemathesis(tools, {
      ...stage,
      phases,
      seed: SEED,
      draws: 3,
      covered: COVERED,
    });
  });
  after(() => stage?.service.stop());

  it('finds nothing wrong in any answer', () => {
    expect(report.errors).eql([]);
    const wrong = report.failed.filter((one) => excusesOf(one) === undefined);
    expect(wrong.map(({ shown }) => shown).join('\n')).equal('');
  });

  it('has asked every operation for something that is there', async () => {
    const document = await fetch(`${stage!.url}/openapi.json`);
    const { paths } = (await document.json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).greaterThan(40);
    // No definition file is served here: the routes of its tables have tests of their own.
    const asked = operations.filter((one) => !one.includes('{table}'));
    expect(asked.filter((one) => !report.answered.has(`${one} 2xx`))).eql([]);
  });
});
