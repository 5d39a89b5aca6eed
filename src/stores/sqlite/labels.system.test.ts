import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../core/stats/random.ts';
import { buildItems, buildLabel, buildRubric, buildTask } from '../../../test/support/build-labels.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { taskId } from '../../../test/support/label-writer.ts';
import { openSqliteStore } from './sqlite.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';
import { addReviewRecords } from '../reviews/review-records.ts';
import { labelKind } from '../kinds/label.ts';

/** The number of kills of each writer; set `TOUCHSTONE_KILLS=100` for more. */
const kills = Math.ceil(Number(process.env['TOUCHSTONE_KILLS'] ?? 10) / 5);
const itemCount = 1000;

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-labels-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'touchstone.db');
}

/** Starts a writer and returns the ids of the labels that it reported as stored, until it ended or was killed. */
async function startWriter(
  writer: string,
  args: readonly string[],
  killAfterMs: number | undefined,
): Promise<string[]> {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (said.length === 0 && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    said.push(line);
  }
  const [code, signal] = await closed;
  expect([0, null]).toContain(code);
  expect([null, 'SIGKILL']).toContain(signal);
  return said;
}

test.skipIf(!isReleaseTested)(
  `two people label ${itemCount} items in processes that are killed: no label is lost, none is one too many (needs TOUCHSTONE_TEST_ALL=1)`,
  async () => {
    const file = await newFile();
    const store = openSqliteStore(file);
    const task = buildTask({ id: taskId, items: itemCount });
    // Every tenth item is labelled by both.
    const items = buildItems(task).map((item) => ({ ...item, people: item.position % 10 === 0 ? 2 : 1 }));
    await addReviewRecords(store.documents, { rubrics: [buildRubric()], tasks: [task], items });
    const writer = await bundleProgram(
      path.resolve(import.meta.dirname, '../../../test/support/label-writer.ts'),
    );
    const random = createRandom('labels');
    const acknowledged = await Promise.all(
      ['ann', 'bob'].map(async (person) => {
        const said: string[] = [];
        const killTimes = Array.from({ length: kills }, () => random.next() * 150);
        for (const [index, afterMs] of [...killTimes, undefined].entries())
          said.push(...(await startWriter(writer, [file, person, `${index}`], afterMs)));
        return said;
      }),
    );
    const labels = await Array.fromAsync(store.documents.list(labelKind, { where: { task: taskId } }));
    const stored = new Set(labels.map(({ id }) => id));
    expect(acknowledged.flat().filter((id) => !stored.has(id))).toEqual([]);
    const counts = Map.groupBy(labels, ({ item }) => item);
    const wrong = items.filter(({ position, people }) => counts.get(position)?.length !== people);
    expect(wrong.map(({ position }) => position)).toEqual([]);
    for (const said of acknowledged) expect(said.length).toBeGreaterThan(100);
    expect(await Array.fromAsync(store.check())).toEqual([]);
    await store.close();
  },
);

test('a label that was changed or removed on disk is noticed, named by the check, and the others are read', async () => {
  const file = await newFile();
  const store = openSqliteStore(file);
  const task = buildTask({ id: taskId, items: 3 });
  const labels = [0, 1, 2].map((item) => buildLabel(`l${item}`, { item }));
  await addReviewRecords(store.documents, {
    rubrics: [buildRubric()],
    tasks: [task],
    items: buildItems(task),
    labels,
  });
  await store.close();
  using database = new DatabaseSync(file);
  const readBroken = async (sql: string) => {
    database.exec(sql);
    const broken = openSqliteStore(file);
    await expect(
      Array.fromAsync(broken.documents.list(labelKind, { where: { task: taskId } })),
    ).rejects.toMatchObject({
      code: 'store-damaged',
    });
    const lost: string[] = [];
    const whole = await Array.fromAsync(broken.documents.list(labelKind, {}, (what) => lost.push(what)));
    const faults = (await Array.fromAsync(broken.check())).map(({ what }) => what);
    await broken.close();
    return { lost, whole: whole.map(({ id }) => id), faults };
  };
  expect(await readBroken("UPDATE labels SET value = 'false' WHERE id = 'l1'")).toEqual({
    lost: ['label l1 of ann by tone, item 2'],
    whole: ['l0', 'l2'],
    faults: ['a row of the table labels has changed since it was written: id l1'],
  });
  // As a damaged page would lose the row: without its trigger.
  const removed = await readBroken("DROP TRIGGER labels_removed; DELETE FROM labels WHERE id = 'l1'");
  expect(removed).toEqual({
    lost: ['1 of 3 rows of the table labels are missing'],
    whole: ['l0', 'l2'],
    faults: ['the table labels (task task-1) has 2 of 3 rows'],
  });
});

test('the queries of a task with many items use indexes alone', async () => {
  const file = await newFile();
  await openSqliteStore(file).close();
  using database = new DatabaseSync(file);
  const planOf = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');
  const marks =
    'SELECT id, item, rubric, rubric_version, person, kind, purpose, status, value, blind, given_at, seconds, replaces';
  expect(planOf(`${marks} FROM labels WHERE task = 'a' AND item = 3`)).toContain(
    'COVERING INDEX labels_by_task_item (task=? AND item=?)',
  );
  expect(planOf(`${marks} FROM labels WHERE task = 'a'`)).toContain(
    'COVERING INDEX labels_by_task_item (task=?)',
  );
  expect(planOf("SELECT position, people FROM review_items WHERE task = 'a' ORDER BY position")).toContain(
    'COVERING INDEX review_items_by_task_position_people',
  );
});
