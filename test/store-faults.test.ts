import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, statSync } from 'node:fs';
import { appendFile, chmod, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Run } from '../src/core/schema/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { mayDropRights, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { mountSmallDisk } from './small-disk.ts';
import { readRuns } from '../src/stores/store.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const [cases, concurrency] = [60, 3];
const fileIn = (folder: string) => path.join(folder, 'touchstone.db');

/** The kilobytes of a store without a run: its tables and indexes. */
async function sizeOfEmptyStore(): Promise<number> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'empty-store-'));
  const file = fileIn(folder.path);
  const store = openSqliteStore(file);
  await store.close();
  return statSync(file).size / 1024;
}

/** All is answered in the end, and what was called twice was in flight when the store failed. */
async function goOnToTheEnd(project: Awaited<ReturnType<typeof writeSlowProject>>, args: string[] = []) {
  const { folder: cwd } = project;
  const resumed = await touchstone(['run', '--resume', '--json', ...args], { cwd });
  expect(resumed).toMatchObject({ code: 0 });
  const [counts] = JSON.parse(resumed.stdout).summary.targets.map(
    (target: { counts: object }) => target.counts,
  );
  expect(counts).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
  expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + concurrency);
}

test('where no file may grow any more, the run ends with what is wrong, and goes on when there is room', async () => {
  const project = await writeSlowProject({ cases, concurrency });
  const bin = path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js');
  const command = `ulimit -f ${(await sizeOfEmptyStore()) + 310}; exec "${process.execPath}" "${bin}" run`;
  const ended = await promisify(execFile)('bash', ['-c', command], { cwd: project.folder }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(ended).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /The store .*cannot be written to: (disk I\/O error|EFBIG)[^]*→ Make room on the disk/,
    ),
  });
  expect(ended.stderr).toContain('Answers received so far are stored. To continue: touchstone run --resume');
  const kept = (await project.readKept()).length;
  expect(kept).toBeGreaterThan(0);
  expect((await project.readCalls()).length - kept).toBeLessThanOrEqual(concurrency);
  await goOnToTheEnd(project);
});

test('a full disk ends the run with what to do, and the run goes on when there is room', async (context) => {
  const project = await writeSlowProject({ cases, concurrency });
  const { folder: cwd } = project;
  const disk = mountSmallDisk(path.join(cwd, 'small'), `${(await sizeOfEmptyStore()) + 200}k`);
  if (disk === undefined) return context.skip('no disk may be mounted here');
  const full = await touchstone(['run', '--store', 'small'], { cwd });
  expect(full).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/The store .*(: database or disk is full|ENOSPC)[^]*Make room on the disk/),
  });
  disk.remount('size=30m');
  await goOnToTheEnd(project, ['--store', 'small']);
  disk.remount('ro');
  const { code, stderr } = await touchstone(['run', '--store', 'small'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringMatching(/The store .* cannot be written to.*[^]*→ /)]);
  expect(await touchstone(['show', '--store', 'small'], { cwd })).toMatchObject({ code: 0 });
  expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + concurrency);
});

test('a full disk ends a run with workers, too, and continued with room it asks nothing twice that was answered', async (context) => {
  const project = await writeSlowProject({ cases: 400, concurrency });
  const { folder: cwd } = project;
  const disk = mountSmallDisk(path.join(cwd, 'small'), `${3 * (await sizeOfEmptyStore())}k`);
  if (disk === undefined) return context.skip('no disk may be mounted here');
  // A worker that waits for money asks the store for it, too.
  const args = ['run', '--store', 'small', '--workers', '3', '--max-cost', '1000'];
  const env = { SLOW_MS: '20' };
  const full = await touchstone(args, { cwd, env, isAlone: true });
  expect(full).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /To continue: touchstone run [^]*The store .* has no room left[^]*→ Make room/,
    ),
  });
  const calls = (await project.readCalls()).length;
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThan(400);
  disk.remount('size=60m');
  const { code, stdout } = await touchstone([...args, '--resume', '--json'], { cwd, isAlone: true });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary.targets[0].counts).toMatchObject({
    planned: 400,
    measured: 400,
    notRun: 0,
  });
  expect((await project.readCalls()).length).toBeLessThanOrEqual(400 + 3 * concurrency);
});

test('a store that another process holds for too long ends the run; what was answered is kept', async () => {
  const project = await writeSlowProject({ cases, concurrency });
  const { folder: cwd } = project;
  const holders: DatabaseSync[] = [];
  await appendFile(path.join(cwd, 'touchstone.config.yaml'), 'store: { lockWaitMs: 200 }\n');
  const held = await touchstone(['run'], {
    cwd,
    env: { SLOW_MS: '20' },
    onStarted: async () => {
      await project.untilCalled(10);
      const holder = new DatabaseSync(fileIn(path.join(cwd, '.touchstone')), { timeout: 100_000 });
      holder.exec('BEGIN IMMEDIATE');
      holders.push(holder);
    },
  });
  expect(held).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/The store .*: database is locked[^]*→ /),
  });
  for (const holder of holders) holder.close();
  const kept = (await project.readKept()).length;
  expect((await project.readCalls()).length - kept).toBeLessThanOrEqual(concurrency);
  await goOnToTheEnd(project);
});

