/**
 * Tables of a file as resources and views: the cells of the index, and the members that callers
 * see.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { printPredicate } from '../../../src/tables/definition/predicate.ts';
import type { Viewer } from '../../../src/tables/definition/view.ts';
import { type OwnTable, readTablesFile } from '../../../src/tables/file/index.ts';
import { definition } from './definitions.ts';
import { ORDERS } from './orders.ts';

function tablesOf(text: string): readonly OwnTable[] {
  const file = readTablesFile(text);
  if ('problems' in file) throw new Error(JSON.stringify(file.problems));
  return file.tables;
}

const viewer = (claims: Viewer['claims']): Viewer => ({
  sub: 'ana',
  admin: false,
  claims,
  params: {},
});

describe('a table of a file', () => {
  const [orders, customers] = tablesOf(ORDERS) as [OwnTable, OwnTable];

  it('is a resource with the uses that its fields have', () => {
    const { resource } = orders;
    const uses = Object.entries(resource.fields).map(([name, field]) => [
      name,
      'uses' in field ? field.uses.join(' ') : field.kind,
    ]);
    expect(Object.fromEntries(uses)).eql({
      id: 'contains select sort',
      number: 'contains select',
      status: 'contains select facet',
      region: 'contains select facet equals',
      customer: 'contains equals select',
      email: 'related',
      skus: 'contains select facet',
      total: 'sort range',
      took: 'sort range',
      placed: 'sort range',
      shipped: 'sort range',
      note: '',
    });
    expect(resource).deep.include({ name: 'table:orders', collection: 'orders', key: 'id' });
    expect(resource.fields.skus).deep.include({ type: 'string', several: true, path: 'lines.sku' });
    expect(resource.sorts).eql(['placed', 'id', 'total', 'shipped', 'took']);
    expect(Object.keys(resource.record)).eql(Object.keys(orders.fields));
    expect(resource.filters).eql({
      q: { kind: 'text', fields: ['id', 'number', 'email', 'skus'] },
      number: { kind: 'contains', field: 'number' },
      status: { kind: 'contains', field: 'status' },
      region: { kind: 'contains', field: 'region' },
      email: { kind: 'contains', field: 'email' },
      skus: { kind: 'contains', field: 'skus' },
    });
    expect(resource.fields.email).deep.include({
      ...{ to: 'table:customers', through: 'customer' },
      ...{ keyPath: '_id', keyType: 'objectId', textPath: 'email' },
    });
    expect(resource.joins).eql([
      {
        by: 'email',
        field: resource.fields.email,
        through: 'customerId',
        shows: ['email'],
        one: true,
      },
    ]);
  });

  it('gives the fields that labels and grants compare the uses for it', () => {
    const { id, email } = customers.resource.fields;
    expect(id).deep.include({ uses: ['contains', 'select', 'sort', 'equals'] });
    expect(email).deep.include({ uses: ['contains', 'select', 'equals'] });
  });

  it('has a view for each grant, without the hidden fields', () => {
    const [admin, support] = orders.grants as [
      (typeof orders.grants)[0],
      (typeof orders.grants)[0],
    ];
    expect(admin.view.rows).equal(undefined);
    expect(admin).deep.include({
      roles: ['admin'],
      document: true,
      sorts: ['id', 'total', 'placed', 'shipped', 'took'],
    });
    expect(support).deep.include({ roles: ['support'], document: false });
    expect(support.columns).eql(['number', 'status', 'email', 'placed', 'took']);
    const { resource } = support.view;
    expect(resource.sorts).eql(['placed', 'id', 'shipped', 'took']);
    expect(Object.keys(resource.record)).not.include('total');
    expect(Object.keys(resource.fields)).not.include('total');
    expect(resource.joins).eql(orders.resource.joins);
  });

  const ROWS: readonly (readonly [object, Viewer['claims'], string])[] = [
    [{ name: 'x' }, {}, 'name = "x"'],
    [{ name: ['x', 'y'] }, {}, 'name in ["x","y"]'],
    [{ name: 'x', n: 5 }, {}, '(name = "x" and n = 5)'],
    [{ name: { claim: 'region' } }, { region: 'north' }, 'name = "north"'],
    [{ name: { claim: 'region' } }, { region: ['north', 'east'] }, 'name in ["north","east"]'],
    [{ name: { claim: 'region' } }, {}, 'none'],
    [{ name: { claim: 'region' } }, { region: [] }, 'none'],
    [{ name: { claim: 'region' } }, { region: { a: 1 } }, 'none'],
    [{ name: { claim: 'region' } }, { region: null }, 'none'],
    [{ name: { claim: 'toString' } }, {}, 'none'],
    [{ name: { claim: 'org.region' } }, { org: { region: 'north' } }, 'name = "north"'],
    [{ name: { claim: 'org.region' } }, { 'org.region': 'east' }, 'name = "east"'],
    [{ name: 'x', n: { claim: 'n' } }, {}, 'none'],
  ];
  for (const [rows, claims, within] of ROWS) {
    it(`shows the rows ${JSON.stringify(rows)} with ${JSON.stringify(claims)}: ${within}`, () => {
      const text = JSON.stringify({
        version: 1,
        tables: {
          t: {
            collection: 't',
            fields: { id: 'objectId', name: 'string', n: 'number' },
            access: [{ roles: ['a'], rows }],
          },
        },
      });
      const { view } = tablesOf(text)[0]!.grants[0]!;
      const shown = view.rows!(viewer(claims));
      expect(printPredicate(shown.within)).equal(within);
      expect(shown.applied).eql({});
    });
  }

  it('keeps a hidden field that tells the rows, without a use', () => {
    const text = ORDERS.replace('hide: [total]', 'hide: [region]');
    const { resource } = tablesOf(text)[0]!.grants[1]!.view;
    expect(resource.fields.region).deep.include({ uses: [], path: 'ship.region' });
    expect(resource.filters).not.have.property('region');
    expect(resource.record).not.have.property('region');
  });

  it('does not read the key of a hidden label', () => {
    const text = ORDERS.replace('hide: [total]', 'hide: [email]');
    expect(tablesOf(text)[0]!.grants[1]!.view.resource.joins).eql([]);
  });

  it('has no order by a column that only grants or labels need', () => {
    const shown = '{ type: string, path: ship.region, use: [show] }';
    const text = ORDERS.replace(/(region: +)\{.*\}/, `$1${shown}`).replace(
      'status, region, skus',
      'status',
    );
    const [table] = tablesOf(text);
    expect(table!.resource.fields.region).deep.include({ uses: ['equals'] });
    for (const { view } of table!.grants) {
      expect(view.resource.fields.region).deep.include({ uses: [] });
      expect(view.resource.orders).include('region');
    }
  });

  it('shows the usual columns where all of the file’s are hidden', () => {
    const text = ORDERS.replace(/columns: .*/, 'columns: [total]');
    const [, support] = tablesOf(text)[0]!.grants;
    const usual = tablesOf(ORDERS.replace(/ *columns: .*\n/, ''))[0]!.grants[1]!.columns;
    expect(usual).include('number').not.include('total');
    expect(support!.columns).eql(usual);
  });
});

describe('a random definition', () => {
  it('compiles, and no view has a part of a hidden field', () => {
    fc.assert(
      fc.property(definition, (written) => {
        const [table] = tablesOf(JSON.stringify(written)) as [OwnTable];
        const grants = written.tables.things!.access ?? [];
        for (const [position, { view, ...shown }] of table.grants.entries()) {
          const { hide = [] } = grants[position] ?? {};
          const { fields, filters, sorts, record } = view.resource;
          const named = Object.entries(fields).flatMap(([name, field]) =>
            'uses' in field && field.uses.length === 0 ? [] : [name],
          );
          const q = filters.q?.kind === 'text' ? filters.q.fields : [];
          const lists = [
            shown.text,
            shown.facets,
            shown.sorts,
            shown.columns,
            Object.keys(shown.fields),
          ];
          const all = new Set([
            ...[...named, ...Object.keys(filters), ...q, ...sorts, ...Object.keys(record)],
            ...lists.flat(),
            shown.sort.by,
          ]);
          expect(hide.filter((name) => all.has(name))).eql([]);
        }
      }),
      { numRuns: 150 },
    );
  });
});
