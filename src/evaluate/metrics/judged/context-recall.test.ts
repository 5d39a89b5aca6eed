import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { contextRecall } from './context-recall.ts';

const documents = [{ id: 'lease.md', text: 'The lease ends on 30 April 2026.' }, { id: 'note.md' }];
const testCase = {
  expected: { answer: ['It ends on 30 April 2026; the rent is 900 dollars.', 'In April.'] },
};
const claims = ['The lease ends on 30 April 2026.', 'The rent is 900 dollars.'];
const check = (claim: number, supported: boolean) => ({ claim, reason: 'so', supported, passage: '' });
const rules = [
  { about: 'context-recall-claims', reply: { claims } },
  { about: 'context-recall-checks', reply: { checks: [check(1, true), check(2, false)] } },
];

test('is the share of statements of the expected answer that the documents support', async () => {
  const { verdict, questions } = await judgeAnswer(contextRecall, 'Whatever the answer is.', {
    case: testCase,
    trial: { documents },
    options: { threshold: 0.6 },
    rules,
  });
  expect(verdict).toMatchObject({
    status: 'scored',
    value: 0.5,
    passed: false,
    explanation: '1 of 2 claims are supported; not: The rent is 900 dollars.',
    judgements: [expect.any(String), expect.any(String)],
  });
  const texts = questions.map(({ material }) => material.map(({ title, text }) => `${title}: ${text}`));
  expect(texts).toEqual([
    ['question: What is our address?', `expected answer: ${testCase.expected.answer[0]}`],
    ['document 1: lease.md\n\nThe lease ends on 30 April 2026.', `claims: 1. ${claims[0]}\n2. ${claims[1]}`],
  ]);
});

test.each([
  ['the question has no expected answer', {}, { documents }],
  ['no text of a retrieved document is known', testCase, { documents: [{ id: 'note.md' }] }],
  ['no text of a retrieved document is known', testCase, {}],
])('is not applicable, and asks nothing: %s', async (reason, parts, trial) => {
  const { verdict, questions } = await judgeAnswer(contextRecall, 'x', { case: parts, trial, rules });
  expect([verdict, questions]).toEqual([{ status: 'not-applicable', reason }, []]);
});

test('an expected answer that states nothing is not applicable, and a judge that fails leaves it unmeasured', async () => {
  const verdictWith = async (given: object[]) =>
    (await judgeAnswer(contextRecall, 'x', { case: testCase, trial: { documents }, rules: given })).verdict;
  expect(await verdictWith([{ about: 'context-recall-claims', reply: { claims: [] } }])).toEqual({
    status: 'not-applicable',
    reason: 'the expected answer states nothing that could be checked',
  });
  expect(await verdictWith(rules.slice(0, 1))).toMatchObject({ status: 'failed', code: 'judge-no-rule' });
});
