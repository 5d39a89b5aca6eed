import { spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hasVenv = spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0;

test.skipIf(!hasVenv || !isReleaseTested)(
  'pip installs the Python package, and pytest finds its plugin (needs python3 with venv) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    const call = (program: string, ...rest: string[]) => {
      const env = {
        ...process.env,
        TOUCHSTONE: `"${process.execPath}" "${path.join(root, 'bin', 'touchstone.js')}"`,
      };
      const { status, stdout, stderr } = spawnSync(program, rest, { cwd: folder, env, encoding: 'utf8' });
      if (status !== 0) expect.fail(`${stdout}${stderr}`);
      return stdout;
    };
    await cp(path.join(root, 'integrations', 'python'), path.join(folder, 'package'), { recursive: true });
    call('python3', '-m', 'venv', 'venv');
    const python = path.join(
      folder,
      'venv',
      process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python',
    );
    call(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', './package[pytest]');
    const row = { id: 'lamp', question: 'What does the lamp cost?', expected_keywords: ['49'] };
    await writeFile(path.join(folder, 'golden.jsonl'), JSON.stringify(row));
    await writeFile(
      path.join(folder, 'test_shop.py'),
      'from touchstone_eval import golden\ntest_golden = golden(lambda question: "49", "golden.jsonl")\n',
    );
    expect(call(python, '-m', 'pytest', '-q', 'test_shop.py')).toContain('2 passed');
  },
);
