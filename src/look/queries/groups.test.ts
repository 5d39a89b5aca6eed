import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { summarizeRun } from '../../evaluate/run/summarize.ts';
import { groupTrials } from './groups.ts';

const cases = Array.from({ length: 24 }, (_, index) => ({
  asks: `q${index}`,
  category: ['tax', 'deeds'][index % 2] ?? '',
  cluster: `c${index % 7}`,
  attempts: [
    { total: index % 5 === 0 ? null : (index % 4) / 3 },
    { total: (index % 3) / 2 },
    { total: 1, isAbsent: index % 6 === 0 },
  ],
}));

test('the numbers of each category are those of the summary', async () => {
  const { run, store } = await buildKeptRun(cases);
  const { targets } = await summarizeRun(run, store);
  const groups = await groupTrials(store, run, { by: ['category'] });
  const summarized = targets[0]?.categories ?? [];
  expect(groups.map(({ key }) => key)).toEqual([{ category: 'tax' }, { category: 'deeds' }]);
  for (const { key, score, results } of groups) {
    const same = summarized.find(({ category }) => category === key['category']);
    expect(score).toEqual(same?.score);
    expect(results).toMatchObject({ passed: same?.counts.passed, failed: same?.counts.failed });
  }
  const [all] = await groupTrials(store, run);
  expect(all).toMatchObject({ key: {}, score: targets[0]?.score, passRate: targets[0]?.passRate, cases: 24 });
});

test('groups count the trials that match a filter, by several fields', async () => {
  const { run, store } = await buildKeptRun(cases);
  const groups = await groupTrials(store, run, { by: ['category', 'result'], where: 'attempt=1' });
  expect(groups.map(({ key, trials }) => [key['category'], key['result'], trials])).toEqual([
    ['tax', 'not-measured', 3],
    ['deeds', 'failed', 5],
    ['tax', 'passed', 5],
    ['deeds', 'passed', 5],
    ['tax', 'failed', 4],
    ['deeds', 'not-measured', 2],
  ]);
  expect(groups.reduce((sum, { trials }) => sum + trials, 0)).toBe(24);
});

test('nothing is a group too, and an unknown field is refused', async () => {
  const { run, store } = await buildKeptRun(cases);
  const [none] = await groupTrials(store, run, { where: 'id=nothing' });
  expect(none).toMatchObject({ trials: 0, cases: 0, coverage: null, score: { value: null } });
  expect(await groupTrials(store, run, { by: ['tag'] })).toEqual([]);
  await expect(groupTrials(store, run, { by: ['categry'] })).rejects.toThrow('Did you mean "category"?');
});
