/** Names of tabs, columns and filters: none is the name of a field. */
import { expect } from 'chai';
import { VIEWS, type ViewName } from '../../clients/typescript/index.ts';
import type { FieldCondition } from '../../clients/typescript/viewAddress.ts';
import { listedValues } from '../../web/present/facetLayout.ts';
import { titleOf } from '../../web/present/title.ts';
import { initialView } from '../../web/state/view.ts';
import { fieldTitle, TABLES, tableOf } from '../../web/tables/tables.ts';
import { language } from '../../web/words/words.ts';

const is = (field: string, ...values: string[]): FieldCondition => ({
  ...{ kind: 'values', field, not: false },
  values,
});
const NO_LABEL = () => undefined;

describe('the title of a tab', () => {
  const title = (change: object) => titleOf({ ...initialView('tasks'), ...change }, NO_LABEL);

  it('says what is shown', () => {
    expect(title({})).equal('Tasks');
    expect(title({ conditions: [is('status', 'FAILURE')] })).equal('Failed tasks');
    expect(title({ conditions: [is('status', 'FAILURE', 'RETRY')] })).equal(
      'Tasks, Status: Failure, Retrying',
    );
    expect(title({ conditions: [is('status', 'STARTED'), is('worker', 'gpu-1')] })).equal(
      'Running tasks, Worker: gpu-1',
    );
    expect(title({ q: 'timeout' })).equal('“timeout” in tasks');
    expect(title({ q: 'timeout', conditions: [is('status', 'FAILURE')] })).equal(
      '“timeout” in failed tasks',
    );
    const either = { kind: 'any', of: [is('status', 'FAILURE'), is('worker', 'gpu-1')] };
    expect(title({ conditions: [either] })).equal('Tasks, Status: Failure or Worker: gpu-1');
    expect(titleOf(initialView('audit'), NO_LABEL)).equal('Audit log');
  });

  it('is in the language of the page', () => {
    language.value = 'de';
    try {
      expect(title({ conditions: [is('status', 'FAILURE')] })).equal('Fehlgeschlagene Aufgaben');
      expect(title({ q: 'x', conditions: [is('status', 'FAILURE')] })).equal(
        '„x“ in: Fehlgeschlagene Aufgaben',
      );
    } finally {
      language.value = 'en';
    }
  });
});

describe('fields', () => {
  it('have a title wherever one is shown', () => {
    const untitled: string[] = [];
    for (const name of TABLES) {
      for (const view of Object.values(tableOf(name).views)) {
        const { columns, conditions, facets, times, sorts } = VIEWS[view as ViewName];
        for (const field of [
          ...Object.keys(columns),
          ...conditions,
          ...facets,
          ...times,
          ...sorts,
        ]) {
          const isColumn = Object.hasOwn(tableOf(name).looks, field);
          if (!isColumn && isRaw(fieldTitle(name, field), field))
            untitled.push(`${name}: ${field}`);
        }
      }
    }
    expect([...new Set(untitled)]).eql([]);
  });
});

/** As a title is made from a field that nobody has named: `Exception type` of `exception_type`. */
const isRaw = (title: string, field: string) => title.toLowerCase() === field.replaceAll('_', ' ');

describe('the values that a facet lists', () => {
  const values = [
    { value: 'a', count: 5, baseline: 10 },
    { value: 'b', count: 5, baseline: 90 },
    { value: 'c', count: 1, baseline: 2 },
  ];
  const facet = { values, total: 50, baseline_total: 100 };
  const ranked = { isRanked: true, isWhole: false };

  it('are those that differ, and selected ones with their figures', () => {
    expect(listedValues(facet, [], ranked)).eql([values[1]]);
    expect(listedValues(facet, ['a', 'd'], ranked)).eql([
      ...[values[1], values[0]],
      { value: 'd', count: undefined },
    ]);
  });
});
