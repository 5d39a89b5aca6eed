import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readOldFile, readRecords } from '../../../test/support/old-stores/read-records.ts';
import { addFeedback, readAllFeedback } from '../feedback/feedback-records.ts';
import { feedbackKind } from '../kinds/feedback.ts';
import { erasedTraceKind } from '../kinds/trace.ts';
import { proposalKind } from '../kinds/proposal.ts';
import { storeToolRun } from '../../../test/support/tool-records.ts';
import { buildCase, buildRun } from '../../library/testing/build-records.ts';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { addSpans } from '../traces/trace-records.ts';
import { openSqliteStore } from './sqlite.ts';

const oldLayout = 'sqlite-layout-15.sql';
const records = JSON.parse(readOldFile('records.json')) as unknown;

/** Writes the old store to a new file, after some further statements. */
async function writeOld(further = ''): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-old-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'touchstone.db');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; ${readOldFile(oldLayout)}${further}`);
  database.close();
  return file;
}

/** Returns the columns of all tables of a file, and the names of its indexes and triggers. */
function layoutIn(file: string): unknown[] {
  using database = new DatabaseSync(file);
  const named = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => `${String(row['type'])} ${String(row['name'])}`);
  const columns = database
    .prepare(
      `SELECT tables.name AS place, columns.* FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY 1, 2`,
    )
    .all();
  return [named, columns];
}

test('a store of layout 15 is opened with all of its records, and takes new ones', async () => {
  const file = await writeOld();
  const store = openSqliteStore(file);
  expect(await readRecords(store)).toEqual(records);
  expect(await Array.fromAsync(store.check())).toEqual([]);
  expect(await addFeedback(store, [buildFeedback('new')])).toMatchObject({ added: 1 });
  // What was erased before is still refused.
  const span = { traceId: 't-gone', spanId: 'x', name: 'chat', attributes: {}, events: [], resource: {} };
  const joining = { now: '2026-01-02T10:00:00.000Z', openForMs: 1000 };
  expect(await addSpans(store.documents, [span], joining)).toMatchObject({ refused: { erased: 1 } });
  await store.close();
  const again = openSqliteStore(file);
  expect(await Array.fromAsync(again.check())).toEqual([]);
  await again.close();
});

test('the tools of a run that was stored before there were filters by tool are found, and counted', async () => {
  const file = await writeOld();
  const { run, results } = await storeToolRun(
    [{ id: 'one', expected: ['book'], answers: { bot: { calls: ['search'] } } }],
    buildRun().targets,
    { id: 'with-tools' },
  );
  // As the version before wrote it: without traits.
  const writer = openSqliteStore(file);
  await writer.createRun(run);
  await writer.addCases(run.id, [
    { position: 0, hash: 'h', place: 'a:1', case: results[0]?.case ?? buildCase() },
  ]);
  await writer.addTrials(run.id, results);
  await writer.addScores(run.id, results);
  await writer.close();
  const database = new DatabaseSync(file);
  database.exec(
    `DROP TABLE traits; DROP TABLE trial_traits; DROP TABLE traits_wanted; DROP TRIGGER scores_of_traits;
    DROP TRIGGER cases_changed; DROP TRIGGER trials_changed; DROP TRIGGER scores_changed;
    DROP TABLE stored_counts; ALTER TABLE totals DROP COLUMN rows_changed;`,
  );
  database.exec('PRAGMA user_version = 19');
  database.close();
  const store = openSqliteStore(file);
  onTestFinished(async () => await store.close());
  const where = [{ field: 'missingTool', operator: '=' as const, values: ['book'] }];
  const [one, other] = await Promise.all([
    store.selectTrials(run.id, { where, limit: 9 }),
    store.countTraits(run.id),
  ]);
  expect(one.rows.map(({ caseId }) => caseId)).toEqual(['one']);
  expect(other.map(({ field, value }) => `${field}=${value}`)).toEqual([
    'calls=search',
    'expectedTool=book',
    'missingTool=book',
    'tool=search',
  ]);
  using again = new DatabaseSync(file);
  expect(again.prepare('SELECT count(*) AS wanted FROM traits_wanted').get()).toEqual({ wanted: 1 });
});

test('only the filters that came later wait for the records of a run that has the first traits', async () => {
  const file = await writeOld();
  const { run, results } = await storeToolRun(
    [{ id: 'one', expected: ['book'], answers: { bot: { calls: ['search'] } } }],
    buildRun().targets,
    { id: 'with-tools' },
  );
  const labelled = results.map((result) => ({
    ...result,
    verdicts: { ...result.verdicts, tone: { status: 'scored' as const, value: 1, label: 'kind' } },
  }));
  const writer = openSqliteStore(file);
  await writer.createRun(run);
  await writer.addCases(run.id, [
    { position: 0, hash: 'h', place: 'a:1', case: results[0]?.case ?? buildCase() },
  ]);
  await writer.addTrials(run.id, labelled);
  await writer.addScores(run.id, labelled);
  await writer.close();
  const database = new DatabaseSync(file);
  // As the version before wrote it: without labels. One of its tools is renamed, to show where the counts are from.
  database.exec(
    `ALTER TABLE traits_wanted DROP COLUMN is_later; DELETE FROM traits_wanted;
    DELETE FROM trial_traits WHERE trait IN (SELECT trait FROM traits WHERE field = 'label.tone');
    DELETE FROM traits WHERE field = 'label.tone'; UPDATE traits SET value = 'seen' WHERE field = 'tool';
    PRAGMA user_version = 22;`,
  );
  database.close();
  const store = openSqliteStore(file);
  onTestFinished(async () => await store.close());
  const wanted = () => {
    using reader = new DatabaseSync(file);
    const sql = 'SELECT is_later FROM traits_wanted JOIN runs ON number = run WHERE id = ?';
    return reader
      .prepare(sql)
      .all(run.id)
      .map((row) => row['is_later']);
  };
  const find = async (field: string, value: string) =>
    (await store.selectTrials(run.id, { where: [{ field, operator: '=', values: [value] }], limit: 9 })).rows
      .length;
  expect(await store.countTraits(run.id, { fields: ['tool'] })).toMatchObject([{ value: 'seen', trials: 1 }]);
  expect(await find('missingTool', 'book')).toBe(1);
  expect(wanted()).toEqual([1]);
  expect(await find('label.tone', 'kind')).toBe(1);
  expect(wanted()).toEqual([]);
  expect(await store.countTraits(run.id, { fields: ['tool'] })).toMatchObject([{ value: 'seen', trials: 1 }]);
});

test('an upgraded store has the tables, indexes and triggers of a new one', async () => {
  const [old, fresh] = [await writeOld(), path.join(path.dirname(await writeOld()), 'fresh.db')];
  for (const file of [old, fresh]) await openSqliteStore(file).close();
  expect(layoutIn(old)).toEqual(layoutIn(fresh));
});

test('a record that was damaged before the upgrade is damaged after it, and one that was lost is still missed', async () => {
  const file = await writeOld(`
    UPDATE feedback SET signal = 'copied' WHERE id = 'f2';
    UPDATE proposal_decisions SET person = 'Eve' WHERE proposal = 'p5';
    DROP TRIGGER labels_removed; DELETE FROM labels WHERE id = 'l3';
    DROP TRIGGER feedback_removed; DELETE FROM feedback WHERE id = 'f3';
    DROP TRIGGER proposal_exports_removed; DELETE FROM proposal_exports;
    DROP TRIGGER certificates_removed; DELETE FROM certificates;`);
  const store = openSqliteStore(file);
  const faults = (await Array.fromAsync(store.check())).map(({ what }) => what);
  expect(faults).toEqual([
    'a row of the table feedback has changed since it was written: id f2',
    'a row of the table proposals has changed since it was written: id p5',
    'the table labels (task task-1) has 2 of 3 rows',
    'the table certificates has 0 of 1 rows',
    expect.stringMatching(/^the table feedback has \d+ of \d+ rows$/),
    'the table proposals has 5 of 6 rows',
  ]);
  const lost: string[] = [];
  const kept = await Array.fromAsync(readAllFeedback(store.documents, (what) => lost.push(what)));
  expect(lost[0]).toBe('feedback f2 of 2026-01-02T10:00:00.000Z');
  expect(kept.map(({ feedback }) => feedback.id)).not.toContain('f2');
  await expect(store.documents.get(feedbackKind, ['f2'])).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(store.documents.get(proposalKind, ['p5'])).rejects.toMatchObject({ code: 'store-damaged' });
  // Its text is still in the file, for a person who looks for it by hand.
  using database = new DatabaseSync(file);
  const row = database.prepare("SELECT record FROM proposals WHERE id = 'p5'").get();
  expect(String(row?.['record'])).toContain('decision-p5');
  await store.close();
});

test('a process that is killed during the upgrade leaves the old store, which the next one upgrades', async () => {
  const file = await writeOld(`
    INSERT INTO erased_traces WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 50000)
      SELECT 'many-' || value, '2026-01-01T00:00:00.000Z' FROM n;`);
  const script = `
    import { openSqliteStore } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'sqlite.ts')).href)};
    console.log('begins');
    await openSqliteStore(process.argv[1]).close();`;
  for (const afterMs of [1, 20, 60, 120]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    await wait(afterMs);
    child.kill('SIGKILL');
    const [, signal] = (await closed) as [number | null, string | null];
    using database = new DatabaseSync(file);
    const layout = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const half = database
      .prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name GLOB 'old_*'")
      .get();
    expect([signal === null || layout === 15, half]).toEqual([true, { tables: 0 }]);
  }
  const store = openSqliteStore(file);
  expect(await readRecords(store)).toEqual(records);
  expect(await store.documents.count(erasedTraceKind)).toBe(50_002);
  expect(await Array.fromAsync(store.check())).toEqual([]);
  await store.close();
});
