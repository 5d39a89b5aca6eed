// `node bench/workers.ts`: a run in several processes, or in one with `--workers 0`, undisturbed and with random kills. See README.md.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../src/core/stats/random.ts';
import { isPostgresUrl } from '../src/stores/postgres/url.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '4000' },
    workers: { type: 'string', default: '8' },
    concurrency: { type: 'string', default: '4' },
    latency: { type: 'string', default: '50' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string', default: 'workers' },
    store: { type: 'string' },
    profile: { type: 'string' },
  },
});
const [cases, workers, concurrency, latency, kills] = [
  values.cases,
  values.workers,
  values.concurrency,
  values.latency,
  values.kills,
].map(Number) as [number, number, number, number, number];
const random = createRandom(values.seed);
const program = path.resolve(import.meta.dirname, '../bin/touchstone.js');

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
const rows = Array.from({ length: cases }, (_, index) => ({
  id: `q${index}`,
  question: `question ${index}`,
  expected_keywords: ['yes'],
}));
writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
// Each call is noted as it begins, with the process that makes it and the time.
writeFileSync(
  path.join(folder, 'bot.mjs'),
  `import { openSync, writeSync } from 'node:fs';
let calls;
export default async (question) => {
  if (calls === undefined) writeSync(openSync('workers.txt', 'a'), process.pid + '\\n');
  calls ??= openSync('calls.txt', 'a');
  writeSync(calls, process.pid + ' ' + Date.now() + ' ' + question + '\\n');
  await new Promise((resolve) => setTimeout(resolve, ${latency}));
  return 'yes';
};
`,
);
const store = values.store === undefined ? {} : { store: values.store };
writeFileSync(
  path.join(folder, 'touchstone.config.json'),
  JSON.stringify({
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', name: 'bot', path: 'bot.mjs' }],
    metrics: ['keywords'],
    scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
    concurrency,
    ...store,
  }),
);

const cpuAtStart = await readCpu();
const start = Date.now();
const killed = { workers: 0, coordinators: 0 };
let json = '';
let left = kills;
for (;;) {
  // A process that was killed before it asked anything may have left no run.
  const isBegun = linesOf('calls.txt').length > 0;
  const args = [
    'run',
    '--json',
    ...(workers > 0 ? ['--workers', String(workers)] : []),
    ...(isBegun ? ['--resume'] : []),
  ];
  const { child, ended } = begin(args);
  const stop = new AbortController();
  const killing = killAtRandom(child, stop.signal);
  const { code, stdout } = await ended;
  stop.abort();
  await killing;
  if (code === 0) {
    json = stdout;
    break;
  }
  // The workers of a killed process store what they have in flight before they end.
  await wait(500);
}
const end = Date.now();
report(await readCpu());
rmSync(folder, { recursive: true });

function begin(args: readonly string[]): {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stdout: string }>;
} {
  const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const child = spawn(process.execPath, [...profiling, program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
    child.on('exit', (code) => resolve({ code, stdout })),
  );
  return { child, ended };
}

/** Kills workers, and now and then the process that began the run, at random moments, until the kills are used up. */
async function killAtRandom(child: ChildProcess, signal: AbortSignal): Promise<void> {
  while (left > 0 && !signal.aborted) {
    await wait(100 + random.next() * 900, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const known = linesOf('workers.txt').map(Number).slice(-workers);
    const isCoordinator = random.next() < 0.1;
    const pid = isCoordinator ? child.pid : known[Math.floor(random.next() * known.length)];
    if (pid === undefined || !isAlive(pid)) continue;
    process.kill(pid, 'SIGKILL');
    left -= 1;
    if (isCoordinator) killed.coordinators += 1;
    else killed.workers += 1;
    if (isCoordinator) return;
  }
}

function linesOf(name: string): string[] {
  try {
    return readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

interface Call {
  readonly pid: number;
  readonly at: number;
  readonly question: string;
}

function readCall(line: string): Call {
  const [pid, at, ...question] = line.split(' ');
  return { pid: Number(pid), at: Number(at), question: question.join(' ') };
}

/**
 * Returns the calls in a second from the first one of the last worker that has begun, until no part was left to begin: the last tenth
 * of the calls is left out.
 */
function steadyCalls(calls: readonly Call[]) {
  const firsts = new Map<number, number>();
  for (const { pid, at } of calls) if (!firsts.has(pid)) firsts.set(pid, at);
  const from = Math.max(...[...firsts.values()].slice(0, Math.max(1, workers)));
  const times = calls.map(({ at }) => at).toSorted((one, other) => one - other);
  const to = times[Math.floor(0.9 * times.length)] ?? from;
  const within = times.filter((at) => at >= from && at < to).length;
  return { from, last: times.at(-1) ?? from, perSecond: (1000 * within) / Math.max(1, to - from) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The CPU time in milliseconds of all processes of runs that have ended, and of the PostgreSQL server, if it is on this machine. */
async function readCpu(): Promise<{ readonly processes: number; readonly database: number | undefined }> {
  return { processes: cpuOfChildren('self'), database: await cpuOfDatabase() };
}

/** The fields of /proc/PID/stat after the name of the program, from the state of the process on. */
function statOf(pid: number | 'self'): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The CPU time of the children of a process that have ended, with theirs. A tick is 10 ms. */
function cpuOfChildren(pid: number | 'self'): number {
  const [user, system] = statOf(pid).slice(13, 15).map(Number) as [number, number];
  return 10 * (user + system);
}

async function cpuOfDatabase(): Promise<number | undefined> {
  if (!isPostgresUrl(values.store ?? '')) return undefined;
  const { Client } = (await import('pg')).default;
  const client = new Client(values.store);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = Number(statOf(rows[0]?.pid ?? 0)[1]);
  await client.end();
  return cpuOfChildren(server);
}

function report(cpu: Awaited<ReturnType<typeof readCpu>>): void {
  const calls = linesOf('calls.txt').map(readCall);
  const { summary } = JSON.parse(json) as {
    summary: { targets: { counts: { planned: number; measured: number } }[] };
  };
  const counts = summary.targets[0]?.counts;
  const again = calls.length - new Set(calls.map(({ question }) => question)).size;
  const perSecond = (1000 * Math.max(1, workers) * concurrency) / latency;
  const perCall = (now: number, before: number) => Number(((now - before) / calls.length).toFixed(2));
  const seconds = (end - start) / 1000;
  const steady = steadyCalls(calls);
  const figures = {
    cases,
    workers,
    concurrency,
    'calls of ms': latency,
    seconds: Number(seconds.toFixed(1)),
    'until all workers ask, s': Number(((steady.from - start) / 1000).toFixed(1)),
    'from the last question to the end, s': Number(((end - steady.last) / 1000).toFixed(1)),
    'ideal calls/s': perSecond,
    'calls/s meanwhile': Math.round(steady.perSecond),
    'of ideal meanwhile': `${((100 * steady.perSecond) / perSecond).toFixed(0)} %`,
    'of ideal in all': `${((100 * cases) / perSecond / seconds).toFixed(0)} %`,
    'CPU of the processes, ms/call': perCall(cpu.processes, cpuAtStart.processes),
    ...(cpu.database !== undefined && {
      'CPU of the database, ms/call': perCall(cpu.database, cpuAtStart.database ?? 0),
    }),
    measured: `${counts?.measured} of ${counts?.planned}`,
    'workers killed': killed.workers,
    'first process killed': killed.coordinators,
    'asked again': again,
    'at most in flight at the kills': killed.workers * concurrency,
  };
  console.table(figures);
}
