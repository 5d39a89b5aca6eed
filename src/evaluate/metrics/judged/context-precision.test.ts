import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { contextPrecision } from './context-precision.ts';

const testCase = { expected: { answer: 'In April 2026.' } };
const documentsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `d${index + 1}`, text: `Text ${index + 1}.` }));
const reply = (useful: readonly boolean[]) => ({
  checks: useful.map((supported, index) => ({ claim: index + 1, reason: 'so', supported, passage: '' })),
});

const score = async (useful: readonly boolean[], options: object = {}, others: object[] = []) =>
  await judgeAnswer(contextPrecision, 'x', {
    case: testCase,
    trial: { documents: documentsOf(useful.length) },
    rules: [...others, { about: 'context-precision', reply: reply(useful) }],
    options,
  });

// ragas 0.4.3: ContextPrecision._calculate_average_precision([1, 0, 1]) and so on, which adds 1e-10 to the divisor.
test.each([
  [[true, false, true], 0.8333333333],
  [[true, true, false, false], 1],
  [[false, true], 0.5],
  [[false, false, true], 0.3333333333],
  [[false, false], 0],
])('documents that are useful as in %j score %d', async (useful, value) => {
  expect((await score(useful)).verdict).toMatchObject({ status: 'scored', value: expect.closeTo(value, 9) });
});

test('one question covers all documents, and the useful ones are named', async () => {
  const { verdict, questions } = await score([true, false], { threshold: 1 });
  expect(verdict).toMatchObject({
    passed: true,
    explanation: '1 of 2 documents were useful: d1',
    evidence: {
      documents: [
        { id: 'd1', useful: 1, reason: 'so' },
        { id: 'd2', useful: 0 },
      ],
    },
  });
  expect(questions).toMatchObject([{ id: 'context-precision@1', shape: 'checks', items: 2 }]);
  expect(questions[0]?.material.map(({ title }) => title)).toEqual([
    'question',
    'expected answer',
    'document 1',
    'document 2',
    'claims',
  ]);
  expect(questions[0]?.material.at(-1)?.text).toBe(
    '1. The document 1 was useful.\n2. The document 2 was useful.',
  );
});

test('the value is the mean over the samples', async () => {
  const other = { about: 'context-precision', sample: 2, reply: reply([false, true]) };
  const { verdict } = await score([true, false], { samples: 2 }, [other]);
  expect(verdict).toMatchObject({ value: 0.75, samples: [{ value: 1 }, { value: 0.5 }] });
});

test('is not applicable without an expected answer or the text of a document', async () => {
  const verdictOf = async (parts: object, trial: object) =>
    (await judgeAnswer(contextPrecision, 'x', { case: parts, trial })).verdict;
  expect(await verdictOf({}, { documents: documentsOf(1) })).toMatchObject({ status: 'not-applicable' });
  expect(await verdictOf(testCase, { documents: [{ id: 'd1' }] })).toMatchObject({
    status: 'not-applicable',
  });
  expect(await verdictOf(testCase, {})).toMatchObject({ status: 'not-applicable' });
});
