// `node bench/postgres.ts --url postgres://…`: a run in PostgreSQL beside the same run in SQLite. See README.md in this folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { measure, median } from './measure.ts';
import { writeWorkload } from './write-workload.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    cases: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '3' },
  },
});
const { url } = values;
if (url === undefined)
  throw new Error('Name a database that may be written to: --url postgres://USER@HOST/DATABASE');
const cases = Number(values.cases);

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
try {
  await writeWorkload(folder, cases);
  const stores = { SQLite: path.join(folder, 'store'), PostgreSQL: url };
  const usages = new Map(Object.keys(stores).map((name) => [name, [] as ReturnType<typeof measure>[]]));
  // In turn, since the speed of a shared machine changes with the hour.
  for (let index = 0; index < Number(values.runs); index += 1)
    for (const [name, store] of Object.entries(stores))
      usages.get(name)?.push(measure(['run', '--store', store], folder));
  const rows = Array.from(usages, ([name, all]) => [
    name,
    (median(all.map(({ wallMs }) => wallMs)) / 1000).toFixed(1),
    ((1000 * median(all.map(({ cpuMs }) => cpuMs))) / cases).toFixed(0),
    (median(all.map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0),
  ]);
  console.log(`${cases} cases whose target answers at once; medians of ${values.runs}\n`);
  console.log(formatTable(['store', 'seconds', 'CPU µs/case', 'peak MB'], rows));
} finally {
  rmSync(folder, { recursive: true });
}
