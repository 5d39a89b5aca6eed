import { expect, test } from 'vitest';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { errorHandling } from './error-handling.ts';

const metric = errorHandling.definition.create({}, {});

test('an ordinary answer scores 1', () => {
  const verdict = metric.score({ case: buildCase(), trial: buildTrial('900 S 9th St') });
  expect(verdict).toMatchObject({ value: 1, passed: true, evidence: { error: null } });
});

test('an answer that is an error report scores 0 and names its sign', () => {
  const verdict = metric.score({ case: buildCase(), trial: buildTrial('DatabaseError: Connection refused') });
  expect(verdict).toMatchObject({ value: 0, passed: false, evidence: { error: 'error-name' } });
});

test('a failed trial scores 0 with the code of its error', () => {
  expect(metric.measuresFailures).toBe(true);
  const verdict = metric.score({
    case: buildCase(),
    trial: buildFailedTrial('timeout', 'no answer within 5 ms'),
  });
  expect(verdict).toMatchObject({
    value: 0,
    explanation: 'no answer within 5 ms',
    evidence: { error: 'timeout' },
  });
});
