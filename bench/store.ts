// `node bench/store.ts`: what the store costs, step by step, beside another checkout if one is named. See README.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';
import type { StoreFigures, StoreWorkload } from './store-steps.ts';

const here = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    batch: { type: 'string', default: '200' },
    words: { type: 'string', default: '40' },
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const [cases, batch, words, runs] = [values.cases, values.batch, values.words, values.runs].map(Number) as [
  number,
  number,
  number,
  number,
];
const checkouts = [...(values.against === undefined ? [] : [path.resolve(values.against)]), here];

/** In turn, so that what else the machine does falls on all of them alike. The first round warms up and is dropped. */
const all = new Map<string, StoreFigures[]>(checkouts.map((checkout) => [checkout, []]));
for (let round = 0; round <= runs; round += 1) {
  for (const checkout of checkouts) {
    const figures = measureOnce({ checkout, cases, batch, words });
    if (round > 0) all.get(checkout)?.push(figures);
  }
}

console.log(`${cases} cases, ${batch} at a time, ${words} words an answer; median of ${runs}\n`);
const columns = checkouts.map((checkout) => toColumn(all.get(checkout) ?? []));
const names = Object.keys(columns.at(-1) ?? {});
const rows = names.map((name) => [name, ...columns.map((column) => (column[name] ?? Number.NaN).toFixed(2))]);
console.log(formatTable(['', ...checkouts.map((checkout) => path.basename(checkout))], rows));

function measureOnce(workload: StoreWorkload): StoreFigures {
  const steps = path.join(import.meta.dirname, 'store-steps.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [steps, JSON.stringify(workload)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as StoreFigures;
}

function toColumn(measurements: readonly StoreFigures[]): Record<string, number> {
  const of = (pick: (figures: StoreFigures) => number) => median(measurements.map(pick));
  const steps = Object.keys(measurements[0]?.cpu ?? {}).map((step) => {
    return [`${step}, CPU µs/case`, of(({ cpu }) => (cpu[step] ?? 0) / cases)];
  });
  return {
    ...Object.fromEntries(steps),
    'all steps, CPU µs/case': of(({ cpu }) => Object.values(cpu).reduce((a, b) => a + b, 0) / cases),
    'disk B/case': of(({ diskBytes }) => diskBytes / cases),
    'JSON B/case': of(({ contentBytes }) => contentBytes / cases),
    'disk ÷ JSON': of(({ diskBytes, contentBytes }) => diskBytes / contentBytes),
    'peak MB': of(({ peakBytes }) => peakBytes / 2 ** 20),
  };
}
