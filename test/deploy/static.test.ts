/**
 * The files of deploy/ without a cluster. The linter or the schema of its kind checks each file,
 * and the tests compare its statements with the service and with the other files.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { OPERATIONS } from '../../clients/typescript/contract.ts';
import { diskFor, FIGURES, memoryFor, searchMaxFor } from '../../deploy/sizing.mjs';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { useFolder } from '../support/folder.ts';
import { type PythonTools, pythonToolsOrSkip } from '../support/pythonTools.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const REQUIREMENTS = new URL('requirements.txt', import.meta.url);
const MIB = 2 ** 20;
const run = promisify(execFile);

const textOf = (file: string) => readFileSync(path.join(DEPLOY, file), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: files of many shapes
const yaml = (file: string): any => parse(textOf(file), { merge: true });
const manifests = readdirSync(path.join(DEPLOY, 'kubernetes')).filter((file) => /yaml$/.test(file));
interface Named {
  readonly metadata: { readonly name: string };
}

/** The Deployment with the patch of the component checkpoints/. */
function statefulSet() {
  const whole = yaml('kubernetes/deployment.yaml');
  for (const { op, path: at, value } of parse(
    yaml('kubernetes/checkpoints/kustomization.yaml').patches[0].patch,
  )) {
    const steps: string[] = at.split('/').slice(1);
    const last = steps.pop()!;
    const parent = steps.reduce((one, step) => one[step], whole);
    if ((op === 'add') === last in parent) throw new Error(`${op} ${at}: it would fail`);
    if (op === 'remove') delete parent[last];
    else parent[last] = value;
  }
  return whole;
}

/** Kinds that the cluster itself does not know, and so no schema of its own. */
const FOREIGN = ['kustomization.yaml', 'podmonitor.yaml'];

