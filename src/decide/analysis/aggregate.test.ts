import { expect, test } from 'vitest';
import type { Outcome } from '../../core/schema/result.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
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
