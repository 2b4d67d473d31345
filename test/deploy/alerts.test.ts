/** The alert rules and the dashboard ask only for metrics and labels of a running service. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { startService, type TestService } from '../support/service.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(path.join(DEPLOY, name), 'utf8');

/** Values by the name of a metric, then by label. */
type Series = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Labels that Prometheus itself adds. */
const GIVEN = new Set(['job', 'instance']);

/** Values that only an incident brings. */
const RARE = new Set(['status']);

/** Names of the series, with their labels, in a text that Prometheus would read. */
function seriesOf(exposition: string): Series {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const line of exposition.split('\n')) {
    const [, typed] = /^# TYPE (\w+) /.exec(line) ?? [];
    const [, sampled, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    const name = typed ?? sampled;
    if (name === undefined) continue;
    const known = found.get(name) ?? new Map<string, Set<string>>();
    found.set(name, known);
    for (const [, label, value] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      known.set(label!, (known.get(label!) ?? new Set()).add(value!));
    }
  }
  return found;
}

type Labels = ReadonlyMap<string, ReadonlySet<string>>;
const NO_LABELS: Labels = new Map();

/** Faults of an expression: metrics and labels that the service does not have. */
function faultsOf(expression: string, series: Series): string[] {
  const named = /\b((?:table_search|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g;
  const metrics = [...expression.matchAll(named)].map(([, name, selector = '']) => {
    return { name: name!, selector, labels: name === 'up' ? NO_LABELS : series.get(name!) };
  });
  if (metrics.length === 0) return ['no metric'];
  const labels = new Set(metrics.flatMap((one) => [...(one.labels?.keys() ?? [])]));
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, by]) =>
    by!.split(', '),
  );
  return [
    ...metrics.flatMap(({ name, selector, labels: known }) =>
      known ? selectorFaults(name, selector, known) : [`no metric ${name}`],
    ),
    ...grouped
      .filter((label) => !GIVEN.has(label) && !labels.has(label))
      .map((label) => `no label ${label}`),
  ];
}

/** Faults of `{label="value", label=~"a|b"}`: labels and values that the metric does not have. */
function selectorFaults(name: string, selector: string, known: Labels): string[] {
  const faults: string[] = [];
  for (const [, label, isPattern, value] of selector.matchAll(/(\w+)=(~?)"([^"]*)"/g)) {
    if (GIVEN.has(label!)) continue;
    const values = [...(known.get(label!) ?? [])];
    if (values.length === 0) faults.push(`${name} has no label ${label}`);
    else if (!RARE.has(label!)) {
      const wanted = isPattern ? value!.split('|') : [value!];
      const missing = wanted.filter((one) => !values.some((has) => fits(one, has)));
      faults.push(...missing.map((one) => `${name} has no ${label} ${one}`));
    }
  }
  return faults;
}

const fits = (pattern: string, value: string) => new RegExp(`^(?:${pattern})$`).test(value);

describe('alerts and dashboard', function alerts() {
  this.timeout(60_000);
  const database = useDatabase();
  let series: Series;
  let figures = '';
  const folder = useFolder('alerts');

  before(async () => {
    const services: TestService[] = [];
    try {
      // Either route has answered, and the index has left something to the pipeline.
      for (const SEARCH_INDEX of ['off', 'on']) {
        const settings = { SEARCH_INDEX, CHECKPOINT_DIR: folder };
        services.push(await startService(database.uri, database.name, settings));
      }
      const routes = ['pipeline', 'index'];
      const texts: string[] = [];
      for (const [i, service] of services.entries()) {
        const token = await service.token(1, true);
        await database.db
          .collection<{ _id: number }>('users')
          .updateOne({ _id: 1 }, { $set: { active: true } }, { upsert: true });
        await service.goesBy(routes[i]!, '/api/v2/admin/tasks/search', token);
        texts.push((await service.ask('GET', '/metrics')).text);
      }
      figures = texts.join('\n');
      series = seriesOf(figures);
    } finally {
      for (const service of services) await service.stop();
    }
  });

  it('have rules that ask for existing metrics alone', () => {
    const text = read('prometheus/alerts.yml');
    const rules = text.split(/^ {6}- alert: /m).slice(1);
    expect(rules.length).greaterThan(8);
    const operations = readFileSync(path.join(DEPLOY, '../docs/operations.md'), 'utf8');
    for (const rule of rules) {
      const [name] = rule.split('\n');
      const [, expression] = /^ {8}expr: '([^']+)'$/m.exec(rule) ?? [];
      expect(operations, 'says what to do').include(`\n| \`${name}\` | `);
      expect(expression, name).a('string');
      expect(faultsOf(expression!, series), name).eql([]);
      expect(rule, name).match(/^ {8}for: \d+m$/m);
      expect(rule, name).match(/^ {10}severity: (warning|critical)$/m);
      expect(rule, name).match(/^ {10}summary: "[^"]+"$/m);
      expect(rule, name).match(/^ {10}description: "[^"]+"$/m);
    }
  });

  it('of which the one of size looks at each table, as SEARCH_MAX_BYTES does', () => {
    const [, expression] = /IndexLarge\n {8}expr: '([^']+)'/.exec(read('prometheus/alerts.yml'))!;
    const [, metric] = /^(\w+) > [\de.]+$/.exec(expression!)!;
    expect([...series.get(metric!)!.keys()]).include('table');
  });

  it('have rules that fire at the first of its kind, which makes a new series', () => {
    const rules = read('prometheus/alerts.yml');
    const counted = [...rules.matchAll(/\bincrease\((\w+)/g)].map(([, metric]) => metric!);
    const unseen = counted.filter((metric) => !RegExp(`^${metric}[ {]`, 'm').test(figures));
    expect(unseen).length.greaterThan(0);
    for (const metric of unseen) expect(rules).include(`${metric} unless ${metric} offset `);
  });

  it('have panels that ask for existing metrics alone', () => {
    const { panels } = JSON.parse(read('grafana/table-search.json')) as {
      panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
    };
    expect(panels.length).greaterThan(10);
    for (const { title, targets } of panels) {
      for (const { expr } of targets) expect(faultsOf(expr, series), title).eql([]);
    }
  });

  it('would be told of a metric, a label and a value that are not there', () => {
    expect(faultsOf('rate(table_search_nothing_total[5m])', series)).lengthOf(1);
    expect(faultsOf('table_search_index_state{nope="live"}', series)).not.eql([]);
    expect(faultsOf('table_search_index_state{state="alive"}', series)).lengthOf(1);
    expect(faultsOf('sum by (colour) (table_search_index_bytes)', series)).lengthOf(1);
    expect(faultsOf('1 > 0', series)).lengthOf(1);
  });
});
