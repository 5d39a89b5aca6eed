import { expect, test } from 'vitest';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { latency } from './latency.ts';

const score = (trial: ReturnType<typeof buildTrial>, maxMs?: number) =>
  latency.definition.create({ maxMs }, {}).score({ case: buildCase(), trial });

test('measures the time of the call in milliseconds, also of a call that failed', () => {
  expect(score(buildTrial('x', { latency: { totalMs: 7.25 } }))).toMatchObject({ value: 7.25, unit: 'ms' });
  expect(score(buildFailedTrial('timeout', 'late', { latency: { totalMs: 50 } }))).toMatchObject({
    value: 50,
  });
  expect(latency.definition.create({}, {}).measuresFailures).toBe(true);
});

test('a limit decides whether the verdict passes', () => {
  expect(score(buildTrial('x', { latency: { totalMs: 7 } }), 7)).toMatchObject({ passed: true });
  expect(score(buildTrial('x', { latency: { totalMs: 7.1 } }), 7)).toMatchObject({ passed: false });
});

test('is not applicable to a trial without a recorded time', () => {
  expect(score(buildTrial('x', { latency: undefined }))).toMatchObject({ status: 'not-applicable' });
});
