import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { containsJson } from './contains-json.ts';

const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };

test('finds JSON with text around it', () => {
  const answer = 'Sure:\n```json\n{"city": "Montrose"}\n```';
  expect(scoreAnswer(containsJson, answer)).toEqual({
    status: 'scored',
    value: 1,
    passed: true,
    evidence: { found: 1 },
  });
  expect(scoreAnswer(containsJson, 'None.')).toMatchObject({ value: 0, explanation: 'no JSON was found' });
  expect(scoreAnswer(containsJson, null)).toMatchObject({ value: 0, passed: false });
});

test('one value that is valid by the schema is enough; else the fault of the first is shown', () => {
  const score = (answer: string) => scoreAnswer(containsJson, answer, { options: { schema } });
  expect(score('{"draft": 1} and finally {"city": "Montrose"}')).toMatchObject({ value: 1 });
  expect(score('{"draft": 1} and {"city": 2}')).toMatchObject({
    value: 0,
    explanation: "the value must have required property 'city'",
    evidence: { found: 2 },
  });
});

test('a list counts only by a schema, as [1] may be a footnote', () => {
  expect(scoreAnswer(containsJson, 'as said [1]')).toMatchObject({ value: 0, evidence: { found: 0 } });
  const options = { schema: { type: 'array', minItems: 2 } };
  expect(scoreAnswer(containsJson, 'as said [1]: [2, 3]', { options })).toMatchObject({ value: 1 });
});

test('a case can have its own schema; an invalid one leaves the trial unmeasured', () => {
  const score = (value: object) =>
    scoreAnswer(containsJson, '{"city": 1}', { metadata: { schema: JSON.parse(JSON.stringify(value)) } });
  expect(score(schema)).toMatchObject({ value: 0 });
  expect(score({ required: ['city'] })).toMatchObject({ value: 1 });
  expect(score({ type: 'no such' })).toMatchObject({ status: 'failed', code: 'schema-invalid' });
  expect(() => containsJson.definition.create({ schema: { type: 'no such' }, from: 'x' }, {})).toThrow(
    /The schema of the metric contains-json cannot be used/,
  );
});
