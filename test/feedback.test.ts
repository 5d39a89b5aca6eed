import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { storeFeedback } from './support/feedback-store.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await temporaryFolder();
  const store = openSqliteStore(path.join(cwd, '.touchstone', 'touchstone.db'));
  await storeFeedback({
    store,
    categories: ['deeds', 'taxes'],
    targets: ['bot', 'other'],
    comment: '\u001b[31mno',
  });
  await store.close();
});

const line = {
  id: 'r-1',
  at: '2026-01-03T10:00:00Z',
  source: 'web',
  signal: 'thumb',
  value: 'down',
  subject: { trialKey: 'k1' },
  user: 'ann@example.com',
};

test('feedback is imported once, line by line, and what cannot be used is named', async () => {
  const rows = [line, { ...line, id: 'r-2', value: 'sideways' }];
  await writeFile(path.join(cwd, 'new.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const first = await touchstone(['feedback', 'import', 'new.jsonl'], { cwd });
  expect(first.code).toBe(2);
  expect(first.stdout).toContain(
    'Added 1 record of feedback, 1 of them about an answer in the store; 0 were',
  );
  expect(first.stdout).toContain('new.jsonl:2: value: expected "up", "down", a number, true or false');
  const again = await touchstone(['feedback', 'import', 'new.jsonl', '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, known: 1, refused: [{ id: 'r-2' }] });
});

test('an export is read without loss by another store, and changes nothing in its own', async () => {
  const exported = await touchstone(['feedback', 'export', 'all.jsonl'], { cwd });
  expect(exported).toMatchObject({ code: 0, stderr: 'Wrote the feedback to all.jsonl.\n' });
  const text = await readFile(path.join(cwd, 'all.jsonl'), 'utf8');
  expect(text).not.toContain('ann@example.com');
  const own = await touchstone(['feedback', 'import', 'all.jsonl', '--json'], { cwd });
  expect(JSON.parse(own.stdout)).toMatchObject({ added: 0, refused: [] });
  const other = await temporaryFolder();
  const file = path.join(cwd, 'all.jsonl');
  const imported = await touchstone(['feedback', 'import', file, '--json'], { cwd: other });
  expect(JSON.parse(imported.stdout)).toMatchObject({ added: text.trim().split('\n').length, refused: [] });
  expect((await touchstone(['feedback', 'export', '-'], { cwd: other })).stdout).toBe(text);
});

test('show counts by category and period, list names answers, and neither prints control characters', async () => {
  const shown = await touchstone(['feedback', 'show', '--by', 'month'], { cwd });
  expect(shown.stdout).toMatch(/^all +256 +100\.0 % +20\.3 % +\[/m);
  const json = await touchstone(['feedback', 'show', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({ length: 'week', periods: [{ period: '2026-W01' }, {}] });
  const listed = await touchstone(['feedback', 'list', '--limit', '1000'], { cwd });
  expect(listed.stdout).toContain('thumb down  deeds 0 (other, run run-1)');
  expect(listed.stdout).not.toContain('\u001b');
});

test('predict prints correlations and AUC, and exits with 2 and the reason where nothing can be measured', async () => {
  const predicted = await touchstone(['predict'], { cwd });
  expect(predicted.code).toBe(0);
  expect(predicted.stdout).toContain('Does the score predict what users think? 8 units');
  expect(predicted.stdout).toMatch(/^Spearman +1\.000 \(no interval: .*n = 8/m);
  expect(predicted.stdout).toMatch(/^ {2}score {2}0\.\d{3} \[0\.\d{3}, 0\.\d{3}\] {2}n = 256$/m);
  const empty = await temporaryFolder();
  const none = await touchstone(['predict'], { cwd: empty });
  expect(none.code).toBe(2);
  expect(none.stdout).toContain('Not measured: no answer has both a score and what users said.');
});

test('forgetting users removes the key, so that the same user gets another hash', async () => {
  const hashOf = async (id: string) => {
    const { stdout } = await touchstone(['feedback', 'list', '--limit', '1000', '--json'], { cwd });
    const kept: { feedback: { id: string; user?: { hash: string } } }[] = JSON.parse(stdout);
    return kept.find(({ feedback }) => feedback.id === id)?.feedback.user?.hash;
  };
  expect((await touchstone(['feedback', 'forget-users'], { cwd })).stdout).toContain(
    'no stored hash can be traced',
  );
  await writeFile(path.join(cwd, 'later.jsonl'), JSON.stringify({ ...line, id: 'r-3' }));
  expect((await touchstone(['feedback', 'import', 'later.jsonl'], { cwd })).code).toBe(0);
  expect(await hashOf('r-3')).toMatch(/^[\da-f]{32}$/);
  expect(await hashOf('r-3')).not.toBe(await hashOf('r-1'));
});
