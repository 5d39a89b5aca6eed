import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from './journal.ts';
import type { Placed } from './pages/piece.ts';

interface Choices {
  readonly storeFile?: string;
  readonly longestWaitMs?: number;
  readonly runId?: string;
  readonly keep?: () => void;
}

async function openJournal({
  storeFile,
  longestWaitMs = 60_000,
  runId = 'run',
  keep = () => {},
}: Choices = {}) {
  const file = storeFile ?? path.join(await mkdtemp(path.join(tmpdir(), 'touchstone-journal-')), 'store.db');
  if (storeFile === undefined) onTestFinished(() => rm(path.dirname(file), { recursive: true }));
  const kept: (readonly Placed<string>[])[] = [];
  const journal = createJournal<string>({
    storeFile: file,
    many: 5,
    longestWaitMs,
    idOf: () => runId,
    keep: (_run, rows) => {
      keep();
      kept.push(rows);
    },
  });
  const add = (...places: number[]) =>
    journal.append(
      1,
      places.map((place) => ({ place, value: `${place}` })),
    );
  return { file, journal, kept, add, names: async () => await readdir(path.dirname(file)) };
}

function rowsAt(...places: number[]): Placed<string>[] {
  return places.map((place) => ({ place, value: `${place}` }));
}

test('rows that come alone are for the tables; those that follow fast are kept until they are many', async () => {
  const { add, kept, journal } = await openJournal();
  expect(add(0)).toBe(false);
  expect([add(3), add(2), add(4, 1)]).toEqual([true, true, true]);
  expect(kept).toEqual([]);
  add(5);
  await expect.poll(() => kept).toEqual([rowsAt(1, 2, 3, 4, 5)]);
  journal.close();
});

test('what ends with a page is in the tables before rows of the next page come', async () => {
  const { add, kept, journal } = await openJournal();
  add(0);
  for (const place of [1, 2, 3, 4, 5, 6]) add(place);
  expect(kept).toEqual([rowsAt(1, 2, 3, 4)]);
  for (const place of [7, 8, 9]) add(place);
  add(10, 11);
  expect(kept).toEqual([rowsAt(1, 2, 3, 4), rowsAt(5, 6, 7, 8, 9)]);
  journal.close();
  expect(kept.at(-1)).toEqual(rowsAt(10, 11));
});

test('of two rows at the same place the later one is kept', async () => {
  const { add, kept, journal } = await openJournal();
  add(0);
  add(1);
  journal.append(1, [{ place: 1, value: 'later' }]);
  journal.settle(1);
  expect(kept).toEqual([[{ place: 1, value: 'later' }]]);
  journal.close();
});

test('what waits is put into the tables when it is asked for, and at the end, and then nothing is left', async () => {
  const { add, kept, journal, names } = await openJournal();
  for (const place of [0, 1]) add(place);
  journal.settle(1);
  expect(kept).toEqual([rowsAt(1)]);
  add(2);
  journal.close();
  expect(kept).toEqual([rowsAt(1), rowsAt(2)]);
  expect(await names()).toEqual([]);
});

test('what waits is put into the tables in time', async () => {
  const { add, kept, journal } = await openJournal({ longestWaitMs: 200 });
  add(0);
  expect(add(1)).toBe(true);
  expect(kept).toEqual([]);
  await expect.poll(() => kept).toEqual([rowsAt(1)]);
  journal.close();
});

test('long rows are put into the tables before they are many', async () => {
  const { journal, kept } = await openJournal();
  const value = 'long '.repeat(2 ** 19);
  const rows = [0, 1, 2].map((place) => ({ place, value }));
  for (const row of rows) journal.append(1, [row]);
  await expect.poll(() => kept).toEqual([rows.slice(1)]);
  journal.close();
});

test('a journal belongs to one process, and what one leaves behind when it dies goes to the next', async () => {
  const { file, add, kept, journal } = await openJournal();
  const module = pathToFileURL(path.join(import.meta.dirname, 'journal.ts')).href;
  const script = `
    const { createJournal } = await import(${JSON.stringify(module)});
    const keep = () => { throw new Error('never'); };
    const journal = createJournal({ storeFile: ${JSON.stringify(file)}, many: 100, longestWaitMs: 60_000, idOf: () => 'run', keep });
    journal.append(1, []);
    for (const place of [7, 8, 9]) journal.append(1, [{ place, value: String(place) }]);
    process.kill(process.pid, 'SIGKILL');`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal).toBe('SIGKILL');
  await appendFile(`${file}-1.journal`, '[{"place":10,"val');

  journal.settle(1);
  expect(kept).toEqual([rowsAt(7, 8, 9)]);
  const other = await openJournal({ storeFile: file });
  add(11);
  add(12);
  other.add(13);
  expect(other.add(14)).toBe(false);
  other.journal.settle(1);
  expect(other.kept).toEqual([]);
  journal.close();
});

test('where a power cut or the disk has spoilt some lines, the others are kept', async () => {
  const { file, kept, journal } = await openJournal();
  const lines = ['{"run":"run"}', '[{"place":1,"value":"1"}]', '\0\0', '[{}]', '[{"place":2,"value":"2"}]'];
  await writeFile(`${file}-1.journal`, `${lines.join('\n')}\n`);
  journal.settle(1);
  expect(kept).toEqual([rowsAt(1, 2)]);
});

test("a journal that another store has left under the same number is nobody's", async () => {
  const { file, add, journal } = await openJournal();
  add(0);
  add(1);
  const left = await readFile(`${file}-1.journal`);
  journal.close();
  await writeFile(`${file}-1.journal`, left);
  const other = await openJournal({ storeFile: file, runId: 'other' });
  other.journal.settle(1);
  expect(other.kept).toEqual([]);
  await writeFile(`${file}-1.journal`, left);
  const same = await openJournal({ storeFile: file });
  same.journal.settle(1);
  expect(same.kept).toEqual([rowsAt(1)]);
});

test('a journal that cannot be begun leaves the run to others', async () => {
  let isFull = true;
  const { file, add, journal } = await openJournal({
    keep: () => {
      if (isFull) throw new Error('disk full');
    },
  });
  await writeFile(`${file}-1.journal`, '{"run":"run"}\n[{"place":7,"value":"7"}]\n');
  add(0);
  expect(() => add(1)).toThrow('disk full');
  isFull = false;
  const other = await openJournal({ storeFile: file });
  other.journal.settle(1);
  expect(other.kept).toEqual([rowsAt(7)]);
  journal.close();
});

test('rows that the tables do not take stay in the journal', async () => {
  let isFull = true;
  const { add, kept, journal } = await openJournal({
    keep: () => {
      if (isFull) throw new Error('disk full');
    },
  });
  add(0);
  add(1);
  expect(() => journal.settle(1)).toThrow('disk full');
  isFull = false;
  journal.settle(1);
  expect(kept).toEqual([rowsAt(1)]);
  journal.close();
});
