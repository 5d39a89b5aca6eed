// `node bench/certificate.ts`: how long `touchstone calibrate` takes to make a certificate of many labels, in a store on disk. See
// bench/NOTES.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { calibrate } from '../src/library/api/calibrate.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { judgedRun, labelRun, rightJudge } from '../test/support/labelled-run.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';

const { values } = parseArgs({
  options: { labels: { type: 'string', default: '200,1000' }, rounds: { type: 'string', default: '5' } },
});

const rows: string[][] = [];
for (const count of values.labels.split(',').map(Number)) {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-certificate-'));
  const store = openSqliteStore(path.join(folder, 'store'));
  await judgedRun(store, folder, rightJudge, { cases: count * 2 });
  await labelRun(store, { labels: count });
  const times: { clock: number; cpu: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const { certificate } = await calibrate({ store, rubric: 'helps' });
    const { user, system } = process.cpuUsage(before);
    times.push({ clock: performance.now() - start, cpu: (user + system) / 1000 });
    if (certificate === null) throw new Error('There is no certificate.');
  }
  rows.push([
    String(count),
    `${times[0]?.clock.toFixed(0)} ms`,
    `${median(times.map(({ clock }) => clock)).toFixed(0)} ms`,
    `${median(times.map(({ cpu }) => cpu)).toFixed(0)} ms`,
  ]);
  await store.close();
  rmSync(folder, { recursive: true });
}
console.log(formatTable(['labelled answers', 'first', 'median', 'CPU, median'], rows));
