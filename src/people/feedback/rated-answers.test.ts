import { expect, test } from 'vitest';
import type { ScorecardResult } from '../../core/schema/verdict.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { readUserRecord } from './rated-answers.ts';
import { addFeedback } from '../../stores/feedback/feedback-records.ts';

const scorecard = (total: number): ScorecardResult => ({
  total,
  lower: total,
  upper: total,
  grade: 'A',
  passed: true,
  explanation: 'met',
});

/** A store with a run of three answers, and a run that scored them again with a judge. */
async function buildStore() {
  const store = createMemoryStore();
  const judged = { name: 'tone', use: { use: 'question' }, version: 1, fingerprint: '4'.repeat(32) };
  const metrics = [{ ...judged, judge: { name: 'judge', fingerprint: '5'.repeat(32) } }];
  const dataset = { sources: ['a.jsonl'], cases: 3, hash: 'x' };
  const first = buildRun({ id: 'first', status: 'completed', dataset });
  const again = buildRun({
    ...first,
    id: 'again',
    createdAt: '2026-02-01T00:00:00.000Z',
    rescoredFrom: 'first',
    metrics,
  });
  const cases = ['a', 'b', 'c'].map((id) => buildCase({ id, category: id === 'c' ? 'tax' : undefined }));
  const trials = cases.map(({ id }, ordinal) =>
    buildTrial('yes', { caseId: id, ordinal, key: `k${ordinal}` }),
  );
  await store.createRun(first);
  await store.addCases(
    'first',
    cases.map((testCase, position) => ({ position, hash: testCase.id, place: 'a:1', case: testCase })),
  );
  await store.addTrials(
    'first',
    cases.map((testCase, at) => ({ case: testCase, trial: trials[at] ?? buildTrial('') })),
  );
  await store.createRun(again, { trialsOf: 'first' });
  const score = async (run: string, total: number) =>
    await store.addScores(
      run,
      cases.slice(0, trials.length).map((testCase, at) => ({
        case: testCase,
        trial: trials[at] ?? buildTrial(''),
        verdicts: { tone: { status: 'scored', value: total } },
        scorecard: scorecard(total),
      })),
    );
  await score('first', 0.5);
  await score('again', 0.9);
  return store;
}

test('all answers of a run with feedback are read, with the last opinion and the newest scores', async () => {
  const store = await buildStore();
  const about = (trialKey: string) => ({ subject: { trialKey } });
  await addFeedback(store, [
    buildFeedback('f1', { ...about('k0'), value: 'up' }),
    buildFeedback('f3', { ...about('k0'), signal: 'stars', value: 2, at: '2026-01-04T00:00:00.000Z' }),
    buildFeedback('f2', { ...about('k0'), signal: 'edit', text: 'no', at: '2026-01-03T00:00:00.000Z' }),
    buildFeedback('f4', { ...about('k2'), signal: 'stars', value: 3 }),
    buildFeedback('f5', about('nothing')),
  ]);
  const { answers, feedback } = await readUserRecord(store, '2026-03-01T00:00:00.000Z');
  expect(feedback).toHaveLength(5);
  expect(
    answers.map(({ caseId, category, run, score, judged }) => [caseId, category, run, score, judged]),
  ).toEqual([
    ['a', 'uncategorized', 'again', 0.9, { tone: 0.9 }],
    ['b', 'uncategorized', 'again', 0.9, { tone: 0.9 }],
    ['c', 'tax', 'again', 0.9, { tone: 0.9 }],
  ]);
  expect(answers.map(({ opinion, signals }) => [opinion, signals])).toEqual([
    ['negative', ['thumb', 'edit', 'stars']],
    [null, []],
    ['neutral', ['stars']],
  ]);
});

test('a store without feedback has no rated answers, and a deleted run leaves its feedback', async () => {
  const store = await buildStore();
  expect(await readUserRecord(store, '2026-03-01T00:00:00.000Z')).toEqual({ feedback: [], answers: [] });
  await addFeedback(store, [buildFeedback('f1', { subject: { trialKey: 'k1' } })]);
  await store.deleteRun('again');
  expect((await readUserRecord(store, '2026-03-01T00:00:00.000Z')).answers[1]).toMatchObject({
    run: 'first',
  });
  await store.deleteRun('first');
  const { feedback, answers } = await readUserRecord(store, '2026-03-01T00:00:00.000Z');
  expect([feedback.length, answers]).toEqual([1, []]);
});
