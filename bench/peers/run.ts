// `node bench/peers/run.ts --folder ../peers`: asks the same model on loopback the same questions through Touchstone and its peers, one tool
// after the other in every round, writes each measurement into results.json beside it, and the table of medians into
// bench/README.md. The peers are installed in that folder in the versions of versions.json: 3 GB, no part of this project.
// `--table` only writes the table again.
import { spawn, spawnSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { withTables } from '../../scripts/write-call-tables.ts';
import { formatTable } from '../format-table.ts';
import { median, meter, type Usage } from '../measure.ts';
import { linesOf } from '../write-workload.ts';
import { type Tool, toolsOf } from './tools.ts';
import versions from './versions.json' with { type: 'json' };

/** One run of one tool. */
interface Measurement extends Usage {
  readonly tool: string;
  readonly cases: number;
  readonly round: number;
  /** How often the model was asked; the number of cases, unless a tool repeats or skips some. */
  readonly asked: number;
}

/** Everything that was measured, with what it was measured on. */
interface Results {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly meter: string;
  readonly versions: typeof versions;
  readonly measurements: readonly Measurement[];
}

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    cases: { type: 'string', default: '1,100,1000' },
    rounds: { type: 'string', default: '3' },
    /** The checkout of another version of Touchstone, built. */
    against: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});
const resultsFile = path.join(import.meta.dirname, 'results.json');
if (!values.table) await measureAll();
writeTable(JSON.parse(readFileSync(resultsFile, 'utf8')) as Results);

async function measureAll(): Promise<void> {
  if (values.folder === undefined) throw new Error('--folder: where the peers are, or are to be installed');
  const tools = path.resolve(values.folder);
  install(tools);
  const model = spawn(process.execPath, [path.join(import.meta.dirname, 'fake-model.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await firstLine(createInterface(model.stdout));
    const measurements: Measurement[] = [];
    for (const cases of values.cases.split(',').map(Number)) {
      measurements.push(...(await measureCases(cases, { tools, model: `http://127.0.0.1:${port}` })));
    }
    const results: Results = {
      date: new Date().toISOString().slice(0, 10),
      machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()}`,
      node: process.version,
      meter,
      versions,
      measurements,
    };
    writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  } finally {
    model.kill();
  }
}

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  throw new Error('the model did not start');
}

/** Installs the peers where they are missing. */
function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const pinned = (all: Readonly<Record<string, string>>, sign: string) =>
    Object.entries(all).map(([name, version]) => `${name}${sign}${version}`);
  const quiet = ['--no-audit', '--no-fund'];
  if (!existsSync(path.join(folder, 'node_modules', 'promptfoo'))) {
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    start('npm', ['install', ...quiet, ...pinned(versions.npm, '@')], folder);
  }
  if (existsSync(path.join(folder, 'python', 'bin', 'inspect'))) return;
  start('python3', ['-m', 'venv', 'python'], folder);
  start('python/bin/pip', ['install', '--quiet', ...pinned(versions.pypi, '==')], folder);
}

function start(program: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words[0]} ended with ${status}`);
}

/** Measures every tool once in each round, so that a slow minute of the machine affects all of them. The first round counts for nothing. */
async function measureCases(
  cases: number,
  { tools, model }: { readonly tools: string; readonly model: string },
): Promise<Measurement[]> {
  // Evalite looks for its packages in the folders above.
  const folder = mkdtempSync(path.join(tools, 'bench-'));
  try {
    await writeQuestions(path.join(folder, 'golden.jsonl'), cases);
    const prepared = toolsOf(values.against).map((tool: Tool) => ({
      tool: tool.name,
      run: tool.prepare({ tools, folder, baseUrl: `${model}/v1` }),
    }));
    const measured: Measurement[] = [];
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const { tool, run } of prepared) {
        await readCount(model);
        const usage = run();
        const asked = await readCount(model);
        console.log(
          `${cases} cases, round ${round}, ${tool}: ${Math.round(usage.cpuMs)} ms of CPU, asked ${asked} times`,
        );
        if (round > 0) measured.push({ tool, cases, round, asked, ...usage });
      }
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readCount(model: string): Promise<number> {
  const reply = await fetch(model);
  return Number(await reply.text());
}

/** Writes the questions of the other benchmarks without their tools: a model alone has none. */
async function writeQuestions(file: string, cases: number): Promise<void> {
  const stream = createWriteStream(file);
  for (const line of linesOf(cases)) {
    const { expected, ...row } = JSON.parse(line) as { expected: { keywords: string[] } };
    stream.write(`${JSON.stringify({ ...row, expected: { keywords: expected.keywords } })}\n`);
  }
  stream.end();
  await finished(stream);
}

/** Writes the medians into bench/README.md. */
function writeTable({ date, machine, node, versions: of, measurements }: Results): void {
  const page = path.join(import.meta.dirname, '..', 'README.md');
  const each = { ...of.npm, ...of.pypi };
  const note = `Measured on ${date}: ${machine}, Node.js ${node}; ${Object.entries(each)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.`;
  const tables = { peers: () => `${note}\n\n${tableOf(measurements)}` };
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables));
}

function tableOf(measurements: readonly Measurement[]): string {
  const groups = Object.values(Object.groupBy(measurements, ({ cases, tool }) => `${cases} ${tool}`));
  const medianOf = (some: readonly Measurement[], key: 'wallMs' | 'cpuMs' | 'peakBytes') =>
    median(some.map((one) => one[key]));
  const ours = (cases: number) =>
    medianOf(
      measurements.filter((one) => one.cases === cases && one.tool === 'Touchstone'),
      'cpuMs',
    );
  const rows = groups.flatMap((some = []) => {
    const [first] = some;
    if (first === undefined) return [];
    const cpuMs = medianOf(some, 'cpuMs');
    return [
      [
        first.tool,
        first.cases.toLocaleString('en-US'),
        (medianOf(some, 'wallMs') / 1000).toFixed(2),
        (cpuMs / 1000).toFixed(2),
        (medianOf(some, 'peakBytes') / 2 ** 20).toFixed(0),
        (cpuMs / ours(first.cases)).toFixed(1),
      ],
    ];
  });
  return formatTable(['tool', 'cases', 'wall s', 'CPU s', 'peak MB', 'CPU ÷ ours'], rows);
}
