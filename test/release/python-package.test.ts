import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, packedArchive, root } from './pack.ts';

const hasVenv = spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0;
const isSkipped = !hasVenv || !isReleaseTested || process.platform === 'win32';

/** A fresh environment of Python with the wheel, made from the packed file, and a PATH without Node.js. */
let [venv, searched, wheel] = ['', '', ''];

beforeAll(async () => {
  if (isSkipped) return;
  const folder = await temporaryFolder();
  const tarball = await packedArchive();
  await execute(process.execPath, ['scripts/release/wheel.ts', tarball, folder], { cwd: root });
  wheel = path.join(folder, (await readdir(folder)).find((file) => file.endsWith('.whl')) ?? '');
  venv = path.join(folder, 'venv');
  // A pip of its own would take 6 s of CPU.
  await execute('python3', ['-m', 'venv', '--without-pip', venv]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  const intoVenv = ['-m', 'pip', '--python', path.join(venv, 'bin', 'python')];
  await execute('python3', [...intoVenv, 'install', ...quiet, `${wheel}[pytest]`]);
  const few = path.join(folder, 'few');
  await mkdir(few);
  searched = [path.join(venv, 'bin'), few].join(path.delimiter);
});

/** Starts a command in a folder with nothing but Python on the PATH, and returns its exit code and what it printed. */
async function start(cwd: string, command: readonly string[], whileRunning?: (pid: number) => Promise<void>) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { PATH: searched, HOME: cwd, NO_COLOR: '1' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  await whileRunning?.(child.pid ?? 0);
  const [code, signal] = await closed;
  return { ended: code ?? signal, output };
}

const slow = [
  'import sys, time',
  'for line in sys.stdin:',
  '    open("asked", "w").close()',
  '    time.sleep(600)',
];
const failing = [
  'import json, sys',
  'for line in sys.stdin:',
  '    asked = json.loads(line)',
  '    if "coffee" not in asked["input"]:',
  '        sys.exit(7)',
  '    print(json.dumps({"id": asked["id"], "answer": "3.20"}), flush=True)',
];

test.skipIf(isSkipped)(
  'with Python alone, the wheel brings its own Node.js: a first number, and the exit code of every end of a run (needs python3 with venv) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    await cp(path.join(root, 'examples', 'python-bot'), folder, { recursive: true });
    await writeFile(path.join(folder, 'slow.py'), slow.join('\n'));
    await writeFile(path.join(folder, 'failing.py'), failing.join('\n'));
    const config = (bot: string, gate: unknown) =>
      JSON.stringify({
        dataset: 'golden.jsonl',
        targets: [{ use: 'command', name: 'bot', command: ['python3', bot] }],
        gate,
      });
    const rules = { sure: { type: 'pass-rate', atLeast: 80, confidence: 0.95 } };
    await writeFile(path.join(folder, 'unsure.json'), config('bot.py', { rules }));
    await writeFile(path.join(folder, 'failing.json'), config('failing.py', { failUnder: 50 }));
    await writeFile(path.join(folder, 'slow.json'), config('slow.py', { failUnder: 50 }));
    const first = await start(folder, ['touchstone', 'run']);
    expect(first).toEqual({ ended: 0, output: expect.stringMatching(/^python-bot {2}96 %, likely/m) });
    const runs = [
      ['--fail-under', '90'],
      ['--fail-under', '99'],
      ['failing.json'],
      ['unsure.json'],
      ['--no-such-option'],
    ];
    const ended = [];
    for (const args of runs) ended.push(await start(folder, ['touchstone-evals', 'run', ...args]));
    expect(ended.map((run) => run.ended)).toEqual([0, 1, 2, 3, 4]);
    const interrupted = await start(folder, ['touchstone', 'run', 'slow.json'], async (pid) => {
      await expect.poll(() => readdir(folder), { timeout: 60_000 }).toContain('asked');
      process.kill(pid, 'SIGINT');
    });
    expect(interrupted).toMatchObject({ ended: 130 });
    const next = await start(folder, ['touchstone', 'init', 'my-eval', '--yes']);
    expect(next.output).toContain('cd my-eval && touchstone run');
    expect((await start(path.join(folder, 'my-eval'), ['touchstone', 'run'])).ended).toBe(0);
    expect((await start(folder, ['touchstone', 'docs', 'gate'])).output).toContain('docs/gate.md');
    // A metric with a package that is in no bundle.
    await writeFile(
      path.join(folder, 'answers.jsonl'),
      '{"question":"x","answer":"{\\"at\\":\\"a@b.org\\"}"}',
    );
    const schema = { type: 'object', properties: { at: { type: 'string', format: 'email' } } };
    const metrics = [{ use: 'json-schema', schema }];
    await writeFile(path.join(folder, 'schema.json'), JSON.stringify({ dataset: 'answers.jsonl', metrics }));
    const scored = await start(folder, ['touchstone', 'score', 'answers.jsonl', '--config', 'schema.json']);
    expect(scored.output).not.toContain('cannot be used');
    expect(scored.output).toContain('said');
    const doctor = await start(folder, ['touchstone', 'doctor']);
    expect(doctor.output).toContain('by pip');
  },
);

test.skipIf(isSkipped)(
  'pytest finds the plugin of the wheel, and a gate that is not there does not pass (needs python3 with venv) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    const row = { id: 'lamp', question: 'What does the lamp cost?', expected_keywords: ['49'] };
    await writeFile(path.join(folder, 'golden.jsonl'), JSON.stringify(row));
    const lines = [
      'from touchstone_evals import golden',
      'test_golden = golden(lambda question: "49", "golden.jsonl")',
      'test_gated = golden(lambda question: "49", "golden.jsonl", fail_under=85)',
    ];
    await writeFile(path.join(folder, 'test_shop.py'), `${lines.join('\n')}\n`);
    const { output } = await start(folder, ['pytest', '-q', '-rs', 'test_shop.py']);
    expect(output).toContain('3 passed, 1 skipped');
    expect(output).toContain('there is no gate, such as fail_under=85: <Report of run');
  },
);

test.skipIf(isSkipped)(
  'a project that has Touchstone uses its own, with the Node.js of the wheel (needs python3 with venv) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    const [bin, other] = [
      path.join(folder, 'node_modules', '.bin'),
      path.join(folder, 'node_modules', 'touchstone-evals'),
    ];
    await mkdir(bin, { recursive: true });
    await mkdir(path.join(other, 'bin'), { recursive: true });
    await writeFile(path.join(other, 'package.json'), JSON.stringify({ version: '99.1.0' }));
    await writeFile(path.join(other, 'bin', 'touchstone.js'), 'console.log("the one of the project")\n');
    await writeFile(path.join(bin, 'touchstone'), '#!/usr/bin/env node\n');
    await chmod(path.join(bin, 'touchstone'), 0o755);
    const { ended, output } = await start(folder, ['touchstone', 'run']);
    expect(ended).toBe(0);
    expect(output).toMatch(/^Touchstone 99\.1\.0 of node_modules is used; the Python package is /);
    expect(output).toContain('the one of the project');
  },
);
