import { existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keepRuns } from '../../../test/support/keep-runs.ts';
import { exportTo } from './export-to.ts';

const store = await keepRuns([
  { cases: [{ asks: 'What does the lamp cost?', attempts: [{ total: 1, answer: '49' }] }] },
]);

test('a run is written into a file, or with several files into a folder, which is made', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'export-'));
  const file = path.join(folder.path, 'new', 'eval.json');
  const record = await exportTo('promptfoo', 'latest', { store, output: file });
  expect(record).toMatchObject({ format: 'promptfoo', run: 'run-01', files: [file] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ evalId: 'eval-run-01' });
  const dataset = path.join(folder.path, 'dataset');
  const { files } = await exportTo('hugging-face', 'run-01', { store, output: dataset });
  expect(files.every((each) => existsSync(each))).toBe(true);
  expect(readdirSync(dataset).toSorted()).toEqual(['README.md', 'data']);
});

test('a dry run writes nothing, and counts every part all the same', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'export-'));
  const output = path.join(folder.path, 'eval.eval');
  const { parts, files } = await exportTo('inspect', 'latest', { store, output, isDryRun: true });
  expect(files).toEqual([output]);
  expect(parts.taken).toBeGreaterThan(0);
  expect(existsSync(output)).toBe(false);
});

test('an unknown format is refused, with the nearest one', async () => {
  await expect(exportTo('promtfoo', 'latest', { store })).rejects.toMatchObject({
    code: 'usage-invalid',
    message: expect.stringContaining('Did you mean "promptfoo"?') as string,
  });
});
