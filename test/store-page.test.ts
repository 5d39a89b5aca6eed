import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '..', 'docs', 'store.md'), 'utf8');
const queries = Array.from(page.matchAll(/^```sql\n([\s\S]*?)^```$/gm), ([, sql = '']) => sql);
const hasProgram = spawnSync('sqlite3', ['--version']).status === 0;

/** A store with a run of two targets and one that scores its answers again. */
async function makeStore(): Promise<string> {
  const cwd = await temporaryFolder();
  const rows = [
    {
      id: 'opening-hours',
      question: 'When?',
      expected_keywords: ['9'],
      expected_tools: ['look'],
      category: 'contact',
    },
    { id: 'price', question: 'How much?', expected_keywords: ['49'], expected_tools: ['look'] },
  ];
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const bot = (answer: string) =>
    `export default () => ({ answer: '${answer}', toolCalls: [{ name: 'look' }], cost: 0.5 });`;
  await writeFile(path.join(cwd, 'good.mjs'), bot('9 to 5, and it costs 49'));
  await writeFile(path.join(cwd, 'bad.mjs'), bot('nothing is known'));
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: [{ use: module, name: good, path: good.mjs }, { use: module, name: bad, path: bad.mjs }]\n',
  );
  for (const args of [['run'], ['rescore']]) await touchstone(args, { cwd });
  return path.join(cwd, '.touchstone', 'touchstone.db');
}

test('the queries of the page about the store answer what they say', async () => {
  const file = await makeStore();
  using database = new DatabaseSync(file, { readOnly: true });
  const answers = queries.map((sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
  );
  const [targets, worst, categories, history, records] = answers;
  expect(targets).toEqual([
    ['bad', 0],
    ['good', 1],
  ]);
  expect(worst?.map(([id, target]) => [id, target])).toEqual([
    ['opening-hours', 'bad'],
    ['price', 'bad'],
    ['opening-hours', 'good'],
    ['price', 'good'],
  ]);
  expect(categories?.map((row) => row.slice(0, 4))).toEqual([
    ['contact', 2, 0.5, 1],
    ['uncategorized', 2, 0.5, 1],
  ]);
  expect(history).toHaveLength(4);
  expect(records).toHaveLength(8);
  for (const row of records ?? []) expect(row.slice(1)).toEqual([1, 'look']);
});

test.skipIf(!hasProgram)('the program sqlite3 reads a store (needs sqlite3)', async () => {
  const file = await makeStore();
  for (const sql of queries) {
    const read = execFileSync('sqlite3', ['-readonly', file, sql], { encoding: 'utf8' });
    expect(read).not.toBe('');
  }
});
