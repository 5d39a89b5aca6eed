import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { jsonValid } from './json-valid.ts';

test.each<[object, string | null, number]>([
  [{}, ' {"a": [1, null]} ', 1],
  [{}, '"text"', 1],
  [{}, '{"a": 1,}', 0],
  [{}, "{'a': 1}", 0],
  [{}, '{"a": 1} and more', 0],
  [{}, 'NaN', 0],
  [{}, '', 0],
  [{}, null, 0],
  [{}, '```json\n{"a": 1}\n```', 0],
  [{ fenced: true }, '```json\n{"a": 1}\n```', 1],
  [{ fenced: true }, '~~~\n[]\n~~~\n', 1],
  [{ fenced: true }, '{"a": 1}', 1],
  [{ fenced: true }, 'Here:\n```json\n{"a": 1}\n```', 0],
  [{ type: 'object' }, '{}', 1],
  [{ type: 'object' }, '[]', 0],
  [{ type: 'null' }, 'null', 1],
])('with %j the answer %j → %d', (options, answer, value) => {
  expect(scoreAnswer(jsonValid, answer, { options })).toMatchObject({ value, passed: value === 1 });
});

test('the verdict states where the text stops being JSON, and mentions a code fence', () => {
  expect(scoreAnswer(jsonValid, '{"a": x}')).toMatchObject({
    explanation: expect.stringMatching(/position|token/i),
  });
  expect(scoreAnswer(jsonValid, '```\n{}\n```')).toMatchObject({
    explanation: expect.stringContaining('`fenced`'),
  });
});
