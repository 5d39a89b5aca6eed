import { expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { hostileTexts } from '../../../test/support/hostile-texts.ts';
import { sampleView } from '../../../test/support/build-sample-run.ts';
import { matrix } from '../../library/api/compare.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { matrixMarkdown, matrixText } from './matrix.ts';

const asked = (values: readonly (number | null)[], version: string): AskedCase[] =>
  values.map((total, index) => ({
    asks: `When is fee ${index} due?`,
    attempts: [{ total, answer: `${version} says\nday ${index}.` }],
  }));

async function readSample() {
  const store = createMemoryStore();
  await buildKeptRun(asked([1, 0.2, null], 'v1'), { id: 'v1' }, store);
  await buildKeptRun(
    [...asked([1, 1, 0], 'v2'), { asks: 'Only v2', attempts: [{ total: 1 }] }],
    { id: 'v2', name: 'second' },
    store,
  );
  return await matrix(['v1', 'v2'], { store });
}

test('a terminal has each question with the answers below it', async () => {
  const text = matrixText(await readSample(), sampleView({ width: 100 }));
  expect(text).toContain(
    '3 questions in all columns (they differ 1, all fail 0, only A fails 1, only B fails 0).',
  );
  expect(text).toContain('When is fee 1 due?');
  expect(text).toMatch(/A\s+✗\s+failed 20\.0 % · v1 says day 1\./);
  expect(text).toMatch(/B\s+✓\s+passed 100\.0 % · v2 says day 1\./);
  expect(text).toMatch(/A\s+\?\s+not measured/);
  expect(text).toMatch(/B\s+bot: 1 question: Only v2/);
});

test('Markdown has a table with a column for each run', async () => {
  const lines = matrixMarkdown(await readSample()).split('\n');
  expect(lines).toContain('| Question | A | B |');
  const row = lines.find((line) => line.includes('When is fee 1 due?'));
  expect(row).toMatch(
    /^\| `When is fee 1 due\?` \| ✗ \**failed 20\.0 %\** · `v1 says day 1\.` .*\| ✓ \**passed 100\.0 %\** · `v2 says day 1\.` \|$/,
  );
});

test('hostile texts stay in their cells', async () => {
  const store = createMemoryStore();
  const cases = hostileTexts.map((text, index) => ({
    asks: `${text}${index}`,
    attempts: [{ total: 0, answer: text }],
  }));
  await buildKeptRun(cases, { id: 'a' }, store);
  await buildKeptRun(cases, { id: 'b', name: hostileTexts[0] ?? '' }, store);
  const read = await matrix(['a', 'b'], { store, limit: 200 });
  const rows = matrixMarkdown(read)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(read.rows.length + 2);
  for (const row of rows) expect(row.split(' | ')).toHaveLength(3);
  // oxlint-disable-next-line no-control-regex -- none of these may be left
  expect(matrixText(read, sampleView())).not.toMatch(
    /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
  );
});
