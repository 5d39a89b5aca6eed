import { expect, test } from 'vitest';
import { TargetFailure } from '../../targets/target.ts';
import { checkReply } from './ask-target.ts';

function refusalOf(given: unknown): string {
  try {
    checkReply(given);
  } catch (error) {
    if (error instanceof TargetFailure) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

test('parts of a reply that are left out and can mean only one thing are filled in', () => {
  expect(checkReply({ status: 'completed', answer: 'Yes.' })).toMatchObject({
    answer: 'Yes.',
    toolCalls: [],
    toolsUnknown: true,
  });
  expect(checkReply('Yes.')).toEqual({ answer: 'Yes.', toolCalls: [], toolsUnknown: true });
  expect(checkReply({ answer: 'Yes.', toolCalls: ['search'], documents: ['d1'] })).toEqual({
    answer: 'Yes.',
    toolCalls: [{ name: 'search' }],
    documents: [{ id: 'd1' }],
  });
  const whole = { answer: null, toolCalls: [{ name: 'search' }], documents: [{ id: 'd1' }] };
  expect(checkReply(whole)).toBe(whole);
});

test.each([
  [undefined, 'invalid-answer: it gave undefined'],
  [42, 'invalid-answer: it gave the number 42'],
  [{}, 'invalid-answer: its reply has no answer'],
  [{ answer: 42, toolCalls: [] }, 'invalid-answer: its answer is the number 42'],
  [{ answer: 'a', toolCalls: 'search' }, 'invalid-answer: toolCalls is'],
  [{ answer: 'a', toolCalls: [{ tool: 'search' }] }, 'invalid-answer: toolCalls[0] is'],
  [{ answer: 'a', documents: {} }, 'invalid-answer: documents is'],
  [{ answer: 'a', transcript: [{ role: 'robot' }] }, 'invalid-answer: transcript[0] is'],
  [{ answer: 'a', usage: { inputTokens: 'many' } }, 'invalid-answer: usage is'],
  [{ answer: 'a', cost: -1 }, 'invalid-answer: cost is'],
  [{ answer: 'a', state: { at: 1n } }, 'invalid-answer: its reply contains a bigint'],
  [{ answer: 'a', state: Number.NaN }, 'invalid-answer: its reply contains NaN'],
  [{ status: 'failed', error: { message: 'no key' } }, 'target-failed: no key'],
] as const)('%o is the error of one trial', (given, said) => {
  expect(refusalOf(given).slice(0, said.length)).toBe(said);
});

test('a reply that contains itself is refused', () => {
  const state: Record<string, unknown> = {};
  state['self'] = state;
  expect(refusalOf({ answer: 'a', state })).toContain('nested more than 500 deep');
});