describe('deploy/, by the linter or schema of each file', function suite() {
  // The first run installs them.
  this.timeout(600_000);
  const folder = useFolder('manifests');
  let tools: PythonTools;

  before(async function install() {
    tools = await pythonToolsOrSkip(this as unknown as Mocha.Context, REQUIREMENTS);
  });

  async function tool(name: string, ...args: string[]): Promise<string> {
    const [command, ...own] = tools.script(name);
    const options = { cwd: DEPLOY, env: tools.env };
    const { stdout } = await run(command, [...own, ...args], options).catch((error) => {
      throw new Error(`${name}: ${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  it('the Dockerfile: hadolint', async () => {
    expect(await tool('hadolint', '--no-color', 'Dockerfile')).equal('');
  });

  it('the compose file: the schema of its specification', async () => {
    const args = ['--builtin-schema', 'vendor.compose-spec', 'compose.yaml'];
    expect(await tool('check-jsonschema', ...args)).include('ok');
  });

  it('the manifests: the schemas of Kubernetes, with no member it does not know', async () => {
    const files = manifests.filter((file) => !FOREIGN.includes(file));
    expect(files).lengthOf.at.least(8);
    await tool('kubernetes-validate', '--strict', ...files.map((file) => `kubernetes/${file}`));
    const file = path.join(folder, 'statefulset.yaml');
    await writeFile(file, stringify(statefulSet()));
    await tool('kubernetes-validate', '--strict', file);
  });

  it("the proxy's configuration: nginx's own directives, each where it may stand", async () => {
    const parsed = JSON.parse(await tool('crossplane', 'parse', 'proxy/nginx.conf'));
    expect(parsed).include({ status: 'ok' });
    expect(parsed.errors).eql([]);
  });
});

describe('the systemd unit', () => {
  const folder = useFolder('unit');
  /** The output of systemd-analyze on the unit, with the path of this Node in it. */
  async function analyzed(...args: string[]): Promise<string> {
    const file = path.join(folder, 'table-search.service');
    const unit = textOf('systemd/table-search.service');
    await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = await run('systemd-analyze', [...args, file]);
    return stdout + stderr;
  }

  before(function isThere() {
    try {
      execFileSync('systemd-analyze', ['--version']);
    } catch {
      process.stderr.write('SKIPPED: there is no systemd-analyze\n');
      this.skip();
    }
  });

  it('is one that systemd takes', async () => {
    expect(await analyzed('verify')).equal('');
  });

  it('exposes next to nothing', async () => {
    const said = await analyzed('security', '--offline=true', '--threshold=15');
    expect(said).match(/exposure level for table-search\.service: 1\.\d OK/);
  });
});

describe('deploy/, held against the service', () => {
  const compose = yaml('compose.yaml');
  const deployment = yaml('kubernetes/deployment.yaml');
  const [container] = deployment.spec.template.spec.containers;
  const names = Object.values(SETTINGS).map(({ name }) => name);
  const seconds = (text: string) => Number(text.replace(/s$/, ''));

  it('sets what the service knows', () => {
    const secret = yaml('kubernetes/secret.example.yaml').stringData;
    const instance = compose.services['instance-0'].environment;
    const env = container.env.map(({ name }: { name: string }) => name);
    expect(names).include.members([...Object.keys(secret), ...Object.keys(instance), ...env]);
    const asked = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const given = [...textOf('compose.env.example').matchAll(/^(\w+)=$/gm)].map(([, name]) => name);
    expect(given.sort()).eql([...new Set(asked)].sort());
  });

  it('keeps the secrets that it says to make out of commits and images', () => {
    for (const ignored of ['.gitignore', '.dockerignore']) {
      const lines = textOf(`../${ignored}`).split('\n');
      const last = lines.findLastIndex((line) => line.startsWith('!'));
      for (const file of ['deploy/.env', 'deploy/kubernetes/secret.yaml']) {
        const at = lines.findIndex((line) => line.replace(/^\//, '') === file);
        expect(at, `${ignored}: ${file}`).greaterThan(last);
      }
    }
  });

  it('gives memory by the formula', () => {
    const { annotations } = deployment.metadata;
    const rows = {
      tasks: Number(annotations['table-search/tasks']),
      others: Number(annotations['table-search/others']),
    };
    const mib = memoryFor(rows) / MIB;
    expect(container.resources.limits.memory).equal(`${mib}Mi`);
    expect(container.resources.requests.memory).equal(`${mib}Mi`);
    expect(textOf('systemd/table-search.service')).include(`MemoryMax=${mib}M\n`);
    expect(compose.services['instance-0'].mem_limit).equal(`${mib}m`);
    const defaults = readConfig({ AUTH_JWT_SECRET: 'x'.repeat(32) });
    expect(FIGURES).include({
      requests: defaults.requestMemoryBytes,
      rowsMemory: defaults.rowsMemoryBytes,
      searchMax: defaults.searchMaxBytes,
    });
    const [volume] = deployment.spec.template.spec.volumes;
    expect(volume.emptyDir.sizeLimit).equal(`${diskFor(rows) / MIB}Mi`);
    const [claim] = statefulSet().spec.volumeClaimTemplates;
    expect(claim.spec.resources.requests.storage).equal(`${diskFor(rows) / MIB}Mi`);
  });

  it('raises SEARCH_MAX_BYTES where a table needs more than its default', () => {
    const gib = [1e6, 11e6, 12e6, 30e6].map((tasks) => searchMaxFor({ tasks }));
    expect(gib).eql([undefined, undefined, '5gb', '11gb']);
  });

  it('has a volume at each CHECKPOINT_DIR, of one instance alone', () => {
    const of = (name: string) => compose.services[name];
    const [first, second] = ['instance-0', 'instance-1'].map((name) => of(name).volumes[0]);
    const { CHECKPOINT_DIR } = of('instance-0').environment;
    expect([first, second]).eql([
      `checkpoint-0:${CHECKPOINT_DIR}`,
      `checkpoint-1:${CHECKPOINT_DIR}`,
    ]);
    expect(compose.volumes).include.keys('checkpoint-0', 'checkpoint-1');
    const own = container.env.find(({ name }: { name: string }) => name === 'CHECKPOINT_DIR').value;
    for (const { spec, names } of [
      { spec: deployment.spec.template.spec, names: deployment.spec.template.spec.volumes },
      {
        spec: statefulSet().spec.template.spec,
        names: statefulSet().spec.volumeClaimTemplates.map((one: Named) => one.metadata),
      },
    ]) {
      const [{ name, mountPath }] = spec.containers[0].volumeMounts;
      expect({ name, mountPath }).eql({ name: names[0].name, mountPath: own });
    }
    expect(textOf('Dockerfile')).include(' state/table-search\n').include('/app/state /var/lib\n');
  });

  it('waits longer than the service takes to end', () => {
    const { shutdownTimeoutMs } = readConfig({ AUTH_JWT_SECRET: 'x'.repeat(32) });
    // Four parts close after the requests, each in five seconds at most: service.ts.
    const takes = shutdownTimeoutMs / 1_000 + 4 * 5;
    const { preStop } = container.lifecycle;
    const { terminationGracePeriodSeconds: grace } = deployment.spec.template.spec;
    expect(grace - preStop.sleep.seconds).at.least(takes);
    expect(seconds(compose.services['instance-0'].stop_grace_period)).at.least(takes);
    const [, stop] = /^TimeoutStopSec=(\d+)$/m.exec(textOf('systemd/table-search.service'))!;
    expect(Number(stop)).at.least(takes);
  });

  it('keeps connections longer than the proxy does', () => {
    const [, kept] = /keepalive_timeout (\d+)s;/.exec(textOf('proxy/nginx.conf'))!;
    for (const value of [
      compose.services['instance-0'].environment.KEEP_ALIVE_TIMEOUT_MS,
      container.env.find(({ name }: { name: string }) => name === 'KEEP_ALIVE_TIMEOUT_MS').value,
    ]) {
      expect(Number(value)).greaterThan(Number(kept) * 1_000);
    }
  });

  it('has the proxy send no change twice', () => {
    const [, once] = /location ~ (\S+) \{\s+proxy_next_upstream off;/.exec(
      textOf('proxy/nginx.conf'),
    )!;
    // nginx sends these to the next instance when an answer is lost, unless told otherwise.
    const changes = Object.values(OPERATIONS).filter(({ method }) => /PUT|DELETE/.test(method));
    expect(changes).lengthOf.at.least(5);
    for (const { path: at } of changes) {
      expect(at.replace(/\{\w+\}/g, '0193f0a5-6f0e-7c4b-9d1e-2b7a54c0de11')).match(RegExp(once!));
    }
  });

  it('lets Prometheus and traces through, under the names that the rules and the documents have', () => {
    const { jobLabel } = yaml('kubernetes/podmonitor.yaml').spec;
    const [, job] = /up\{job="([^"]+)"\}/.exec(textOf('prometheus/alerts.yml'))!;
    expect(deployment.spec.template.metadata.labels[jobLabel]).equal(job);
    const [, port] = /OTLP_ENDPOINT=http:\/\/collector:(\d+)/.exec(
      textOf('../docs/operations.md'),
    )!;
    const { egress } = yaml('kubernetes/networkpolicy.yaml').spec;
    const open = egress.flatMap(({ ports }: { ports: { port: number }[] }) => ports);
    expect(open.map((one: { port: number }) => one.port)).include(Number(port));
  });

  it('names every manifest, and labels that fit', () => {
    const { resources } = yaml('kubernetes/kustomization.yaml');
    const listed = [...resources, 'kustomization.yaml', 'podmonitor.yaml'];
    expect(listed.map((file) => file.replace('secret.', 'secret.example.')).sort()).eql(manifests);
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      yaml('kubernetes/service.yaml').spec.selector,
      yaml('kubernetes/poddisruptionbudget.yaml').spec.selector.matchLabels,
      yaml('kubernetes/networkpolicy.yaml').spec.podSelector.matchLabels,
      yaml('kubernetes/podmonitor.yaml').spec.selector.matchLabels,
    ]) {
      expect(selector).eql(labels);
    }
  });
});
