import { expect, test } from 'vitest';
import { readPublicSet } from './public-sets.ts';

const question = 'What is the capital of France?';

test('a question of ARC has its choices inside', () => {
  const choices = [
    { text: 'Lyon', label: 'A' },
    { text: 'Paris', label: 'B' },
  ];
  const row = { id: 'x', question: { stem: question, choices }, answerKey: 'B' };
  expect(readPublicSet(row)).toEqual({ id: 'x', question, choices, answerKey: 'B' });
});

test('the answer of GSM8K stands behind its worked solution, which is kept', () => {
  const answer = 'She sold 48/2 = <<48/2=24>>24 clips in May.\n#### 72';
  expect(readPublicSet({ question, answer })).toEqual({
    question,
    expected_answer: '72',
    'metadata.worked_solution': answer,
  });
});

test('the further answers of CRAG are as right as the first', () => {
  expect(readPublicSet({ question, answer: 'Paris', alt_ans: ['the city of Paris'] })).toEqual({
    question,
    expected_answer: ['Paris', 'the city of Paris'],
  });
  expect(readPublicSet({ question, answer: 'Paris', alt_ans: [] })).toEqual({
    question,
    expected_answer: ['Paris'],
  });
});

test('one span of DROP is the answer; whether several are a list or what several people said is not known', () => {
  const spans = (...said: string[]) => ({
    question,
    answers_spans: { spans: said, types: said.map(() => 'number') },
  });
  expect(readPublicSet(spans('20', '20'))).toEqual({ question, expected_answer: '20' });
  expect(readPublicSet(spans('20', '21'))).toEqual(spans('20', '21'));
});

test('a heading in an answer of Markdown is no end of a worked solution', () => {
  const answer = 'Intro\n#### Details\nThe lamp costs 49 euros.';
  expect(readPublicSet({ question, answer })).toEqual({ question, answer });
});

test.each([
  [[['Paris', ['Paris is a city.', ' It is in France.']]]],
  [{ title: ['Paris'], sentences: [['Paris is a city.', ' It is in France.']] }],
])('the passages of HotpotQA are texts with their titles: %j', (context) => {
  expect(readPublicSet({ question, context })).toEqual({
    question,
    context: ['Paris: Paris is a city. It is in France.'],
  });
});

test.each([
  { question },
  { question, context: 'a text' },
  { question, context: ['a', 'b'] },
  { question, answer: 72 },
])('any other row stays as it is: %j', (row) => {
  expect(readPublicSet(row)).toBe(row);
});
