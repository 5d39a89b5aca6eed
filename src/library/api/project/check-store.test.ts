import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { partOf } from '../../../core/lib/files/replace-file.ts';
import { makeWorkFolder, workName } from '../../../core/lib/files/work-folder.ts';
import { openSqliteStore } from '../../../stores/sqlite/sqlite.ts';
import { checkText } from '../../../cli/texts/store-check.ts';
import { checkStore } from './check-store.ts';

/** The id of a process that cannot be running. */
const gone = 2 ** 22 + 7;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'check-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function makeOld(...files: readonly string[]): Promise<void> {
  const before = new Date(Date.now() - 3_700_000);
  for (const file of files) await utimes(file, before, before);
}

test('what killed processes left is listed once it is old and its process has ended, and removed on demand', async () => {
  const folder = await newFolder();
  const temporary = await newFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  await store.listRuns();
  await store.close();
  const reports = path.join(folder, 'reports', 'week');
  const skipped = path.join(folder, 'node_modules');
  for (const made of [reports, skipped, path.join(folder, '.touchstone', 'spool')])
    await mkdir(made, { recursive: true });
  const old = partOf(path.join(reports, 'a.html'));
  const young = partOf(path.join(reports, 'b.html'));
  const foreign = partOf(path.join(skipped, 'c.html'));
  const named = path.join(reports, 'my.part');
  const waiting = path.join(folder, '.touchstone', 'spool', 'x.jsonl');
  for (const file of [old, young, foreign, named, waiting]) await writeFile(file, 'half');
  const mine = await makeWorkFolder('files');
  const ofGone = (name: string) => path.join(temporary, name.replace(`${process.pid}`, `${gone}`));
  const theirs = ofGone(`${workName('tools')}abc`);
  const fresh = ofGone(`${workName('look')}abc`);
  for (const made of [theirs, fresh]) await mkdir(made);
  await makeOld(old, foreign, named, mine, theirs);

  const found = await checkStore({ folder });
  expect(found.leftovers).toEqual({
    parts: [old],
    work: [theirs],
    unused: [],
    waiting: [waiting],
    halfSent: [],
  });
  expect(checkText(found)).toContain('Remove them: touchstone check --clean\n');

  const cleaned = await checkStore({ folder, clean: true });
  expect([cleaned.isCleaned, cleaned.leftovers.parts]).toEqual([true, [old]]);
  expect((await readdir(temporary)).sort()).toEqual([mine, fresh].map((made) => path.basename(made)).sort());
  const left = await readdir(reports);
  expect(left.map((name) => path.join(reports, name)).sort()).toEqual([young, named].sort());
  expect((await checkStore({ folder })).leftovers).toMatchObject({ parts: [], waiting: [waiting] });
});
