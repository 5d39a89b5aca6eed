// `node bench/shared-changes.ts`: changes of one record by many connections. See README.md in this folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { openPostgresStore } from '../src/stores/postgres/postgres.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    workers: { type: 'string', default: '50' },
    processes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    /** Given to the processes that this one starts. */
    begin: { type: 'string' },
  },
});
const [workers, processes, seconds] = [values.workers, values.processes, values.seconds].map(Number) as [
  number,
  number,
  number,
];

/** The figures of a process. */
interface Figures {
  readonly waits: readonly number[];
  readonly decisions: number;
  readonly cpuMs: number;
}

if (values.begin === undefined) await measure();
else process.stdout.write(JSON.stringify(await changeUntil(Number(values.begin) + 1000 * seconds)));

async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  const store = values.store ?? path.join(folder, 'touchstone.db');
  // All begin together, when the last of them has long been started.
  const begin = Date.now() + 2000 + 1500 * processes;
  const options = Object.entries({ store, workers, processes, seconds, begin }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  const figuresOf = async ({ stdout }: ChildProcess) =>
    JSON.parse(await text(stdout as NonNullable<typeof stdout>)) as Figures;
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [import.meta.filename, ...options], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const all = await Promise.all(children.map(figuresOf));
  rmSync(folder, { recursive: true });
  const waits = all.flatMap((each) => each.waits).toSorted((one, other) => one - other);
  const sum = (amount: (each: Figures) => number) => all.reduce((total, each) => total + amount(each), 0);
  console.table({
    'changes/s': Math.round(waits.length / seconds),
    'decided, for each change': (sum(({ decisions }) => decisions) / waits.length).toFixed(2),
    'CPU ms/change': (sum(({ cpuMs }) => cpuMs) / waits.length).toFixed(2),
    'usual wait, ms': Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
    'longest wait, ms': Math.round(waits.at(-1) ?? 0),
  });
}

/** Changes one record of some 6 kB, such as that of an account of fifty workers, on each of several connections, as fast as it goes. */
async function changeUntil(end: number): Promise<Figures> {
  const { store: address = '' } = values;
  const open = () => (address.startsWith('postgres') ? openPostgresStore(address) : openSqliteStore(address));
  const stores = Array.from({ length: workers / processes }, open);
  for (const store of stores) await store.exists();
  await new Promise((resolve) => setTimeout(resolve, end - 1000 * seconds - Date.now()));
  const before = process.cpuUsage();
  const filling = 'x'.repeat(6000);
  const waits: number[] = [];
  let decisions = 0;
  const work = async ({ shared }: (typeof stores)[number]) => {
    while (Date.now() < end) {
      const start = performance.now();
      await shared.change<{ count: number }, void>('bench', ({ count } = { count: 0 }) => {
        decisions += 1;
        return { value: { count: count + 1, filling }, result: undefined };
      });
      waits.push(performance.now() - start);
    }
  };
  await Promise.all(stores.map(work));
  const { user, system } = process.cpuUsage(before);
  await stores[0]?.shared.remove('bench');
  for (const store of stores) await store.close();
  return { waits, decisions, cpuMs: (user + system) / 1000 };
}
