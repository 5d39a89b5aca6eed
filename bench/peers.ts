// `node bench/peers.ts --folder ../peers`: runs the same cases through promptfoo and Evalite, alternating with
// Touchstone. If they are missing, they are installed in that folder: 2 GB from the npm registry, which are not part of
// this project.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { measureCommand, median, touchstone, type Usage } from './measure.ts';
import { writeWorkload } from './write-workload.ts';

const versions = { promptfoo: '0.123.1', evalite: '0.19.0', vitest: '3' };
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    cases: { type: 'string', default: '1,1000,10000' },
    runs: { type: 'string', default: '3' },
    /** The time of Evalite grows with the square of the cases: above this number it is left out. */
    'evalite-up-to': { type: 'string', default: '1000' },
  },
});
if (values.folder === undefined) throw new Error('--folder: where promptfoo and Evalite are, or are to be');
const folder = path.resolve(values.folder);
if (!existsSync(path.join(folder, 'node_modules', 'promptfoo'))) install();

const rows: string[][] = [];
for (const cases of values.cases.split(',').map(Number)) rows.push(...(await measureAll(cases)));
const head = ['cases', 'tool', 'wall s', 'CPU s', 'CPU µs/case', 'peak MB', 'CPU ÷ ours'];
console.log(formatTable(head, rows));

function install(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm install ended with ${status}`);
}

/** Measures the tools one after the other in every round, so that a slow minute of the machine affects all of them. */
async function measureAll(cases: number): Promise<string[][]> {
  // Evalite looks for its packages in the folders above.
  const work = mkdtempSync(path.join(folder, 'bench-'));
  try {
    await writeWorkload(work, cases);
    const tools = Object.entries(writeTools(work, cases)).filter(
      ([name]) => name !== 'Evalite' || cases <= Number(values['evalite-up-to']),
    );
    const usages = new Map<string, Usage[]>(tools.map(([name]) => [name, []]));
    for (let round = 0; round <= Number(values.runs); round += 1) {
      for (const [name, run] of tools) {
        const usage = run();
        if (round > 0) usages.get(name)?.push(usage);
      }
    }
    const cpuOf = (name: string) => median((usages.get(name) ?? []).map(({ cpuMs }) => cpuMs));
    return Array.from(usages, ([name, all]) => [
      cases.toLocaleString('en-US'),
      name,
      (median(all.map(({ wallMs }) => wallMs)) / 1000).toFixed(2),
      (cpuOf(name) / 1000).toFixed(2),
      ((cpuOf(name) / cases) * 1000).toFixed(0),
      (median(all.map(({ peakBytes }) => peakBytes)) / 2 ** 20).toFixed(0),
      (cpuOf(name) / cpuOf('Touchstone')).toFixed(1),
    ]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes everything that is needed to run each tool on the same questions, with a function that answers at once. */
function writeTools(work: string, cases: number): Record<string, () => Usage> {
  const golden = readFileSync(path.join(work, 'golden.jsonl'), 'utf8').split('\n').filter(Boolean);
  const questions = golden.map(
    (line) => JSON.parse(line) as { input: string; expected: { keywords: string[] } },
  );
  writePromptfoo(work, questions);
  writeEvalite(work);
  const promptfoo = path.join(folder, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');
  const evalite = path.join(folder, 'node_modules', '.bin', 'evalite');
  const environment = {
    PROMPTFOO_CONFIG_DIR: path.join(work, 'promptfoo-home'),
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_FAILED_TEST_EXIT_CODE: '0',
  };
  const evalWith = (...words: string[]) => {
    const quiet = ['--no-cache', '--no-table', '--no-progress-bar', '-j', '8'];
    const command = [process.execPath, promptfoo, 'eval', ...quiet, ...words];
    return measureCommand(command, { folder: work, environment });
  };
  return {
    Touchstone: () => {
      const store = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
      try {
        return measureCommand([...touchstone, 'run', '--store', store], { folder: work });
      } finally {
        rmSync(store, { recursive: true });
      }
    },
    promptfoo: () => evalWith(),
    'promptfoo, no database': () => evalWith('--no-write', '-o', 'out.jsonl'),
    // Its SQLite module was compiled for the Node.js that ran npm.
    Evalite: () => {
      const options = { folder: work, environment: { BENCH_CASES: String(cases) }, exitCodes: [0, 1] };
      return measureCommand([systemNode(), evalite, 'run', 'bench.eval.ts'], options);
    },
  };
}

function writePromptfoo(
  work: string,
  questions: readonly { input: string; expected: { keywords: string[] } }[],
) {
  const tests = questions.map(({ input, expected }) => ({
    vars: { question: input },
    assert: expected.keywords.map((value) => ({ type: 'icontains', value })),
  }));
  const config = {
    prompts: ['{{question}}'],
    providers: ['file://provider.mjs'],
    tests: 'file://tests.jsonl',
  };
  writeFileSync(path.join(work, 'tests.jsonl'), tests.map((test) => JSON.stringify(test)).join('\n'));
  writeFileSync(path.join(work, 'promptfooconfig.json'), JSON.stringify(config));
  writeFileSync(
    path.join(work, 'provider.mjs'),
    `export default class {
      id() { return 'instant'; }
      async callApi(prompt) {
        return { output: 'According to the register: ' + prompt.replace('What does the register say about', 'it speaks of') };
      }
    }`,
  );
}

function writeEvalite(work: string): void {
  writeFileSync(
    path.join(work, 'bench.eval.ts'),
    `import { readFileSync } from 'node:fs';
    import { evalite } from 'evalite';
    const rows = readFileSync('golden.jsonl', 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line));
    evalite('bench', {
      data: () => rows.map(({ input, expected }) => ({ input, expected: expected.keywords })),
      task: async (input) =>
        'According to the register: ' + input.replace('What does the register say about', 'it speaks of'),
      scorers: [{
        name: 'keywords',
        scorer: ({ output, expected }) =>
          expected.filter((word) => output.toLowerCase().includes(word)).length / expected.length,
      }],
    });`,
  );
}

/** Returns the Node.js that is installed outside this project. */
function systemNode(): string {
  const elsewhere = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((each) => !each.includes('node_modules'));
  const found = elsewhere.map((each) => path.join(each, 'node')).find((file) => existsSync(file));
  return found ?? process.execPath;
}
