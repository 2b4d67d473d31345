/**
 * `npm run licences` lists the packages that are installed with this one, and their licences, from npm's
 * own bill of materials.
 *
 * It ends with 1 if one of them has a licence that is not in the list below, or if any package has
 * none, packages of the build included.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** These let anybody use, change and pass on a package, also within a program without its source. */
const KNOWN = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

const root = path.resolve(import.meta.dirname, '..');

function components(...omit) {
  const args = ['sbom', '--sbom-format=cyclonedx', ...omit];
  const text = execFileSync('npm', args, { cwd: root, maxBuffer: 2 ** 26, encoding: 'utf8' });
  return JSON.parse(text).components.map(({ name, version, licenses = [] }) => ({
    name: `${name} ${version}`,
    licence: licenses.map(({ expression, license }) => expression ?? license.id).join(' or '),
  }));
}

const installed = components('--omit=dev');
for (const { name, licence } of installed) console.log(name.padEnd(44), licence);

const refused = [
  ...installed.filter(({ licence }) => licence !== '' && !KNOWN.includes(licence)),
  ...components().filter(({ licence }) => licence === ''),
];
for (const { name, licence } of refused) {
  console.error(`${name}: ${licence === '' ? 'no licence' : `${licence} is not in the list`}`);
}
process.exitCode = refused.length === 0 ? 0 : 1;
