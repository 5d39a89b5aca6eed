import { expect, test } from 'vitest';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { firstToken } from './first-token.ts';

const metric = firstToken.definition.create({ maxMs: 100 }, {});
const latency = { totalMs: 500, firstTokenMs: 80.5 };

test('measures the time to the first token in milliseconds, also of a call that failed later', () => {
  const verdict = { status: 'scored', value: 80.5, unit: 'ms', passed: true };
  expect(metric.score({ case: buildCase(), trial: buildTrial('x', { latency }) })).toEqual(verdict);
  const failed = buildFailedTrial('timeout', 'late', { latency });
  expect(metric.score({ case: buildCase(), trial: failed })).toEqual(verdict);
  expect(metric.measuresFailures).toBe(true);
});

test('is not applicable to a target that does not stream', () => {
  expect(metric.score({ case: buildCase(), trial: buildTrial('x') })).toMatchObject({
    status: 'not-applicable',
  });
});
