import { existsSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../src/core/stats/random.ts';
import { layouts, writeNextTouchstone } from './next-touchstone.ts';
import { touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

/** `TOUCHSTONE_KILLS=100` kills more often; `TOUCHSTONE_KILL_SEED` draws the same moments again. */
const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 5);
const seed = process.env['TOUCHSTONE_KILL_SEED'] ?? String(Date.now());
const filler = 6_000;

/** A project with a run and a large store of this layout, and a copy of it to begin again with. */
async function largeProject() {
  const project = await writeSlowProject({ cases: 30, concurrency: 5 });
  const { folder: cwd } = project;
  await touchstone(['run'], { cwd });
  const [store, copy] = [path.join(cwd, '.touchstone'), path.join(cwd, 'copy')];
  const file = path.join(store, 'touchstone.db');
  const database = new DatabaseSync(file);
  database.exec(`INSERT INTO questions (key, run) WITH RECURSIVE rows(number) AS
    (SELECT 1 UNION ALL SELECT number + 1 FROM rows WHERE number < ${filler})
    SELECT hex(randomblob(500)), 1 FROM rows`);
  database.close();
  await cp(store, copy, { recursive: true });
  const shown = async () => (await touchstone(['show', '--json'], { cwd })).stdout;
  return {
    project,
    cwd,
    file,
    shown: await shown(),
    next: await writeNextTouchstone(cwd),
    restore: async () => {
      rmSync(store, { recursive: true });
      await cp(copy, store, { recursive: true });
    },
  };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Reads a store, which has to be whole however its process ended. */
function readWhole(file: string) {
  using database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const { layout } = database.prepare('SELECT user_version AS layout FROM pragma_user_version').get() ?? {};
  const [filled] = database.prepare('SELECT count(*) AS rows, sum(length(key)) AS size FROM questions').all();
  const trials = database.prepare('SELECT run, ordinal, key, record, checksum FROM trials').all();
  const columns = database.prepare("SELECT name FROM pragma_table_info('trials')").all();
  const isNext = columns.some(({ name }) => name === 'moved');
  const moved = isNext ? database.prepare('SELECT DISTINCT moved FROM trials').all() : [];
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return { layout, isNext, moved, rows: { filled, trials, tables: tables.map(({ name }) => name) } };
}

test.skipIf(!isReleaseTested)(
  `a store whose migration is killed ${kills} times has the old layout or the new one, and all that was in it (needs TOUCHSTONE_TEST_ALL=1)`,
  async () => {
    const { cwd, file, shown, next, restore } = await largeProject();
    const random = createRandom(seed);
    const before = readWhole(file);
    expect(before).toMatchObject({ layout: layouts.now, isNext: false });
    const ends = { old: 0, half: 0, next: 0 };
    for (let kill = 1; kill <= kills; kill += 1) {
      // Its log grows to about the size of the store, then it is done, and goes on with what it was asked.
      const grown = random.next() * 1.1 * sizeOf(file);
      const afterMs = random.next() * 20;
      const { code } = await next(['show', '--json'], {
        cwd,
        onStarted: async (child) => {
          while (child.exitCode === null && sizeOf(`${file}-wal`) < grown) await wait(1);
          await wait(afterMs);
          child.kill('SIGKILL');
        },
      });
      const isHalf = code === null && sizeOf(`${file}-wal`) > 0;
      const after = readWhole(file);
      expect([seed, after.rows]).toEqual([seed, before.rows]);
      expect(after.layout).toBe(after.isNext ? layouts.next : layouts.now);
      if (after.isNext) {
        ends.next += 1;
        expect(after.moved).toEqual([{ moved: 1 }]);
        expect(await next(['show', '--json'], { cwd })).toMatchObject({ code: 0, stdout: shown });
        await restore();
      } else {
        ends[isHalf ? 'half' : 'old'] += 1;
        expect(await touchstone(['show', '--json'], { cwd })).toMatchObject({ code: 0, stdout: shown });
      }
    }
    expect(ends.half).toBeGreaterThan(0);
    if (process.env['TOUCHSTONE_KILLS'] !== undefined) process.stdout.write(`${JSON.stringify(ends)}\n`);
  },
  3_600_000,
);

test.skipIf(!isReleaseTested)(
  'processes that migrate at the same time do so once, and a process that reads the old layout reads all of it (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { project, cwd, file, shown, next } = await largeProject();
    const before = readWhole(file);
    const isMigrating = async () => {
      while (sizeOf(`${file}-wal`) === 0) await wait(1);
    };
    const [older, ...both] = await Promise.all([
      isMigrating().then(async () => await touchstone(['show', '--json'], { cwd })),
      next(['show', '--json'], { cwd }),
      next(['show', '--json'], { cwd }),
      next(['run', '--limit', '2'], { cwd }),
    ]);
    for (const { code, stderr } of both) expect([code, stderr]).toEqual([0, expect.anything()]);
    // It came before the migration was done, or after.
    if (older.code === 0) expect(older.stdout).toBe(shown);
    else expect(older).toMatchObject({ code: 4, stderr: expect.stringContaining('newer Touchstone') });
    const after = readWhole(file);
    expect(after).toMatchObject({ layout: layouts.next, isNext: true });
    expect(after.rows.filled).toEqual(before.rows.filled);
    expect(after.rows.trials).toEqual(expect.arrayContaining(before.rows.trials));
    const newer = await touchstone(['show'], { cwd });
    const versions = `layout ${layouts.next}; this one knows ${layouts.now}`;
    expect(newer).toMatchObject({ code: 4, stderr: expect.stringContaining(versions) });
    expect(await project.readCalls()).toHaveLength(32);
    expect(existsSync(`${file}-journal`)).toBe(false);
  },
  600_000,
);

test('a store of Touchstone 0.1.0 is refused with its version and what to do', async () => {
  const { cwd, file } = await largeProject();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 4');
  database.close();
  for (const args of [['show'], ['run'], ['run', '--resume'], ['export', 'latest']]) {
    const { code, stderr } = await touchstone(args, { cwd });
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/layout 4; this one reads 6[^]*→ Export its runs with Touchstone 0\.1\.0/),
    ]);
  }
});
