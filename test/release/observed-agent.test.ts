import { spawn, spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { program, temporaryFolder } from '../run-cli.ts';

/** The Python with the packages of the example, where another than the system's has them. */
const python = process.env['TOUCHSTONE_TEST_MCP_PYTHON'] ?? 'python3';
const hasPackages = spawnSync(python, ['-c', 'import agents, mcp.server.mcpserver']).status === 0;
const hasNamespaces = spawnSync('unshare', ['-n', '-r', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
const example = path.resolve(import.meta.dirname, '../../examples/observed-agent');

interface Call {
  readonly name: string;
  readonly from: string;
  readonly fault?: string;
}

/** Prepares the example with the service of its orders on a free port. */
async function prepareExample() {
  const folder = await temporaryFolder();
  await cp(example, folder, { recursive: true });
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const config = path.join(folder, 'touchstone.config.yaml');
  const text = (await readFile(config, 'utf8')).replace('8801', String(port)).replaceAll('python3', python);
  await writeFile(config, text);
  const orders = spawn(python, ['orders.py', String(port)], {
    cwd: folder,
    stdio: 'ignore',
  });
  onTestFinished(() => void orders.kill('SIGKILL'));
  const isUp = async () =>
    await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  const execute = (args: readonly string[], before: readonly string[] = []) => {
    const [file = '', ...rest] = [...before, process.execPath, program, ...args];
    return spawnSync(file, rest, { cwd: folder, encoding: 'utf8' });
  };
  /** Runs the example, and returns the answers and the calls of its questions. */
  const run = (args: readonly string[] = [], before: readonly string[] = []) => {
    const { status, stderr } = execute(['run', ...args], before);
    if (status === null || status > 3) expect.fail(stderr);
    const trials = execute(['export', 'latest'])
      .stdout.split('\n')
      .filter((line) => line.includes('"transcript"'))
      .map(
        (line) =>
          JSON.parse(line).result.trial as {
            caseId: string;
            answer: string;
            transcript: { toolCalls?: Call[] }[];
          },
      );
    const callsOf = (transcript: { toolCalls?: Call[] }[]) =>
      transcript.flatMap(({ toolCalls = [] }) => toolCalls);
    return trials.map(({ caseId, answer, transcript }) => ({ caseId, answer, calls: callsOf(transcript) }));
  };
  const edit = async (from: string, to: string) => await writeFile(config, text.replace(from, to));
  return { folder, run, edit, stop: () => void orders.kill('SIGKILL') };
}

test.skipIf(!hasPackages)(
  'an agent on a real framework is observed, recorded, replayed without tools, mocked, refused and broken (needs the Python package of agents-sdk)',
  async () => {
    const { folder, run, edit, stop } = await prepareExample();
    const cassette = async () => await readFile(path.join(folder, 'cassettes', 'shop.jsonl'), 'utf8');
    const recorded = run(['--tools', 'record']);
    const first = await cassette();
    expect(recorded[0]?.calls.map(({ name, from }) => `${name} ${from}`)).toEqual([
      'get_order tool',
      'find_stock tool',
      'reserve tool',
    ]);
    expect(first).toContain('"id":1290461237612345678');
    run(['--tools', 'record']);
    expect(await cassette()).toBe(first);

    await edit('# deny: [reserve]', 'deny: [reserve]');
    expect(run(['--limit', '1'])[0]).toMatchObject({
      answer: expect.stringContaining('could not get'),
      calls: [{}, {}, { from: 'refused' }],
    });
    await edit('# mocks:', 'mocks:');
    expect(run(['--limit', '1'])[0]).toMatchObject({
      answer: expect.stringContaining('is reserved'),
      calls: [{}, {}, { from: 'mock' }],
    });
    await edit('', '');
    const broken = run(['--limit', '1', '--faults', 'error']);
    expect(broken.flatMap(({ calls }) => calls.map(({ fault }) => fault))).toContain('error');

    stop();
    const nowhere = hasNamespaces
      ? [
          'unshare',
          '-n',
          '-r',
          'sh',
          '-c',
          'ip link set lo up && "$0" "$@"; code=$?; cp /proc/net/snmp connections; exit $code',
        ]
      : [];
    const replayed = run(['--tools', 'replay'], nowhere);
    expect(replayed.map(({ answer }) => answer)).toEqual(recorded.map(({ answer }) => answer));
    expect(replayed.flatMap(({ calls }) => calls.map(({ from }) => from))).toEqual(
      recorded.flatMap(({ calls }) => calls.map(({ from }) => (from === 'tool' ? 'cassette' : from))),
    );
    expect(await cassette()).toBe(first);
    if (!hasNamespaces) return;
    // Nothing was sent that has no way out, and no connection on this machine was refused, as one to the stopped service would be.
    const counted = countersOf(await readFile(path.join(folder, 'connections'), 'utf8'));
    expect(counted('Tcp', 'ActiveOpens')).toBeGreaterThan(0);
    expect([counted('Ip', 'OutNoRoutes'), counted('Tcp', 'AttemptFails')]).toEqual([0, 0]);
  },
);

/** Returns the counters of a network namespace: a line with names and one with values for each protocol. */
function countersOf(text: string) {
  return (protocol: string, name: string): number => {
    const [names = [], values = []] = text
      .split('\n')
      .filter((line) => line.startsWith(`${protocol}: `))
      .map((line) => line.split(' '));
    return Number(values[names.indexOf(name)]);
  };
}
