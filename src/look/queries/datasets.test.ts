import { expect, test } from 'vitest';
import { keepRuns } from '../../../test/support/keep-runs.ts';
import { readCaseHistory } from './case-history.ts';
import { listDatasets, viewDataset } from './datasets.ts';

const passes = { total: 1 };
const fails = { total: 0 };

/** Three runs: a case that always passes, one that always fails, one that changes its content, a flaky one and a new one. */
const store = await keepRuns([
  {
    cases: [
      { asks: 'easy', attempts: [passes, passes] },
      { asks: 'hard', attempts: [fails, fails] },
      { asks: 'old words', id: 'edited', attempts: [fails, fails] },
      { asks: 'gone', attempts: [passes, passes] },
    ],
  },
  {
    cases: [
      { asks: 'easy', attempts: [passes, passes] },
      { asks: 'hard', attempts: [fails, { total: null }] },
      { asks: 'new words', id: 'edited', attempts: [passes, passes] },
      { asks: 'flaky', attempts: [passes, fails] },
    ],
  },
  {
    cases: [{ asks: 'other', attempts: [passes] }],
    parts: { dataset: { sources: ['b.csv', 'c.csv'], cases: 1, hash: 'x' } },
  },
]);

test('datasets are listed by the files that runs read, the one of the newest run first', async () => {
  expect(await listDatasets(store)).toMatchObject([
    { name: 'b.csv, c.csv', cases: 1, versions: 1, runs: 1, latest: { id: 'run-03' } },
    { name: 'golden.jsonl', cases: 4, versions: 2, runs: 2, latest: { id: 'run-02' } },
  ]);
});

test('versions are compared by the ids and the contents of their cases', async () => {
  const { versions } = await viewDataset(store, 'golden.jsonl');
  expect(versions).toMatchObject([
    { cases: 4, runs: 1, latestRun: 'run-02', changes: { added: 1, removed: 1, changed: 1 } },
    { cases: 4, runs: 1, latestRun: 'run-01', changes: null },
  ]);
});

test('cases are sorted by their results in the last runs, in which only the same content counts', async () => {
  const { stability } = await viewDataset(store, 'golden.jsonl');
  expect(stability).toEqual({
    runs: 2,
    counts: { 'always-failed': 1, flaky: 1, differs: 0, 'always-passed': 2, unknown: 0 },
    cases: [
      { id: 'hard', category: 'uncategorized', kind: 'always-failed', passed: 0, failed: 3 },
      { id: 'flaky', category: 'uncategorized', kind: 'flaky', passed: 1, failed: 1 },
    ],
  });
});

test('a case has its contents and its results in every run', async () => {
  const history = await readCaseHistory(store, 'golden.jsonl', 'edited');
  expect(history.contents.map((content) => content.case.input)).toEqual(['new words', 'old words']);
  expect(history.runs.map(({ run, trials }) => [run, trials.map(({ result }) => result)])).toEqual([
    ['run-02', ['passed', 'passed']],
    ['run-01', ['failed', 'failed']],
  ]);
});

test('an unknown dataset and an unknown case are refused', async () => {
  await expect(viewDataset(store, 'other.jsonl')).rejects.toThrow('No run of the store has the dataset');
  await expect(readCaseHistory(store, 'golden.jsonl', 'nothing')).rejects.toThrow('has a question "nothing"');
});
