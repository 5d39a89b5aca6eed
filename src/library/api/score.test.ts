import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listRuns } from './records.ts';
import { score } from './score.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-score-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, rows: readonly object[]): void {
  writeFileSync(path.join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
}

write('answers.jsonl', [
  { id: 'a', question: 'What does it cost?', expected_keywords: ['49'], answer: 'It costs 49.' },
  { id: 'b', question: 'And this?', expected_keywords: ['99', 'euros'], answer: 'It costs 99.' },
]);
write('golden.jsonl', [{ id: 'b', question: 'And this?', expected_keywords: ['99'] }]);

test('recorded answers are scored as a run of the folder, without a target', async () => {
  const { run, summary, results } = await score('answers.jsonl', { folder });
  expect(run).toMatchObject({ status: 'completed', targets: [{ name: 'answers' }] });
  // Nothing is expected of tools, so their 0.4 go to response quality: 0.8 · 1 + 0.2 and 0.8 · 1/2 + 0.2.
  expect(summary.targets[0]?.score.value).toBeCloseTo((1 + 0.6) / 2);
  expect(await Array.fromAsync(results(), ({ trial }) => trial.answer)).toEqual([
    'It costs 49.',
    'It costs 99.',
  ]);
  expect((await listRuns({ folder })).map(({ id }) => id)).toEqual([run.id]);
});

test('the cases may stand in another file, and only a part may be scored', async () => {
  const other = await score('answers.jsonl', { folder, dataset: ['golden.jsonl'] });
  expect(
    await Array.fromAsync(other.results(), ({ case: { id }, scorecard }) => [id, scorecard?.total]),
  ).toEqual([['b', 1]]);
  const part = await score('answers.jsonl', { folder, filter: ['id=a'] });
  expect(await Array.fromAsync(part.results(), (result) => result.case.id)).toEqual(['a']);
});

test('a file that is not there is an error with a code', async () => {
  await expect(score('nothing.jsonl', { folder })).rejects.toMatchObject({ name: 'TouchstoneError' });
});
