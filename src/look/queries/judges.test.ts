import { expect, test } from 'vitest';
import { fingerprintOf, type JudgeVerdict, storeJudgedRuns } from '../../../test/support/judged-runs.ts';
import { wilsonInterval } from '../../core/stats/proportion-interval.ts';
import { describeJudge, listJudges } from './judges.ts';

const say = (text: string): JudgeVerdict[] =>
  Array.from(text, (sign) => (sign === 'f' ? [true, false, true] : [sign === '?' ? null : sign === 'y']));

test('judges are listed from the records of runs, the last used first', async () => {
  const { store } = await storeJudgedRuns([
    { name: 'strict', verdicts: say('yyn?') },
    { name: 'kind', verdicts: say('yyyy') },
  ]);
  const row = { metrics: ['correctness'], runs: 1, isCostShared: false };
  expect(await listJudges(store)).toMatchObject([
    { ...row, name: 'kind', verdicts: 4, failed: 0, lastRun: { id: 'run-1' }, cost: expect.closeTo(0.04, 9) },
    {
      ...row,
      name: 'strict',
      verdicts: 3,
      failed: 1,
      lastRun: { id: 'run-0' },
      cost: expect.closeTo(0.04, 9),
    },
  ]);
});

test('judges of the same answers are compared on the pairs that both decided', async () => {
  const { store } = await storeJudgedRuns([
    { name: 'strict', verdicts: say('yynnnyyyy?') },
    { name: 'kind', verdicts: say('yyyynyyyyy') },
  ]);
  const { agreements } = await describeJudge(store, fingerprintOf('strict'));
  expect(agreements).toMatchObject([
    {
      other: { judge: { name: 'kind' }, run: 'run-1' },
      own: { run: 'run-0' },
      pairs: 9,
      alike: 7,
      graded: 0,
    },
  ]);
  expect(agreements[0]?.splits).toEqual([
    { run: 'run-0', ordinal: 2, caseId: 'question 2', target: 'bot', verdict: false },
    { run: 'run-0', ordinal: 3, caseId: 'question 3', target: 'bot', verdict: false },
  ]);
  const { lower, upper } = wilsonInterval({ successes: 7, trials: 9 });
  expect(agreements[0]?.share).toMatchObject({ value: 7 / 9, lower, upper, n: 9, method: 'wilson' });
  const other = await describeJudge(store, 'kind');
  expect(other.agreements).toMatchObject([{ pairs: 9, alike: 7 }]);
});

test('judgements are counted with their failures, models, cost and time', async () => {
  const { store } = await storeJudgedRuns([{ name: 'strict', verdicts: say('yyn??') }]);
  expect(await describeJudge(store, 'strict')).toMatchObject({
    read: { runs: 1, judgements: 5 },
    questions: [
      {
        id: 'correctness@2',
        judgements: 5,
        failures: [{ code: 'judge-unparsable', reason: 'the reply is not JSON', judgements: 2 }],
      },
    ],
    models: [{ model: 'strict-model', calls: 5 }],
    calls: 5,
    cost: { sum: expect.closeTo(0.05, 9), reported: 5, unknown: 0 },
    latency: { p50: 102, p90: 104, p99: 104 },
  });
});

test('an answer is flipped when its samples are not all the same', async () => {
  const { store } = await storeJudgedRuns([
    { name: 'strict', verdicts: [...say('ff'), [true, true, true], [false, false, false], [true]] },
  ]);
  const { flips, noise } = await describeJudge(store, 'strict');
  expect(flips).toMatchObject([{ metric: 'correctness', answers: 4, flipped: 2 }]);
  expect(flips[0]?.splits.map(({ caseId }) => caseId)).toEqual(['question 0', 'question 1']);
  expect(noise[0]?.measure).toMatchObject({ name: 'correctness', judge: { variance: expect.any(Number) } });
});

test('what another metric says against the judge is listed', async () => {
  const { store } = await storeJudgedRuns([{ name: 'strict', verdicts: say('ynnyy') }]);
  const { disagreements } = await describeJudge(store, 'strict');
  expect(disagreements?.run).toBe('run-0');
  expect(disagreements?.kinds.map(({ kind, count }) => [kind, count])).toContainEqual([
    'complete-but-wrong',
    2,
  ]);
});

test('an unknown judge is refused', async () => {
  const { store } = await storeJudgedRuns([{ name: 'strict', verdicts: say('y') }]);
  await expect(describeJudge(store, 'unknown')).rejects.toMatchObject({ code: 'judge-not-found' });
});
