/** Versions that are written down in several places are the same everywhere. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
}

describe('the versions', () => {
  const service = JSON.parse(read('package.json')) as Manifest;
  const client = JSON.parse(read('clients/typescript/package.json')) as Manifest;
  const [, ...nodes] = /NODES = \[(.*)\]/
    .exec(read('test/nodes/main.ts'))![1]!
    .split(', ')
    .map((quoted) => quoted.slice(1, -1));

  it('of the service and of its client are one', () => {
    expect(client.version).equal(service.version);
    expect(client.engines).eql(service.engines);
  });

  it('of Node: types are those of the lowest, the image has the newest of those that are tested', () => {
    const [, lowest] = /^>=(\d+)\.\d+$/.exec(service.engines.node)!;
    expect(service.devDependencies['@types/node']).match(new RegExp(`^\\^${lowest}\\.`));
    const [, image] = /^FROM node:(\d+)-/m.exec(read('deploy/Dockerfile'))!;
    expect(image).equal(nodes.at(-1));
  });
});
