// `node bench/aggregate.ts`: measures the aggregation of a stored run: categories, percentiles, intervals. See
// README.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { aggregate } from '../src/decide/analysis/aggregate.ts';
import { plannedCategories } from '../src/decide/analysis/summary/categories.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';
import { buildBenchRun, buildRecord } from './store-records.ts';
import { readRuns } from '../src/stores/store.ts';

interface Figures {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly readingMs: number;
  readonly peakBytes: number;
}

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000,10000,100000,1000000' },
    runs: { type: 'string', default: '5' },
    measure: { type: 'string' },
  },
});
if (values.measure === undefined) await measureAll();
else console.log(JSON.stringify(await measureOnce(values.measure)));

async function measureAll(): Promise<void> {
  const rows: string[][] = [];
  for (const cases of values.cases.split(',').map(Number)) {
    const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
    const file = path.join(folder, 'touchstone.db');
    await fill(file, cases);
    const rounds = Array.from({ length: Number(values.runs) + 1 }, () => measureApart(file)).slice(1);
    rmSync(folder, { recursive: true });
    const of = (key: keyof Figures) => median(rounds.map((figures) => figures[key]));
    rows.push([
      cases.toLocaleString('en-US'),
      of('wallMs').toFixed(0),
      of('cpuMs').toFixed(0),
      of('readingMs').toFixed(0),
      ((of('cpuMs') / cases) * 1000).toFixed(2),
      (of('peakBytes') / 2 ** 20).toFixed(0),
    ]);
  }
  const head = ['trials', 'wall ms', 'CPU ms', 'CPU ms, reading alone', 'CPU µs/trial', 'peak MB'];
  console.log(formatTable(head, rows));
}

async function fill(file: string, cases: number): Promise<void> {
  const store = openSqliteStore(file);
  const run = buildBenchRun(cases);
  await store.createRun(run);
  for (let from = 0; from < cases; from += 200) {
    const length = Math.min(200, cases - from);
    const records = Array.from({ length }, (_, index) => buildRecord(from + index, 20));
    await store.addCases(
      run.id,
      records.map(({ planned }) => planned),
    );
    const scored = records.map((record) => record.scored);
    await store.addTrials(run.id, scored);
    await store.addScores(run.id, scored);
  }
  await store.close();
}

/** Measures in a separate process, so that its memory does not include that of filling the store. */
function measureApart(file: string): Figures {
  const words = [import.meta.filename, '--measure', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

async function measureOnce(file: string): Promise<Figures> {
  const store = openSqliteStore(file);
  const [run] = await Array.fromAsync(readRuns(store));
  if (run === undefined) throw new Error('no run');
  const whole = await timed(async () => {
    await aggregate(run, await plannedCategories(run, store), store.readOutcomes(run.id));
  });
  const reading = await timed(async () => {
    for await (const _outcomes of store.readOutcomes(run.id));
  });
  await store.close();
  return { ...whole, readingMs: reading.cpuMs, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

async function timed(work: () => Promise<void>): Promise<{ wallMs: number; cpuMs: number }> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}