test('a store that another process holds for a moment is waited for', async () => {
  const project = await writeSlowProject({ cases: 6, concurrency });
  const { folder: cwd } = project;
  const ended = await touchstone(['run'], {
    cwd,
    env: { SLOW_MS: '20' },
    onStarted: async () => {
      await project.untilCalled(1);
      const holder = new DatabaseSync(fileIn(path.join(cwd, '.touchstone')), { timeout: 100_000 });
      holder.exec('BEGIN IMMEDIATE');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      holder.close();
    },
  });
  expect(ended.code).toBe(0);
  expect(await project.readCalls()).toHaveLength(6);
});

test.skipIf(!isReleaseTested || !mayDropRights())(
  'a store in a folder that cannot be written to can be looked at with every command that only reads (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeSlowProject({ cases: 3, concurrency });
    const { folder: cwd } = project;
    await touchstone(['run'], { cwd });
    await touchstone(['run'], { cwd });
    const store = path.join(cwd, '.touchstone');
    const look = [
      ['show'],
      ['runs'],
      ['export', 'latest'],
      ['compare', 'latest~1', 'latest'],
      ['gate', 'latest'],
    ];
    const asIs = [];
    for (const args of look) asIs.push(await touchstone(args, { cwd }));
    expect(asIs.map(({ code }) => code)).toEqual(look.map(() => 0));
    await chmod(fileIn(store), 0o444);
    await chmod(store, 0o555);
    const isWithoutRights = true;
    const before = await readdir(store);
    for (const [index, args] of look.entries()) {
      expect(await touchstone(args, { cwd, isWithoutRights })).toEqual(asIs[index]);
    }
    for (const args of [['run'], ['delete', 'latest', '--yes'], ['rescore']]) {
      const { code, stderr } = await touchstone(args, { cwd, isWithoutRights });
      expect([code, stderr]).toEqual([4, expect.stringMatching(/The store .* cannot be written to.*[^]*→ /)]);
    }
    expect(await readdir(store)).toEqual(before);
    expect(await project.readCalls()).toHaveLength(6);
    await chmod(store, 0o755);
  },
);

/** Returns the durability that the command line sets when it opens the database. */
async function readSynchronous(cwd: string, args: readonly string[]): Promise<readonly string[]> {
  const preload = path.join(cwd, 'listen.mjs');
  await writeFile(
    preload,
    `import { DatabaseSync } from 'node:sqlite';
     const { exec } = DatabaseSync.prototype;
     DatabaseSync.prototype.exec = function (sql) {
       for (const [, level] of sql.matchAll(/synchronous = (\\w+)/g)) process.stderr.write('durable: ' + level + '\\n');
       return exec.call(this, sql);
     };`,
  );
  const { stderr } = await touchstone(args, {
    cwd,
    env: { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` },
  });
  return stderr.split('\n').filter((line) => line.startsWith('durable: '));
}

test('the config says whether what is kept survives a power cut, for every command that writes', async () => {
  const project = await writeSlowProject({ cases: 2, concurrency });
  const { folder: cwd } = project;
  expect(await readSynchronous(cwd, ['run'])).toEqual(['durable: NORMAL']);
  const config = path.join(cwd, 'touchstone.config.yaml');
  await appendFile(config, 'store: { durability: power }\n');
  for (const args of [['run'], ['run', '--store', 'other'], ['rescore']]) {
    expect(await readSynchronous(cwd, args)).toEqual(['durable: FULL']);
  }
  await writeFile(config, (await readFile(config, 'utf8')).replace('power', 'disk'));
  const { code, stderr } = await touchstone(['run'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringMatching(/store.*durability.*"process".*"power"/)]);
});

/** A project with an interrupted run, and its store to change by hand. */
async function interruptedProject() {
  const project = await writeSlowProject({ cases: 6, concurrency: 1 });
  const { folder: cwd } = project;
  await touchstone(['run', '--max-cost', '0.02'], { cwd, env: { SLOW_MS: '5' } });
  const change = (sql: string) => {
    const database = new DatabaseSync(fileIn(path.join(cwd, '.touchstone')));
    database.exec(sql);
    database.close();
  };
  return { project, cwd, change, asked: await project.readCalls() };
}

test('a run that another Touchstone began is continued, and a message says so', async () => {
  const { project, cwd } = await interruptedProject();
  const store = openSqliteStore(fileIn(path.join(cwd, '.touchstone')));
  const [run] = await Array.fromAsync(readRuns(store));
  await store.updateRun({ ...(run as Run), touchstoneVersion: '0.0.7' });
  await store.close();
  const { code, stderr } = await touchstone(['run', '--resume'], { cwd });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/was begun by Touchstone 0\.0\.7, and this is \d/),
  ]);
  expect(await project.readCalls()).toHaveLength(6);
});

test('a store of a newer Touchstone is refused and left as it is', async () => {
  const { project, cwd, change, asked } = await interruptedProject();
  change('PRAGMA user_version = 999');
  const readAll = () => {
    const database = new DatabaseSync(fileIn(path.join(cwd, '.touchstone')));
    const rows = database.prepare('SELECT * FROM runs, pragma_user_version').all();
    database.close();
    return rows;
  };
  const before = readAll();
  for (const args of [['run', '--resume'], ['run'], ['show'], ['delete', 'latest', '--yes']]) {
    const { code, stderr } = await touchstone(args, { cwd });
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/by a newer Touchstone \(.* 999[^]*Update Touchstone/),
    ]);
  }
  expect(readAll()).toEqual(before);
  expect(await project.readCalls()).toEqual(asked);
});
