import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { nearDuplicate } from './near-duplicate.ts';

const asked = async (...questions: readonly string[]) =>
  await lintRows(
    nearDuplicate,
    questions.map((question) => ({ question })),
  );

test.each([
  ['How do I reset my password?', 'how can I reset the password, please', 'the same words, but for case'],
  [
    'What flows between the Bingen and Bonn?',
    'What flows between Bingen and Bonn?',
    'the same words, but for case',
  ],
  ["Why isn't my order shipped?", 'Why is my order not shipped?', 'order'],
  [
    'Where is the cancellation form?',
    'Where is the cancelation form?',
    '"cancelation" is "cancellation" there',
  ],
  [
    'My new bike arrived today with a scratched frame and the box was torn open, what do I do?',
    'My new bike arrived today with a scratched frame and the box was ripped open, what do I do?',
    '"ripped" here is "torn" there',
  ],
])('%s – %s', async (first, second, difference) => {
  const [found = ''] = await asked(first, 'What does delivery to Malta cost?', second);
  expect(found).toContain('3: asks the same as line 1');
  expect(found).toContain(difference);
});

test.each([
  ['What is the capital of France?', 'What is the capital of Spain?'],
  ['Who won the final in 1998?', 'Who won the final in 1999?'],
  ['What is 5 * 7?', 'What is 5 + 7?'],
  ['How do I enable notifications?', 'How do I disable notifications?'],
  ['Are there flights from Rome to Oslo?', 'Are there flights from Oslo to Rome?'],
  ['When was the bridge built?', 'Where was the bridge built?'],
  ['Can I deduct the rent?', 'Can I not deduct the rent?'],
  ['What does a contract need?', 'What does a contrast need?'],
  ['你们几点开门？', '你们几点关门？'],
])('%s is another question than %s', async (first, second) => {
  expect(await asked(first, second)).toEqual([]);
});

test('two expectations for one question are pointed out', async () => {
  const [finding] = await findIn(nearDuplicate, [
    { question: 'When do you open?', expected_answer: 'At nine.' },
    { question: 'When do you open?', expected_answer: 'At ten.' },
  ]);
  expect(finding?.message).toContain(
    'asks the same as line 1, and expects something else: the same question, letter for letter',
  );
  expect(finding?.remedy).toContain('which expectation is right');
});

test('questions in other words with other expectations are other questions', async () => {
  const text = (word: string) =>
    `My customer wants to know today whether our ${word} department ships large parcels abroad without customs papers`;
  const rows = ['billing', 'bicycle'].map((word) => ({
    question: text(word),
    expected_answer: `It is ${word}.`,
  }));
  expect(await lintRows(nearDuplicate, rows)).toEqual([]);
});

test('a template is not a set of duplicates', async () => {
  const words = ['bikes', 'tables', 'lamps', 'chairs', 'shelves'];
  const questions = words.map(
    (word) =>
      `My customer wants to know today whether our store ships large ${word} abroad without customs papers`,
  );
  expect(await asked(...questions)).toEqual([]);
});

test('the same words after another conversation, or with other documents, are another question', async () => {
  const turns = (first: string) => [
    { role: 'user', content: first },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'What does it cost?' },
  ];
  expect(
    await lintRows(
      nearDuplicate,
      ['Do you sell lamps?', 'Do you sell beds?'].map((first) => ({ messages: turns(first) })),
    ),
  ).toEqual([]);
  expect(
    await lintRows(
      nearDuplicate,
      [['a'], ['b']].map((choices) => ({ question: 'Which one is right?', choices })),
    ),
  ).toEqual([]);
});

test('a case switches the rule off for itself by a tag', async () => {
  const rows = [
    { question: 'When do you open?' },
    { question: 'when do you open', tags: ['lint-skip:near-duplicate'] },
  ];
  expect(await lintRows(nearDuplicate, rows)).toEqual([]);
});
