import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { openSqliteStore } from './sqlite.ts';
import { feedbackKind, readUserKey } from '../kinds/feedback.ts';
import { addFeedback } from '../feedback/feedback-records.ts';

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-feedback-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'touchstone.db');
}

test('feedback that was changed or removed on disk is noticed, named by the check, and the rest is read', async () => {
  const file = await newFile();
  const store = openSqliteStore(file);
  await addFeedback(
    store,
    ['a', 'b', 'c'].map((id) => buildFeedback(id)),
  );
  await store.close();
  using database = new DatabaseSync(file);
  const readBroken = async (sql: string) => {
    database.exec(sql);
    const broken = openSqliteStore(file);
    await expect(Array.fromAsync(broken.documents.list(feedbackKind))).rejects.toMatchObject({
      code: 'store-damaged',
    });
    const lost: string[] = [];
    const whole = await Array.fromAsync(broken.documents.list(feedbackKind, {}, (what) => lost.push(what)));
    const faults = (await Array.fromAsync(broken.check())).map(({ what }) => what);
    await broken.close();
    return { lost, whole: whole.map(({ feedback }) => feedback.id), faults };
  };
  expect(await readBroken("UPDATE feedback SET signal = 'copied' WHERE id = 'b'")).toEqual({
    lost: ['feedback b of 2026-01-02T10:00:00.000Z'],
    whole: ['a', 'c'],
    faults: ['a row of the table feedback has changed since it was written: id b'],
  });
  const removed = await readBroken("DROP TRIGGER feedback_removed; DELETE FROM feedback WHERE id = 'b'");
  expect(removed).toEqual({
    lost: ['1 of 3 rows of the table feedback are missing'],
    whole: ['a', 'c'],
    faults: ['the table feedback has 2 of 3 rows'],
  });
});

test('two processes that open a store share one key of users', async () => {
  const file = await newFile();
  const [one, other] = [openSqliteStore(file), openSqliteStore(file)];
  const keys = await Promise.all([readUserKey(one.documents), readUserKey(other.documents)]);
  expect(keys[0]).toEqual(keys[1]);
  await Promise.all([one.close(), other.close()]);
});

test('the answer of a feedback is found by indexes alone', async () => {
  const file = await newFile();
  await openSqliteStore(file).close();
  using database = new DatabaseSync(file);
  const planOf = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');
  expect(planOf("SELECT ordinal FROM trials WHERE key = 'a'")).toContain('trials_by_key (key=?)');
  expect(planOf("SELECT position FROM cases WHERE id = 'a'")).toContain('cases_by_name (id=?)');
});
