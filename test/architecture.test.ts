/**
 * The shape of the code, held by a test: the layers that each layer may know, the size of a file,
 * and things that must never stand in one. ARCHITECTURE.md has the map.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Layers and the others that each may import, besides itself, errors.ts, logger.ts, loop.ts, oneLine.ts and packages. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  textindex: [],
  store: ['textindex'],
  follow: ['store', 'textindex'],
  tables: ['follow', 'store', 'textindex'],
  serve: ['tables', 'store', 'textindex', 'log.ts', 'config.ts'],
  apps: ['serve', 'tables', 'follow', 'store', 'textindex'],
  'dev/embedded': [],
  'dev/fixtures': ['apps', 'tables', 'store'],
};

/** The folders of `tables`: each may import those before it. */
const TABLES_IN_ORDER = [
  ...['definition', 'query', 'explore', 'file', 'sample'],
  ...['search', 'rows', 'checkpoint', 'index', 'pipeline', 'watch'],
];

/** The later ones whose types a folder of `tables` may name: others hand it the objects. */
const TABLES_NAME: Readonly<Record<string, readonly string[]>> = {
  search: ['rows', 'index', 'pipeline'],
  rows: ['index'],
  checkpoint: ['index'],
};

/** Words of the administration service; "projection" and "projected" are the store's. */
const ADMIN_WORDS = /\w*(?:task|schedule|project(?!ion|ed\b)|\busers?'s|scope|artifact)\w*/gi;

/** The same words where BSON, the runtime and OpenTelemetry use them; OpenID's are in webUi.ts. */
const OTHERS_WORDS = /\$project\b|codeWithScope|queueMicrotask|macrotask|OTEL_BSP_SCHEDULE_DELAY/gi;

/** Files of one folder, at most. */
const MOST_FILES = 25;

/** The same for the folders of the web UI. */
const UI_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  words: [],
  state: ['words', 'clients'],
  tables: ['state', 'clients', 'words'],
  query: ['state', 'tables', 'clients', 'words'],
  present: ['state', 'tables', 'clients', 'words'],
  data: ['state', 'tables', 'query', 'present', 'clients', 'words'],
  parts: ['state', 'tables', 'query', 'present', 'clients', 'words'],
  regions: ['state', 'tables', 'query', 'present', 'data', 'parts', 'clients', 'words'],
  fixtures: ['state', 'tables', 'query', 'present', 'parts', 'clients'],
};

/** Packages that only some layers may know. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  koa: ['serve'],
  '@koa/router': ['serve'],
  '@koa/bodyparser': ['serve'],
  ajv: ['tables'],
  jose: ['serve'],
  'prom-client': ['serve'],
  'mongodb-memory-server-core': ['dev/embedded'],
  ...Object.fromEntries(
    ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map((name) => [
      `@opentelemetry/${name}`,
      ['serve'],
    ]),
  ),
};

interface SourceFile {
  readonly name: string;
  /** First folder below src, or the file's own name; two of them in `dev`. */
  readonly layer: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((name) => name !== '');

const sources: readonly SourceFile[] = tracked
  .filter((name) => /^src\/.*\.ts$/.test(name) && !name.includes('/assembly/'))
  .map((name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((match) => match[1]!);
    return { name, layer: layerOfFile(name), text, imports };
  });

function layerOfFile(name: string): string {
  const [, first = '', second = ''] = name.split('/');
  return first === 'dev' ? `dev/${second}` : first;
}

function layerOfImport(importer: string, specifier: string): string {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(importer), specifier));
  return layerOfFile(target);
}

