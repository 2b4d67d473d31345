/**
 * Copies the files that `/docs` is shown with, and their licence, from swagger-ui-dist into
 * `build/reference`. The service needs 1.6 of the 12 MB of that package, and none of its
 * dependencies, one of which reports installs.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const from = path.join(root, 'node_modules/swagger-ui-dist');
const to = path.join(root, 'build/reference');

const NAMES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

mkdirSync(to, { recursive: true });
for (const name of NAMES) copyFileSync(path.join(from, name), path.join(to, name));
