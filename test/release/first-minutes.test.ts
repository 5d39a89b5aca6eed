import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { python } from '../support/terminal.ts';
import { execute, installPacked, root } from './pack.ts';

/** Returns the lines of a file that a process may have written. */
async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1|\/.*)$/;

test.skipIf(!isReleaseTested)(
  'from an empty home and npm alone to the first number: no key, nothing written beside the project, no request outside of this machine (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()];
    const { stdout: cache } = await execute('npm', ['config', 'get', 'cache']);
    const began = performance.now();
    const modules = await installPacked(project, {
      HOME: home,
      USERPROFILE: home,
      npm_config_cache: cache.trim(),
    });
    const installed = performance.now();
    const noted = path.join(project, 'requests.txt');
    const env = {
      HOME: home,
      USERPROFILE: home,
      PATH: `${path.join(modules, '.bin')}${path.delimiter}${process.env['PATH']}`,
      NODE_OPTIONS: `--import ${import.meta.resolve('./note-requests.ts')}`,
      NOTED_REQUESTS: noted,
      NO_COLOR: '1',
    };
    const atHome = await readdir(home);
    const { stdout: shown } = await execute('touchstone', ['init', 'my-eval', '--yes'], {
      cwd: project,
      env,
    });
    const next = shown.trimEnd().split('\n').at(-1) ?? '';
    expect(next).toBe('cd my-eval && touchstone run');
    const { stdout: report } = await execute('sh', ['-c', next], { cwd: project, env });
    const ended = performance.now();
    expect(report).toMatch(/^my-bot  \d+ %, likely [\d.]+ to [\d.]+, from 10 questions/m);
    expect(await readdir(home)).toEqual(atHome);
    expect((await readdir(project)).toSorted()).toEqual(
      expect.arrayContaining(['my-eval', 'node_modules', 'package.json']),
    );
    expect((await linesOf(noted)).filter((host) => !loopback.test(host))).toEqual([]);
    // What is written down is what is sent: a program that asks somebody else is seen.
    const asks = `await fetch('http://somewhere.test/').catch(() => {}); await fetch('http://127.0.0.1:49151/').catch(() => {});`;
    await execute(process.execPath, ['--input-type=module', '-e', asks], { env });
    const seen = await linesOf(noted);
    expect(seen).toEqual(expect.arrayContaining(['somewhere.test', '127.0.0.1']));
    expect(seen.filter((host) => !loopback.test(host))).toEqual(expect.arrayContaining(['somewhere.test']));
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
    process.stdout.write(
      `from nothing to the first number: ${seconds(began, ended)}, of which npm took ${seconds(began, installed)}\n`,
    );
  },
);

/** The tests that answer questions on a terminal, look at the first screen there, and follow a run in the browser. */
const onTerminals = ['init', 'run-view', 'waiting'].map((name) => `test/${name}.test.ts`);

test.skipIf(!isReleaseTested || python === '')(
  'the packed and installed program asks, runs, shows and stops on a terminal as the one of the repository does (needs TOUCHSTONE_TEST_ALL=1, python3)',
  async () => {
    const project = await temporaryFolder();
    const modules = await installPacked(project);
    const installed = path.join(modules, 'touchstone', 'bin', 'touchstone.js');
    const program = path.join(project, 'start.mjs');
    const started = path.join(project, 'started.txt');
    await writeFile(
      program,
      `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(started)}, (process.stdout.isTTY ? 'terminal ' : 'pipe ') + process.argv.slice(2, 3) + '\\n');
await import(${JSON.stringify(pathToFileURL(installed).href)});
`,
    );
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const failed = ({ stdout }: { stdout: string }) => expect.fail(stdout);
    const { stdout } = await execute(
      process.execPath,
      [vitest, 'run', '--project', 'system', ...onTerminals],
      {
        cwd: root,
        env: { ...process.env, TOUCHSTONE_TEST_PROGRAM: program },
      },
    ).catch(failed);
    expect(stdout).toContain('3 passed');
    const starts = await linesOf(started);
    for (const start of ['terminal init', 'terminal run', 'pipe init']) expect(starts).toContain(start);
  },
);
