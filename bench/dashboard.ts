// `node bench/dashboard.ts`: what the pages of the dashboard wait for, over a large run. See README.md.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openPostgresStore } from '../src/stores/postgres/postgres.ts';
import { isPostgresUrl } from '../src/stores/postgres/url.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { fillRun } from './fill-run.ts';
import { formatTable } from './format-table.ts';
import { median, touchstone } from './measure.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    repeats: { type: 'string', default: '5' },
    /** A folder that keeps the store, or a PostgreSQL address, so that it is filled only once. */
    store: { type: 'string' },
  },
});
const cases = Number(values.cases);
const repeats = Number(values.repeats);
const run = '20260102-030405-abcd';
/** A run over the same cases, with which the first one is compared. */
const other = '20260101-030405-abcd';

/** A question of a page, with the most milliseconds that it may take in a large run. */
type Question = readonly [name: string, path: string, goalMs: number];

const lists: readonly Question[] = [
  ['list of runs', '/api/runs', 300],
  ['headline', `/api/runs/${run}`, 500],
  ['failed, in the order of the plan', trials({ where: 'passed=false' }), 1000],
  ['failed, the lowest first', trials({ where: 'passed=false', sort: 'total' }), 1000],
  [
    'failed of a category, the lowest first',
    trials({ where: 'result=failed category=taxes', sort: 'total' }),
    1000,
  ],
  ['another filter', trials({ where: 'category=taxes|deeds total<0.5', sort: 'total' }), 1000],
  ['filter by a metric', trials({ where: 'keywords<0.2', sort: 'keywords' }), 1000],
  ['another order', trials({ sort: '-latencyMs' }), 1000],
  ['errors', trials({ where: 'error=timeout' }), 1000],
  ['a case', `/api/runs/${run}/trials/${Math.floor(cases / 2)}`, 50],
  ['tools', `/api/runs/${run}/tools`, 1000],
  ['facets without a filter', facets({}), 1000],
  ['facets of failed, chosen there', facets({ where: 'result=failed' }), 1000],
  ['facets of failed, written', facets({ where: 'passed=false' }), 1000],
  ['facets of a category and a result', facets({ where: 'category=taxes result=failed total<0.5' }), 1000],
];

const comparisons: readonly Question[] = [
  ['comparison of two runs', `/api/compare?${new URLSearchParams({ a: other, b: run }).toString()}`, 1000],
  ['comparison, in the order of the plan', pairs({}), 1000],
  ['comparison, the greatest loss first', pairs({ sort: 'change' }), 1000],
  ['comparison, flips to the worse', pairs({ sort: 'change', where: 'flip=worse' }), 1000],
  ['comparison, by a score', pairs({ sort: 'b.total', where: 'b.total<0.2' }), 1000],
];

const given = values.store;
const folder =
  given === undefined
    ? mkdtempSync(path.join(tmpdir(), 'touchstone-'))
    : isPostgresUrl(given)
      ? given
      : path.resolve(given);
try {
  await fill();
  const starts: number[] = [];
  for (let index = 0; index < repeats; index += 1) starts.push(await withServer(({ startMs }) => startMs));
  const rows = await withServer(async (server) => {
    const asked = await askAll(server, lists);
    // Every filter is a statement of its own.
    for (let index = 0; index < 30; index += 1)
      await server.ask(trials({ where: `total<${index} id=case-${index}` }));
    return [...asked, ['most memory, MB', '', '', peakMegabytes(server.child), '350']];
  });
  // In a process that was asked nothing else.
  const compared = await withServer(async (server) => [
    ...(await askAll(server, comparisons)),
    ['most memory of comparisons, MB', '', '', peakMegabytes(server.child), '350'],
  ]);
  rows.unshift(['start to first byte', '', '', median(starts).toFixed(0), '400']);
  console.log(`${cases} trials; milliseconds, the median of ${repeats} after the first\n`);
  console.log(formatTable(['', 'first', 'first, CPU', 'median', 'goal'], [...rows, ...compared]));
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}

function trials(parameters: Readonly<Record<string, string>>): string {
  return `/api/runs/${run}/trials?${new URLSearchParams(parameters).toString()}`;
}

function facets(parameters: Readonly<Record<string, string>>): string {
  return `/api/runs/${run}/facets?${new URLSearchParams(parameters).toString()}`;
}

function pairs(parameters: Readonly<Record<string, string>>): string {
  return `/api/compare/cases?${new URLSearchParams({ a: other, b: run, ...parameters }).toString()}`;
}

async function fill(): Promise<void> {
  const store = isPostgresUrl(folder)
    ? openPostgresStore(folder)
    : openSqliteStore(path.join(folder, 'touchstone.db'));
  for (const id of [run, other]) {
    if ((await store.readRun(id)) !== undefined) continue;
    const from = performance.now();
    await fillRun(store, id, cases);
    console.log(`filled in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  }
  await store.close();
}

type Ask = (address: string) => Promise<void>;

/** Asks a process questions that it was not asked before, and each again. Returns the rows of the table. */
async function askAll({ ask, child }: Server, questions: readonly Question[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, address, goalMs] of questions) {
    const times: number[] = [];
    const cpuBefore = cpuMilliseconds(child);
    let firstCpu = 0;
    for (let index = 0; index <= repeats; index += 1) {
      const from = performance.now();
      await ask(address);
      times.push(performance.now() - from);
      if (index === 0) firstCpu = cpuMilliseconds(child) - cpuBefore;
    }
    const [first = Number.NaN, ...rest] = times;
    const goal = cases > 10_000 ? goalMs : 200;
    rows.push([name, first.toFixed(0), firstCpu.toFixed(0), median(rest).toFixed(0), String(goal)]);
  }
  return rows;
}

/** A running `touchstone view`. */
interface Server {
  readonly child: ChildProcess;
  /** Milliseconds from the start of the process to the first byte of the page. */
  readonly startMs: number;
  readonly ask: Ask;
}

async function withServer<Result>(use: (server: Server) => Result | Promise<Result>): Promise<Result> {
  const [node = '', ...program] = touchstone;
  const from = performance.now();
  const child = spawn(node, [...program, 'view', '--no-open', '--store', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await printedAddress(child);
    const opened = await fetch(address, { redirect: 'manual' });
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const ask: Ask = async (asked) => {
      const response = await fetch(new URL(asked, address), { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${asked}: ${response.status}`);
    };
    await ask('/');
    return await use({ child, startMs: performance.now() - from, ask });
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    await ended;
  }
}

async function printedAddress(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += String(part);
    const address = /http:\S+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('The server ended before it printed its address.');
}

/** The most memory that was resident at any time, as Linux counts it. */
function peakMegabytes({ pid }: ChildProcess): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}

/** The CPU time of a process and all of its threads, as Linux counts it, in hundredths of a second. */
function cpuMilliseconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
