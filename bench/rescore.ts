// `node bench/rescore.ts`: measures the stored trials that are scored again in a second. See README.md in this folder.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { measure, median } from './measure.ts';
import { writeWorkload } from './write-workload.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, runs: { type: 'string', default: '3' } },
});

const rows: string[][] = [];
for (const cases of values.cases.split(',').map(Number)) rows.push(await measureCases(cases));
console.log(formatTable(['trials', 'wall s', 'trials/s', 'CPU µs/trial', 'peak MB'], rows));

async function measureCases(cases: number): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  try {
    await writeWorkload(folder, cases);
    const [kept, store] = [path.join(folder, 'kept'), path.join(folder, 'store')];
    measure(['run', '--store', kept], folder);
    const rounds = Array.from({ length: Number(values.runs) + 1 }, () => {
      rmSync(store, { recursive: true, force: true });
      cpSync(kept, store, { recursive: true });
      return measure(['rescore', '--store', store], folder);
    }).slice(1);
    const wallMs = median(rounds.map((usage) => usage.wallMs));
    const cpuMs = median(rounds.map((usage) => usage.cpuMs));
    const peakBytes = median(rounds.map((usage) => usage.peakBytes));
    return [
      cases.toLocaleString('en-US'),
      (wallMs / 1000).toFixed(2),
      Math.round((cases / wallMs) * 1000).toLocaleString('en-US'),
      ((cpuMs / cases) * 1000).toFixed(1),
      (peakBytes / 2 ** 20).toFixed(0),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
