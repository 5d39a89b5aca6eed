import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { finishReason } from './finish-reason.ts';

const score = (reported: string | undefined, options: object = {}) =>
  finishReason.definition
    .create(finishReason.definition.options.parse(options), {})
    .score({ case: buildCase(), trial: buildTrial('x', { finishReason: reported }) });

test.each([
  ['stop', 'stop', 1],
  ['end_turn', 'stop', 1],
  ['STOP', 'stop', 1],
  ['MAX_TOKENS', 'length', 1],
  ['max_tokens', 'stop', 0],
  ['tool_use', 'tool_calls', 1],
  ['SAFETY', 'content_filter', 1],
  ['pause_turn', 'PAUSE_TURN', 1],
  ['pause_turn', 'stop', 0],
])('%s is %s: %d', (reported, value, expected) => {
  expect(score(reported, { value })).toMatchObject({
    status: 'scored',
    value: expected,
    passed: expected === 1,
  });
});

test('one of several reasons is enough; by default the answer has to be complete', () => {
  expect(score('length', { value: ['stop', 'length'] })).toMatchObject({ value: 1 });
  expect(score('length')).toMatchObject({
    value: 0,
    explanation: 'it stopped because of length, not stop',
    evidence: { finishReason: 'length' },
  });
});

test('a reason that was not recorded is not measured', () => {
  expect(score(undefined)).toEqual({
    status: 'failed',
    code: 'finish-reason-not-recorded',
    reason: 'the target did not report why it stopped',
  });
});