describe('architecture', () => {
  it('keeps imports pointing one way', () => {
    const wrong = sources.flatMap(({ name, layer, imports }) => {
      const allowed = MAY_IMPORT[layer];
      if (!allowed) return [];
      return imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => layerOfImport(name, specifier))
        .filter(
          (target) =>
            ![layer, 'errors.ts', 'logger.ts', 'loop.ts', 'oneLine.ts', ...allowed].includes(
              target,
            ),
        )
        .map((target) => `${name} imports ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps the folders of tables in an order', () => {
    const wrong = sources.flatMap(({ name, layer, text }) => {
      if (layer !== 'tables') return [];
      const place = (file: string) => TABLES_IN_ORDER.indexOf(file.split('/')[2]!);
      const may = TABLES_NAME[name.split('/')[2]!] ?? [];
      expect(place(name), `${name} in the order`).at.least(0);
      return [...text.matchAll(/(?:(import|export) (type )?[^;]*? from|import\() ?'(\.[^']+)'/g)]
        .map(([, , type, specifier]) => ({
          isType: type !== undefined,
          target: path.posix.join(path.posix.dirname(name), specifier!),
        }))
        .filter(({ target }) => target.startsWith('src/tables/') && place(target) > place(name))
        .filter(({ isType, target }) => !isType || !may.includes(target.split('/')[2]!))
        .map(({ target }) => `${name} imports ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps folders small enough to read', () => {
    const counts: Record<string, number> = {};
    const ofTheUi = tracked.filter((name) => /^web\/.*\.tsx?$/.test(name));
    for (const name of [...sources.map((source) => source.name), ...ofTheUi]) {
      const folder = path.dirname(name);
      counts[folder] = (counts[folder] ?? 0) + 1;
    }
    const large = Object.entries(counts).filter(([, count]) => count > MOST_FILES);
    expect(large).to.deep.equal([]);
  });

  it('lets the text index be known by its index.ts alone', () => {
    const wrong = sources.flatMap(({ name, layer, imports }) =>
      imports
        .filter(
          (specifier) => layer !== 'textindex' && /\/textindex\/(?!index\.ts)/.test(specifier),
        )
        .map((specifier) => `${name} imports ${specifier}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('keeps the words of the administration service out of the engine', () => {
    const engine = /^(textindex|store|follow|tables|serve)$/;
    const wrong = sources
      .filter(({ layer }) => engine.test(layer))
      .flatMap(({ name, text }) => {
        const words = text.replace(OTHERS_WORDS, '').match(ADMIN_WORDS) ?? [];
        const own = words.filter((word) => word !== 'scope' || !name.endsWith('/webUi.ts'));
        return own.map((word) => `${name}: ${word}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it("keeps the web UI's imports pointing one way, and out of the service", () => {
    const wrong = tracked
      .filter((name) => /^web\/\w+\/.*\.tsx?$/.test(name))
      .flatMap((name) => {
        const layer = name.split('/')[1]!;
        const text = readFileSync(path.join(ROOT, name), 'utf8');
        const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, specifier]) =>
          path.posix.normalize(path.posix.join(path.posix.dirname(name), specifier!)),
        );
        const allowed = [layer, ...UI_MAY_IMPORT[layer]!].map((one) =>
          one === 'clients' ? 'clients/typescript/' : `web/${one}/`,
        );
        return imports
          .filter((target) => !allowed.some((one) => target.startsWith(one)))
          .map((target) => `${name} imports ${target}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('lets none but web/tables name a table or its views', () => {
    const named = /'(?:tasks|schedules|projects|users|audit|(?:admin|project|own)[A-Z]\w+s)'/g;
    const wrong = tracked
      .filter((name) => /^web\/(?!tables\/)\w+\/.*\.tsx?$/.test(name))
      .flatMap((name) => {
        const found = readFileSync(path.join(ROOT, name), 'utf8').match(named) ?? [];
        return found.map((one) => `${name}: ${one}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps tests apart from benches, which may use the worlds and supports of tests', () => {
    const wrong = tracked.filter(
      (name) =>
        /^test\/.*\.ts$/.test(name) &&
        /from '(\.\.\/)+bench\//.test(readFileSync(path.join(ROOT, name), 'utf8')),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('keeps development tooling out of the modules that production loads', () => {
    const outside = sources.filter(({ layer }) => !layer.startsWith('dev/'));
    const wrong = outside.filter(({ text }) =>
      /import (?!type\b)[^;]*from '\.{1,2}\/(\.\.\/)*dev\//.test(text),
    );
    expect(wrong.map(({ name }) => name)).to.deep.equal([]);
    const onDemand = outside.filter(({ text }) => /import\('[./]*\/dev\//.test(text));
    expect(onDemand.map(({ name }) => name)).to.deep.equal([
      'src/cli/commands/local.ts',
      'src/main.ts',
    ]);
  });

  it('agrees with the maps', () => {
    const mapOf = (page: string, folder: RegExp) => {
      const rows = readFileSync(path.join(ROOT, page), 'utf8').matchAll(
        /^\| `([^`]+)` \| .* \| ([^|]+) \|$/gm,
      );
      return Object.fromEntries(
        [...rows].map(([, name, known]) => {
          const layers = known === 'nothing' ? [] : known!.split(', ').sort();
          return [name!.replace(folder, ''), layers];
        }),
      );
    };
    const sorted = (may: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(may).map(([name, known]) => [name, [...known].sort()]));
    expect(mapOf('ARCHITECTURE.md', /^src\//)).to.deep.equal(sorted(MAY_IMPORT));
    expect(mapOf('web/README.md', /\/$/)).to.deep.equal(sorted(UI_MAY_IMPORT));
  });

  it('keeps packages in the layers that own them', () => {
    const wrong = sources.flatMap(({ name, layer, imports }) =>
      imports
        .filter((specifier) => ONLY_IN[specifier] && !ONLY_IN[specifier].includes(layer))
        .map((specifier) => `${name} imports ${specifier}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('keeps the driver out of pure code, and out of the edge', () => {
    const without =
      /^src\/(textindex|tables\/(definition|query|explore|file)|serve\/(?!auth|traces)|config|errors)/;
    // These folders may import types of the driver, and nothing else of it.
    const wrong = sources.filter(
      ({ name, text }) => without.test(name) && /import (?!type\b)[^;]*'mongodb'/.test(text),
    );
    expect(wrong.map(({ name }) => name)).to.deep.equal([]);
  });

  it('says of each package what it is for', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
      readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const used = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    const table = readFileSync(path.join(ROOT, 'docs/internals/dependencies.md'), 'utf8');
    const named = [...table.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap((row) => row[1]!.split(', '))
      .filter((name) => !name.endsWith('(PyPI)'))
      .map((name) => name.replaceAll('`', '').split(' ')[0]!);
    const without = used.filter((name) => !name.startsWith('@types/') && !named.includes(name));
    expect(without, 'used, and not said').to.deep.equal([]);
    const rest = ['package', '---', '(none)', '@types/*'];
    const unused = named.filter((name) => !used.includes(name) && !rest.includes(name));
    expect(unused, 'said, and not used').to.deep.equal([]);
  });

  it('keeps files readable in one go', () => {
    const long = sources
      .map(({ name, text }) => ({ name, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > 420);
    expect(long).to.deep.equal([]);
    const map = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'));
    expect(map.byteLength, 'bytes of ARCHITECTURE.md').below(12_000);
  });

  it('names files for their contents', () => {
    const vague = /\/(utils?|helpers?|common|misc|shared|lib)(\/|\.ts$)/;
    expect(
      tracked.filter((name) => vague.test(name) && !name.startsWith('test/support/')),
    ).to.deep.equal([]);
  });

  it('says nothing of one machine: no absolute paths, no registry, no secret', () => {
    const machine =
      /(^|[^A-Za-z0-9_.])\/(work|farm|root|home\/\w+)\/[a-z.]|registry\.npmjs|pypi\.org|BEGIN [A-Z ]*PRIVATE KEY/;
    const self = path.relative(ROOT, import.meta.filename);
    const wrong = tracked.filter((name) => {
      if (name === self || name === 'package-lock.json') return false;
      return machine.test(readFileSync(path.join(ROOT, name), 'utf8'));
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps resolved addresses out of the lock file', () => {
    const lock = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
    expect(lock).not.to.match(/"resolved": "http/);
  });

  it('opens every source file with what it is', () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text));
    expect(silent.map(({ name }) => name)).to.deep.equal([]);
  });
});
