import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addLabels, nextItems } from '../src/people/reviews/index.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { storeReviewedRun } from './support/reviewed-run.ts';

const config = `
dataset: golden.jsonl
targets:
  - { use: module, path: bot.ts }
rubrics:
  tone: { criterion: politeness, question: Is it polite? }
`;

let cwd: string;
let runId: string;
const storeFile = () => path.join(cwd, '.touchstone', 'touchstone.db');

beforeAll(async () => {
  cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  const store = openSqliteStore(storeFile());
  runId = (await storeReviewedRun(store, { passed: 70, failed: 60, unjudged: 2 })).id;
  await store.close();
});

const create = ['review', 'create', '--rubric', 'tone', '--labels', '100', '--doubled', '20%', '--seed', '7'];

test('a review task is planned first, created, labelled, exported, and survives the deletion of its run', async () => {
  const planned = await touchstone([...create, '--dry-run'], { cwd });
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout.split('\n').slice(1)).toEqual([
    '  tone: Is it polite? (metric politeness)',
    '',
    '  stratum  answers  to label  share',
    '  passed        70        50  0.714',
    '  failed        60        50  0.833',
    '',
    '100 answers to label, 20 of them by 2 people: 120 labels, about 1 h 20 min at 40 s each.',
    'Drawn by the verdict of politeness, half and half, with seed 7.',
    expect.stringMatching(
      /^The corrected pass rate will be known to about ± \d\.\d points .* at most ± \d\.\d points/,
    ),
    'note: 2 answers are excluded: no verdict of politeness.',
    'Nothing was stored.',
    '',
  ]);
  const refused = await touchstone(create, { cwd });
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Create it with `--yes`');
  const created = await touchstone([...create, '--yes', '--json'], { cwd });
  const { task, isCreated } = JSON.parse(created.stdout);
  expect({ isCreated, seed: task.seed, items: task.items }).toEqual({ isCreated: true, seed: 7, items: 100 });

  const store = openSqliteStore(storeFile());
  const ann = { person: 'ann', now: new Date('2026-11-24T09:00:00Z') };
  for (const { item } of (await nextItems(store, task.id, ann, 3)).cards)
    await addLabels(store, task.id, ann, { item, labels: [{ rubric: 'tone', value: true }], seconds: 20 });
  await store.close();
  const shown = await touchstone(['review', 'show', task.id.slice(-4)], { cwd });
  expect(shown.stdout).toMatch(/tone-.*: 3 of 120 labels/);
  expect(shown.stdout).toMatch(/ann +3 +0 +0 +0 +0 +20 s/);

  const closed = await touchstone(['review', 'close', task.id], { cwd });
  expect(closed).toMatchObject({ code: 0, stdout: `${task.id} is closed.\n` });
  const late = openSqliteStore(storeFile());
  await expect(nextItems(late, task.id, ann, 1)).rejects.toMatchObject({ code: 'label-refused' });
  await late.close();
  await touchstone(['review', 'close', task.id, '--reopen'], { cwd });
  const versions = await touchstone(['labels', 'same-meaning', 'tone'], { cwd });
  expect(versions.stdout).toMatch(/^[0-9a-f]{12} {2}3 labels\n {4}Is it polite\?\n$/);
  const same = await touchstone(['labels', 'same-meaning', 'tone', versions.stdout.slice(0, 4), 'x'], {
    cwd,
  });
  expect([same.code, same.stderr]).toEqual([4, expect.stringMatching(/--by NAME|has no version "x"/)]);

  const exported = await touchstone(['labels', 'export', 'labels.jsonl'], { cwd });
  expect(exported.code).toBe(0);
  const text = await readFile(path.join(cwd, 'labels.jsonl'), 'utf8');
  const deleted = await touchstone(['delete', runId, '--yes'], { cwd });
  expect(deleted).toMatchObject({ code: 0, stdout: `Deleted ${runId}.\n` });
  expect(deleted.stderr).toContain('3 labels of these answers by people stay in the store');
  const piped = await touchstone(['labels', 'export', '-'], { cwd });
  expect(piped.stdout).toBe(text);
  expect((await touchstone(['check'], { cwd })).code).toBe(0);

  const other = path.join(cwd, 'other');
  await mkdir(other);
  const imported = await touchstone(['labels', 'import', '../labels.jsonl'], { cwd: other });
  expect(imported).toMatchObject({ code: 0, stdout: 'Added 3 labels.\n' });
  const again = await touchstone(['labels', 'import', '../labels.jsonl', '--json'], { cwd: other });
  expect(JSON.parse(again.stdout)).toEqual({ added: 0, known: 3 });
});
