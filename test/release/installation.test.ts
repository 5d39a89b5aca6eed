import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { python } from '../support/terminal.ts';
import { execute, installPacked, root } from './pack.ts';

/** An installation of the packed program in a project, by a person with an empty home. */
let [home, project, modules] = ['', '', ''];
let npmSeconds = 0;

beforeAll(async () => {
  if (!isReleaseTested) return;
  ({ home, modules, seconds: npmSeconds } = await installPacked());
  project = path.dirname(modules);
});

/** Returns the lines of a file that a process may have written. */
async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1|\/.*)$/;

test.skipIf(!isReleaseTested)(
  'from an empty home and npm alone to the first number: no key, nothing written beside the project, no request outside of this machine (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const began = performance.now();
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
    const seconds = npmSeconds + (ended - began) / 1000;
    process.stdout.write(
      `from nothing to the first number: ${seconds.toFixed(1)} s, of which npm took ${npmSeconds.toFixed(1)} s\n`,
    );
  },
);

const most = 41e6;

/** Returns the bytes that files take on a disk, by the name of the package that they are in. */
async function weigh(modules: string): Promise<Map<string, number>> {
  const weights = new Map<string, number>();
  for (const file of await readdir(modules, { recursive: true })) {
    const { size, blocks } = await lstat(path.join(modules, file));
    const name = (file.startsWith('@') ? /^[^/\\]+.[^/\\]+/ : /^[^/\\]+/).exec(file)?.[0] ?? '';
    // Where the system does not count blocks, files are taken as they are.
    weights.set(name, (weights.get(name) ?? 0) + (blocks > 0 ? blocks * 512 : size));
  }
  return weights;
}

test.skipIf(!isReleaseTested)(
  'an installation is at most 41 MB and nothing in it is compiled or downloaded from elsewhere (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const weights = await weigh(modules);
    const total = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);
    const heaviest = [...weights].toSorted(([, one], [, other]) => other - one).slice(0, 5);
    expect({ total, isSmall: total <= most, heaviest }).toMatchObject({ isSmall: true });
    const files = await readdir(modules, { recursive: true });
    expect(files.filter((file) => /\.(node|so|dll|dylib|gyp)$/.test(file))).toEqual([]);
    for (const file of files.filter((name) => path.basename(name) === 'package.json')) {
      const { scripts = {}, dependencies = {} } = JSON.parse(
        await readFile(path.join(modules, file), 'utf8'),
      ) as Record<'scripts' | 'dependencies', Record<string, string> | undefined>;
      // npm runs `prepare` only where a package is developed, and the others where it is installed.
      const run = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
      // Only a version or a range of versions comes from the registry.
      const elsewhere = Object.values(dependencies).filter((wanted) => /[:/]/.test(wanted));
      expect({ file, run, elsewhere }).toEqual({ file, run: [], elsewhere: [] });
    }
    // What is bundled is named with its license; optional packages are not bundled.
    const dist = path.join(modules, 'touchstone-evals', 'dist');
    const { components } = JSON.parse(await readFile(path.join(dist, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['commander', 'hono', 'react', 'zod']));
    const manifest = await readFile(path.join(modules, 'touchstone-evals', 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
    expect(names.filter((name) => name in peerDependencies)).toEqual([]);
    const licenses = await readFile(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const { name, version } of components) expect(licenses).toContain(`${name} ${version} (`);
    if (process.env['TOUCHSTONE_WEIGHTS'] !== undefined)
      process.stdout.write(`${JSON.stringify({ total, heaviest })}\n`);
  },
);

/** The files with tests that answer questions on a terminal, look at the first screen there, and follow a run in the browser. */
const onTerminals = ['init', 'run-view', 'waiting'].map((name) => `test/${name}.test.ts`);

/** Tests of theirs that need what is packed: templates, the package for Python, the dashboard, a program that finds its parts. */
const ofPackage = [
  'nowhere yet',
  'a function, and questions',
  'a promptfoo project is offered',
  'touchstone becomes a dependency',
  'a function in Python',
  'Ctrl-C at "Where is your bot',
  'without a terminal, with ..--yes',
  'on a terminal it stays',
  'a terminal of 40 columns',
];

test.skipIf(!isReleaseTested || python === '')(
  'the packed and installed program asks, runs, shows and stops on a terminal as the one of the repository does (needs TOUCHSTONE_TEST_ALL=1, python3)',
  async () => {
    const installed = path.join(modules, 'touchstone-evals', 'bin', 'touchstone.js');
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
      [vitest, 'run', '--project', 'system', '--testNamePattern', ofPackage.join('|'), ...onTerminals],
      {
        cwd: root,
        env: { ...process.env, TOUCHSTONE_TEST_PROGRAM: program },
      },
    ).catch(failed);
    expect(/Tests +(\d+) passed/.exec(stripVTControlCharacters(stdout))?.[1]).toBe(String(ofPackage.length));
    const starts = await linesOf(started);
    for (const start of ['terminal init', 'terminal run', 'pipe init']) expect(starts).toContain(start);
  },
);
