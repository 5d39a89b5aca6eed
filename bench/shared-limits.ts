// `node bench/shared-limits.ts`: limits of an account that several processes share. See README.md in this folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type CountingProvider,
  longestGap,
  mostWithin,
  startProvider,
} from '../test/support/counting-provider.ts';
import { type CallerFigures, type CallerTask, startCaller } from '../test/support/limited-caller.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    workers: { type: 'string', default: '8' },
    processes: { type: 'string' },
    what: { type: 'string', default: 'alone,paused,killed' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    runs: { type: 'string', default: '3' },
  },
});
const [workers, rate, seconds] = [values.workers, values.rate, values.seconds].map(Number) as [
  number,
  number,
  number,
];

/** Each worker is a process, unless they are to be in fewer: on two cores, the start of 50 processes takes a minute. */
const processes = Number(values.processes ?? workers);
const kinds = (['alone', 'paused', 'killed'] as const).filter((what) =>
  values.what.split(',').includes(what),
);

const rows = [];
for (let run = 1; run <= Number(values.runs); run += 1)
  for (const what of kinds) rows.push(await measure(what));
const head = [
  'what',
  'calls',
  'used',
  'most in 1 s',
  'of R',
  'refused',
  'longest gap',
  'lost',
  'CPU ms/call',
];
console.log(
  `${workers} workers in ${processes} processes, R = ${rate} calls a second; the provider refuses over ${Math.floor(1.1 * rate)} in any second`,
);
console.log(formatTable(head, rows));

/** Makes the calls in processes of their own: undisturbed, with a refusal of everything for 2 s, or with two kills. */
async function measure(what: 'alone' | 'paused' | 'killed'): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  const provider = await startProvider({ perSecond: Math.floor(1.1 * rate), latencyMs: 50 });
  const task: CallerTask = {
    store: values.store ?? path.join(folder, 'touchstone.db'),
    url: provider.url,
    limits: { requestsPerMinute: rate * 60 },
    forMs: seconds * 1000,
    // Enough to use the whole rate, also by the workers that two kills leave.
    concurrency: Math.ceil(Math.max(10, rate / 4) / Math.max(1, workers / 8)),
    workers: Math.ceil(workers / processes),
  };
  const children = Array.from({ length: processes }, () => startCaller(task));
  await Promise.all(children.map(({ ready }) => ready));
  const start = performance.now();
  for (const { begin } of children) begin();
  if (what === 'paused') setTimeout(() => provider.refuseFor(2000), (1000 * seconds) / 3);
  if (what === 'killed')
    for (const at of [1, 2]) setTimeout(() => children[at]?.child.kill('SIGKILL'), (1000 * seconds * at) / 4);
  const all = await Promise.all(children.map(({ figures }) => figures));
  provider.close();
  rmSync(folder, { recursive: true });
  return describe(what, { ...provider, start }, all);
}

function describe(
  what: string,
  { arrivals, refused, start }: Pick<CountingProvider, 'arrivals' | 'refused'> & { readonly start: number },
  figures: readonly (CallerFigures | undefined)[],
): string[] {
  const inTime = arrivals.filter((time) => time <= start + 1000 * seconds);
  const most = mostWithin(arrivals, 1000);
  const known = figures.filter((each) => each !== undefined);
  const sum = (amount: (each: CallerFigures) => number) =>
    known.reduce((total, each) => total + amount(each), 0);
  return [
    what,
    String(arrivals.length),
    `${((100 * inTime.length) / (rate * seconds)).toFixed(1)} %`,
    String(most),
    (most / rate).toFixed(2),
    `${((100 * refused.length) / arrivals.length).toFixed(2)} %`,
    `${Math.round(longestGap(arrivals))} ms`,
    String(sum(({ lost }) => lost)),
    (sum(({ cpuMs }) => cpuMs) / sum(({ answered }) => answered)).toFixed(2),
  ];
}
