import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = path.resolve(import.meta.dirname, '..');
const python = path.join(root, 'integrations', 'python');
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
/** True where the packages are installed that the test of a notebook needs. */
const hasNotebooks = spawnSync('python3', ['-c', 'import nbclient, ipykernel']).status === 0;

test.skipIf(!hasPytest || !isReleaseTested)(
  'the Python package passes its own tests by the real command line (needs pytest) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    const plugin = '-p touchstone_evals.pytest_plugin';
    const tests = spawn(
      'python3',
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--basetemp', folder, 'tests'],
      {
        cwd: python,
        env: {
          ...process.env,
          PYTHONPATH: python,
          PYTHONDONTWRITEBYTECODE: '1',
          TOUCHSTONE: `"${process.execPath}" "${path.join(root, 'bin', 'touchstone.js')}"`,
          TOUCHSTONE_EVAL_PLUGIN: plugin,
        },
      },
    );
    let output = '';
    tests.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    tests.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = await once(tests, 'close');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(hasNotebooks ? /\d+ passed in/ : /\d+ passed, 1 skipped in/),
    });
  },
);
