/**
 * Builds the SIMD kernel, `build/kernel.wasm`, from its AssemblyScript source when that is newer.
 *
 * The compiler takes seconds and the source changes rarely; every start of the demo and every test
 * run comes through here.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const kernel = path.join(root, 'src/textindex/kernel');
const built = path.join(root, 'build/kernel.wasm');

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  path.join(kernel, 'asconfig.json'),
  path.join(root, 'package-lock.json'),
  ...['assembly', 'structs'].flatMap((folder) =>
    readdirSync(path.join(kernel, folder)).map((name) => path.join(kernel, folder, name)),
  ),
];

if (sources.some((file) => changedAt(file) >= changedAt(built))) {
  const asc = path.join(root, 'node_modules/assemblyscript/bin/asc.js');
  const args = ['src/textindex/kernel/assembly/index.ts', '--config', `${kernel}/asconfig.json`];
  execFileSync(process.execPath, [asc, ...args], { cwd: root, stdio: 'inherit' });
}
