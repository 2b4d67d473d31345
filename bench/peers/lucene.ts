/**
 * Lucene with fields of grams, its documents in the default order and a hundred of them deleted: a
 * small Java program that a JDK compiles as it starts it. Maven fetches the library into the bench's
 * folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PeerQuestion } from './condition.ts';
import { COLUMNS } from './document.ts';
import { LineProcess } from './lineProcess.ts';
import type { Absent, Peer } from './peer.ts';

export const LUCENE = 'Lucene';
const VERSION = '10.6.0';
/** The library's classes need it. */
const LEAST_JAVA = 21;

export async function openLucene(
  folder: string,
  lines: string,
  count: number,
): Promise<Peer | Absent> {
  const { JAVA_HOME } = process.env;
  const java = JAVA_HOME ? path.join(JAVA_HOME, 'bin', 'java') : 'java';
  const jar = path.join(folder, `lucene-core-${VERSION}.jar`);
  try {
    // A runtime without a compiler fails here.
    const { stdout } = spawnSync(java, ['--list-modules'], { encoding: 'utf8' });
    const [, major = 0] = /^jdk\.compiler@(\d+)/m.exec(stdout ?? '') ?? [];
    if (Number(major) < LEAST_JAVA) {
      throw new Error(`no JDK of version ${LEAST_JAVA} or later; JAVA_HOME may name one`);
    }
    if (!existsSync(jar)) {
      mkdirSync(folder, { recursive: true });
      const artifact = `-Dartifact=org.apache.lucene:lucene-core:${VERSION}`;
      const args = ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`];
      execFileSync('mvn', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    }
  } catch (error) {
    const [why] = String(error).split('\n');
    return { name: LUCENE, absent: why! };
  }
  const script = fileURLToPath(new URL('lucene.java', import.meta.url));
  const modules = ['--add-modules', 'jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED'];
  const lucene = new LineProcess(LUCENE, java, [
    ...[...modules, '-Xmx4g', '-cp', jar, script, path.join(folder, 'index')],
  ]);
  const columns = Object.entries(COLUMNS).map((column) => column.join(' '));
  const { version } = await lucene.send<{ version: string }>(
    ['fill', lines, count, ...columns].join('\t'),
  );
  return {
    name: LUCENE,
    version,
    ask: (question) => lucene.send(lineOf(question)),
    close: () => lucene.close(),
  };
}

function lineOf({
  text,
  equals,
  contains,
  sortBy,
  descending,
  page,
  perPage,
}: PeerQuestion): string {
  return [
    ...['ask', text, sortBy, descending ? 'desc' : 'asc', (page - 1) * perPage, perPage],
    ...equals.flatMap(({ column, values }) => ['=', column, ...values]),
    ...contains.flatMap((one) => ['~', one.column, one.text]),
  ].join('\t');
}
