import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { execute, packedArchive, root } from './pack.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** Puts the packed Touchstone into an empty project, as `npm install` would, without the network. Returns the project. */
async function unpack(): Promise<string> {
  const folder = await temporaryFolder();
  const tarball = await packedArchive();
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, 'touchstone-evals'), { recursive: true });
  await execute('tar', [
    '-xzf',
    tarball,
    '--strip-components=1',
    '-C',
    path.join(modules, 'touchstone-evals'),
  ]);
  const { dependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  return folder;
}

const config = `import { defineConfig, defineMetric, defineTarget, z } from 'touchstone-evals';
import { keywords } from 'touchstone-evals/metrics';

const shortness = defineMetric({
  name: 'shortness',
  version: 1,
  summary: 'Whether the answer is short.',
  options: z.object({ most: z.int().positive().default(10).describe('Most characters.') }),
  create: ({ most }) => ({
    score: ({ trial }) => ({ status: 'scored', value: (trial.answer ?? '').length <= most ? 1 : 0 }),
  }),
});

const echo = defineTarget({
  name: 'echo',
  version: 1,
  summary: 'Says the question again.',
  options: z.object({ prefix: z.string() }),
  create: ({ prefix }) => ({
    call: async ({ input }) => ({ answer: prefix + input, toolCalls: [] }),
  }),
});

export default defineConfig({
  dataset: 'golden.jsonl',
  targets: [echo({ prefix: 'yes ' })],
  scorecard: null,
  metrics: [shortness({ most: 6 }), keywords()],
});
`;

const program = `import { run, TouchstoneError, type RunReport } from 'touchstone-evals';
import { wilsonInterval } from 'touchstone-evals/stats';
import config from './touchstone.config.ts';

// Not type-checked: the types of the contract suites come from the user's vitest.
const { buildCase } = await import('touchstone-evals/testing' as string);
const report: RunReport = await run(config);
const [target] = report.summary.targets;
const means = Object.fromEntries(target?.metrics.map(({ metric, estimate }) => [metric, estimate.value]) ?? []);
const results = await Array.fromAsync(report.results(), ({ case: { id }, trial }) => [id, trial.answer]);
const interval = wilsonInterval({ successes: 1, trials: 2, confidence: 0.95 });
const failure = await run({ ...config, dataset: 'nothing.jsonl' }).catch((error: unknown) => error);
const code = failure instanceof TouchstoneError ? failure.code : 'none';
console.log(JSON.stringify({ means, results, estimate: interval.estimate, id: buildCase().id, code }));
`;

const settings = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    types: ['node'],
    lib: ['esnext'],
  },
};

test.skipIf(!isReleaseTested)(
  'the packed library is typed and evaluates with a metric and a target of the user (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await unpack();
    const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
    await write('package.json', JSON.stringify({ type: 'module' }));
    await write('tsconfig.json', JSON.stringify({ ...settings, files: ['main.ts'] }));
    await write('touchstone.config.ts', config);
    await write('main.ts', program);
    await write(
      'golden.jsonl',
      '{"id":"a","question":"a","expected_keywords":["yes"]}\n{"id":"b","question":"b c d","expected_keywords":["no"]}\n',
    );
    const [typed, ran] = await Promise.all([
      execute(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }) => ({
        stdout,
      })),
      execute(process.execPath, ['main.ts'], { cwd: folder }),
    ]);
    expect(typed.stdout).toBe('');
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      means: { shortness: 0.5, keywords: 0.5 },
      results: [
        ['a', 'yes a'],
        ['b', 'yes b c d'],
      ],
      estimate: 0.5,
      id: 'address',
      code: 'dataset-not-found',
    });
    const packed = path.join(folder, 'node_modules', 'touchstone-evals');
    const shown = await execute(
      process.execPath,
      [path.join(packed, 'bin', 'touchstone.js'), 'run', '--json'],
      { cwd: folder },
    );
    expect(JSON.parse(shown.stdout).summary.targets[0].metrics).toHaveLength(2);
    expect((await readdir(packed)).toSorted()).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'bin', 'dist', 'schemas', 'templates']),
    );
  },
);

test.skipIf(!isReleaseTested)(
  'a program that catches no error gets the message at the top, and no screenful of our code (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await unpack();
    const main = path.join(folder, 'main.mjs');
    const mistakes = {
      'no file or folder v1': `import { ab } from 'touchstone-evals';\nawait ab('v1', 'v2');\n`,
      'nothing.jsonl': `import { score } from 'touchstone-evals';\nawait score('nothing.jsonl');\n`,
      'expected an object': `import { evaluate } from 'touchstone-evals';\nawait evaluate({ answer: 'A' });\n`,
    };
    for (const [said, program] of Object.entries(mistakes)) {
      await writeFile(main, program);
      const { code, stderr } = (await execute(process.execPath, [main]).catch((error: unknown) => error)) as {
        code: number;
        stderr: string;
      };
      const lines = stderr.split('\n');
      expect({
        said,
        code,
        lines: lines.length,
        longest: Math.max(...lines.map(({ length }) => length)),
      }).toEqual({
        said,
        code: 1,
        lines: expect.toSatisfy((count: number) => count <= 40),
        longest: expect.toSatisfy((length: number) => length <= 300),
      });
      expect(lines.slice(0, 8).join('\n')).toContain(said);
    }
  },
);

test.skipIf(!isReleaseTested)(
  'a program that imports the library and uses nothing of it is bundled to nothing (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await unpack();
    const main = path.join(folder, 'empty.mjs');
    const { exports } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string }>;
    };
    const modules = Object.keys(exports).filter(
      (name) => typeof exports[name] === 'object' && name !== './vitest',
    );
    await writeFile(
      main,
      modules.map((name) => `import '${path.posix.join('touchstone-evals', name)}';\n`).join(''),
    );
    const bundle = await rolldown({ input: main, platform: 'node', onLog: () => {} });
    const { output } = await bundle.generate({ format: 'esm' });
    await bundle.close();
    // Rolldown writes modules that only an unused function would load; the program loads none of them.
    const [entry] = output;
    expect(entry.imports).toEqual([]);
    expect(entry.code.replace(/^\/\/.*$/gm, '').trim()).toBe('export {};');
  },
);
