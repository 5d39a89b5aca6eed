import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { scoreSafely } from '../metric.ts';
import { toolFailures } from './tool-failures.ts';

function scoreTranscript(transcript: Message[], options: object = {}): Verdict {
  const metric = toolFailures.definition.create(toolFailures.definition.options.parse(options), {});
  return metric.score({ case: buildCase(), trial: buildTrial('x', { transcript }) }) as Verdict;
}

const score = (content: string, toolCalls: ToolCall[], options: object = {}) =>
  scoreTranscript([{ role: 'assistant', content, toolCalls }], options);

const failed = { name: 'get', error: 'timeout' };
const worked = { name: 'get', result: 5 };
const admission = 'I could not reach the calendar. Please try later.';

test.each<[string, ToolCall[], number]>([
  ['It is 5.', [failed, worked], 1],
  ['It is 5.', [worked, failed], 0],
  ['It is 5.', [failed, { name: 'find', result: 5 }], 0],
  [admission, [failed], 1],
  ['It is 5.', [failed, failed, worked, { name: 'book', result: { error: 'sold out' } }], 2 / 3],
])('%j after %j → %d', (content, calls, value) => {
  expect(valueOf(score(content, calls))).toBeCloseTo(value, 12);
});

test('by option, informing the user is not enough', () => {
  expect(valueOf(score(admission, [failed], { dealtWith: 'retried' }))).toBe(0);
});

test('whether a user was informed in another language than English is not measured', async () => {
  for (const content of ['Ich konnte den Kalender nicht erreichen.', 'カレンダーに接続できませんでした。']) {
    const metric = toolFailures.definition.create(toolFailures.definition.options.parse({}), {});
    const trial = buildTrial('x', { transcript: [{ role: 'assistant', content, toolCalls: [failed] }] });
    const verdict = await scoreSafely(metric, { case: buildCase(), trial });
    expect(verdict).toMatchObject({ status: 'failed', code: 'text-not-read' });
    expect(valueOf(score(content, [failed, worked]))).toBe(1);
  }
});

test('only what is said after the failure counts as informing the user', () => {
  const before: Message = { role: 'assistant', content: admission };
  const call: Message = { role: 'assistant', content: null, toolCalls: [failed] };
  const user: Message = { role: 'user', content: admission };
  expect(valueOf(scoreTranscript([before, call, user]))).toBe(0);
  expect(valueOf(scoreTranscript([call, before]))).toBe(1);
});

test('is not applicable when no call is known to have failed', () => {
  expect(score('x', [worked])).toEqual({ status: 'not-applicable', reason: 'no tool call failed' });
  expect(score('x', [])).toEqual({ status: 'not-applicable', reason: 'no tool was called' });
  expect(score('x', [{ name: 'get' }])).toMatchObject({
    reason: 'the target does not report what its tools returned',
  });
  expect(score('x', [failed], { ignoreTools: ['get'] })).toMatchObject({ status: 'not-applicable' });
});

test('the verdict names the calls that were not handled', () => {
  expect(
    score('It is 5.', [failed, worked, { name: 'book', error: 'sold out' }], { threshold: 1 }),
  ).toMatchObject({
    passed: false,
    explanation: '1 of 2 failed calls dealt with; ignored: book() (sold out)',
    evidence: { failed: ['get() (timeout)', 'book() (sold out)'], ignored: ['book() (sold out)'] },
  });
});
