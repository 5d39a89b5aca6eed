// `node bench/durability.ts`: measures the cost of writes that survive a power cut. See README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';
import { buildBenchRun, buildRecord } from './store-records.ts';

const writes = 200;
const durabilities = ['process', 'power'] as const;

/** Measures the median time of a write of a number of trials, in milliseconds. */
async function measureWrites(durability: (typeof durabilities)[number], trials: number): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  const store = openSqliteStore(path.join(folder, 'touchstone.db'), { durability });
  const run = buildBenchRun(writes * trials);
  await store.createRun(run);
  const waited: number[] = [];
  for (let write = 0; write < writes; write += 1) {
    const batch = Array.from(
      { length: trials },
      (_, index) => buildRecord(write * trials + index, 40).scored,
    );
    const start = performance.now();
    await store.addTrials(run.id, batch);
    waited.push(performance.now() - start);
  }
  await store.close();
  rmSync(folder, { recursive: true });
  return median(waited);
}

const rows: string[][] = [];
for (const trials of [1, 20, 200]) {
  const rounds = await Array.fromAsync({ length: 5 }, async () => {
    return [await measureWrites('process', trials), await measureWrites('power', trials)] as const;
  });
  const [ofProcess, ofPower] = [0, 1].map((index) => median(rounds.map((round) => round[index] ?? 0)));
  rows.push([`${trials}`, (ofProcess ?? 0).toFixed(2), (ofPower ?? 0).toFixed(2)]);
}
console.log(formatTable(['trials a write', ...durabilities.map((name) => `${name}, ms`)], rows));
