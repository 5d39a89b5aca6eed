import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts.ts';

type Row = readonly [question: string, expected: 'Yes' | 'No', answer: string];

const right: readonly Row[] = [
  ['Do you ship to Norway?', 'Yes', 'We do ship to Norway.'],
  ['Do you ship to Norway?', 'Yes', 'We do.'],
  ['Do you ship to Norway?', 'No', 'We don’t.'],
  ['Do you deliver on weekends?', 'No', 'Unfortunately, we do not deliver on weekends.'],
  ['Is parking free?', 'No', 'Parking is not free.'],
  ['Can I cancel?', 'Yes', 'You can cancel.'],
  ['Can I cancel?', 'No', 'You cannot cancel.'],
  ['Has it shipped?', 'Yes', 'It has shipped.'],
  ['Is 5 greater than 3?', 'Yes', '5 is greater than 3.'],
];
const wrong: readonly Row[] = [
  ['Is parking free?', 'Yes', 'Parking is not free.'],
  ['Is parking free?', 'Yes', 'Parking is free only for members.'],
  ['Do you ship to Norway?', 'Yes', 'We used to ship to Norway.'],
  ['Do you ship to Norway?', 'Yes', 'We could ship to Norway.'],
  ['Do you ship to Norway?', 'Yes', 'We do not know if we ship to Norway.'],
  ['Do you ship to Norway?', 'No', 'I do not know.'],
  ['Did Anna call Ben?', 'Yes', 'Ben did call Anna.'],
  ['Is 5 greater than 3?', 'Yes', '3 is greater than 5.'],
  ['Is it red or blue?', 'Yes', 'It is red.'],
  ['Is it legal?', 'Yes', 'It is not illegal.'],
  ['Is the sky blue?', 'Yes', 'The sky'],
  ['Are cats mammals?', 'Yes', 'Are cats mammals?'],
  ['Does it work?', 'Yes', 'It does not not work.'],
];

test.each(right)('%s %s: “%s” is the same', (question, expected, answer) => {
  expect(compareTexts(answer, expected, { question })).toMatchObject({ outcome: 'same', by: 'yes or no' });
});

test.each(wrong)('%s %s: “%s” does not pass', (question, expected, answer) => {
  expect(compareTexts(answer, expected, { question }).value).toBeLessThan(0.5);
});

test('an answer may repeat the words of the question in the singular or the plural', () => {
  const question = 'Opening hours on Sunday?';
  expect(compareTexts('We are closed on Sundays.', 'closed', { question }).by).toBe('restatement');
  expect(compareTexts('We are closed on Mondays.', 'closed', { question }).outcome).not.toBe('same');
});
