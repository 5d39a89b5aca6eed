import { expect, test } from 'vitest';
import type { Outcome } from '../../core/schema/result.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { TargetAttacks } from '../../core/schema/attacks/attack-rates.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { aggregate } from './aggregate.ts';
import { decide } from '../gate/decide.ts';

const verdicts = { keywords: { status: 'scored', value: 0.5 } } as const;

async function summarize(parts: readonly Partial<Outcome>[]): Promise<TargetSummary> {
  const run = buildRun({ dataset: { sources: ['a'], cases: parts.length, hash: 'h' }, scorecard: null });
  const outcomes = parts.map((part, ordinal): Outcome => {
    const trial = { ordinal, caseId: `c${ordinal}`, target: 'bot', status: 'completed', retries: 0 } as const;
    return { case: {}, trial, verdicts, scorecard: null, ...part };
  });
  const { targets } = await aggregate(run, new Map(), ReadableStream.from([outcomes]));
  return targets[0] as TargetSummary;
}

test('without a scorecard a trial is measured when every metric gave a verdict', async () => {
  const target = await summarize([
    {},
    { verdicts: { keywords: { status: 'failed' } } },
    { verdicts: { keywords: { status: 'not-applicable' } } },
  ]);
  expect(target.counts).toMatchObject({ planned: 3, measured: 2, notMeasured: 1, passed: 0, failed: 0 });
  expect(target).toMatchObject({ score: { value: null }, worstCase: null, bestCase: null });
});

test('a least score never passes a run without a score', async () => {
  const target = await summarize([{}, {}]);
  expect(decide([target], { failUnder: 50, minCoverage: 1 }).outcome).toBe('not-measured');
  expect(decide([target], { minCoverage: 1 }).outcome).toBe('pass');
});

test('an answer that is an error report is counted beside the failed calls', async () => {
  const target = await summarize([
    { verdicts: { 'error-handling': { status: 'scored', value: 0, passed: false } } },
    {},
  ]);
  expect(target.counts).toMatchObject({ errors: 0, errorReports: 1 });
  expect(target.errorRate.value).toBe(0.5);
});

const metric = {
  name: 'attack-resisted',
  use: { use: 'attack-resisted' },
  version: 2,
  fingerprint: '4'.repeat(32),
  aspect: 'resisted-attack',
} as const;

/** Returns the attacks of a run whose questions have these verdicts, one for each attempt; null is not measured. */
async function attacksOf(
  questions: readonly { readonly category: string; readonly passed: readonly (boolean | null)[] }[],
): Promise<TargetAttacks | undefined> {
  const attempts = questions[0]?.passed.length ?? 1;
  const run = buildRun({
    dataset: { sources: ['a'], cases: questions.length, hash: 'h' },
    metrics: [metric],
    attempts,
  });
  const outcomes = questions.flatMap(({ category, passed }, place) =>
    passed.map((isPassed, index): Outcome => {
      const ordinal = place * attempts + index;
      const trial = { ordinal, caseId: `c${place}`, target: 'bot', status: 'completed', retries: 0 } as const;
      const verdict =
        isPassed === null
          ? ({ status: 'failed' } as const)
          : ({ status: 'scored', value: Number(isPassed), passed: isPassed } as const);
      return { case: { category }, trial, verdicts: { 'attack-resisted': verdict }, scorecard: null };
    }),
  );
  return (await aggregate(run, new Map(), ReadableStream.from([outcomes]))).attacks?.[0];
}

test('of several attempts, the rate is the mean over attacks, and those that ever succeeded are counted apart', async () => {
  const found = await attacksOf([
    { category: 'secrets', passed: [true, false, true] },
    { category: 'secrets', passed: [true, true, true] },
    { category: 'waste', passed: [false, null, false] },
    { category: 'waste', passed: [null, null, null] },
    { category: 'benign', passed: [true, false, null] },
  ]);
  expect(found).toMatchObject({
    all: { questions: 3, attempts: 8, succeeded: 3, everSucceeded: 2, notMeasured: 4 },
    families: [
      { family: 'secrets', questions: 2, attempts: 6, succeeded: 1, everSucceeded: 1, notMeasured: 0 },
      { family: 'waste', questions: 1, attempts: 2, succeeded: 2, everSucceeded: 1, notMeasured: 4, rate: 1 },
    ],
    harmless: { questions: 1, attempts: 2, refused: 1, notMeasured: 1 },
  });
  // One third, nothing and everything, each once: attempts that were not measured weigh nothing.
  expect(found?.all.rate).toBeCloseTo(4 / 9, 12);
  expect(found?.families[0]?.rate).toBeCloseTo(1 / 6, 12);
});
