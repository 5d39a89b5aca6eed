import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { listTrials } from './trials.ts';

const cases = Array.from({ length: 9 }, (_, index) => ({
  asks: `q${index}`,
  attempts: [{ total: (index % 5) / 4 }, { total: 1 }],
}));

test('a list is filtered, sorted and read in parts by texts', async () => {
  const { run, store } = await buildKeptRun(cases);
  const query = { where: 'passed=false', sort: '-total', limit: 2 };
  const first = await listTrials(store, run, query);
  expect(first.rows.map(({ caseId, total }) => [caseId, total])).toEqual([
    ['q2', 0.5],
    ['q7', 0.5],
  ]);
  const second = await listTrials(store, run, { ...query, after: first.next ?? '' });
  expect(second.rows.map(({ caseId }) => caseId)).toEqual(['q1', 'q6']);
  const third = await listTrials(store, run, { ...query, after: second.next ?? '' });
  expect([third.rows.map(({ caseId }) => caseId), third.next]).toEqual([['q0', 'q5'], null]);
});

test('an empty filter matches everything, and a row shows all attempts', async () => {
  const { run, store } = await buildKeptRun(cases);
  const { rows } = await listTrials(store, run, { where: ' ', sort: '', fold: true });
  expect(rows).toHaveLength(9);
  expect(rows[0]).toMatchObject({ caseId: 'q0', attempts: ['failed', 'passed'] });
});

test('what cannot be understood is refused', async () => {
  const { run, store } = await buildKeptRun(cases);
  const invalid = { code: 'usage-invalid' };
  await expect(listTrials(store, run, { where: 'totl<1' })).rejects.toMatchObject(invalid);
  await expect(listTrials(store, run, { sort: 'answer' })).rejects.toMatchObject(invalid);
  await expect(listTrials(store, run, { after: 'x' })).rejects.toMatchObject(invalid);
});
