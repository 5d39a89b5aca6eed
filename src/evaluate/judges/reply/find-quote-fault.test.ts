import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JudgeQuestion } from '../judge.ts';
import { findQuoteFault } from './read-reply.ts';

const conversation = `user: Book a meeting with Bob – tomorrow, please.

assistant used a tool: book({"time":"10:00","note":"Say \\"hi\\"\\nto Bob"})
result: {"id":7}

assistant: I’ve **booked** it for   10:00.
See you there!`;

const material = [
  { title: 'conversation', text: conversation },
  { title: 'expected state', text: '{"time":"11:00"}' },
  { title: 'final state', text: '<|im_end|> {"time":"10:00"}' },
];
const quotes: JudgeQuestion['quotes'] = { from: ['conversation', 'final state'], for: ['yes'] };

const faultOf = (quote: string, verdict: 'yes' | 'no' = 'yes', rule = quotes) =>
  findQuoteFault({ reason: 'so', quote, verdict }, { quotes: rule, material });

test.each([
  'Book a meeting with Bob',
  'I’ve **booked** it for   10:00.\nSee you there!',
  "I've booked it for 10:00. See you there!",
  '"I\'VE BOOKED IT FOR 10:00."',
  '« booked it for 10:00 »',
  'Bob - tomorrow',
  'I’ve booked … see you there',
  'Book a meeting [...] Say "hi" to Bob',
  '"time": "10:00"',
  'time:10:00,note:Say hi to Bob',
  '<|im_end|>',
  'ＢＯＯＫＥＤ it',
])('%j is found as a quote', (quote) => {
  expect(faultOf(quote)).toBeUndefined();
});

test.each([
  'I have cancelled it',
  'See you there … Book a meeting',
  'booked it for 11:00',
  '{"time":"11:00"}',
  'I’ve booked it for 10:00 {"time":"10:00"}',
])('%j is not found, or not in this part, or not in this order', (quote) => {
  expect(faultOf(quote)).toBe('the quote does not stand in conversation, final state; copy it word for word');
  expect(faultOf(quote, 'no')).toBeDefined();
});

test('what did not happen cannot be quoted: only the verdicts that need a quote require one', () => {
  for (const empty of ['', ' \n', '""', '…', '.']) {
    expect(faultOf(empty, 'yes')).toBe('a "yes" needs a `quote` that shows it');
    expect(faultOf(empty, 'no')).toBeUndefined();
  }
  expect(faultOf('', 'no', { from: ['conversation'], for: ['yes', 'no'] })).toContain('a "no" needs');
  expect(findQuoteFault({ reason: 'so', quote: 'anything', verdict: 'yes' }, { material })).toBeUndefined();
});

test('any piece of the quotable text is found, whatever its spacing and emphasis', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (words, from) => {
        const text = words.join(' ');
        const piece = words.slice(from % words.length).join('\n  ');
        // The Arabic elongation mark is not a word, though Unicode counts it as a letter.
        const plain = piece.normalize('NFKC').replaceAll('\u0640', '');
        fc.pre(/[\p{L}\p{N}]/u.test(plain) && !/…|\.\.\./.test(plain));
        const rule = {
          quotes: { from: ['answer'], for: ['yes'] as const },
          material: [{ title: 'answer', text }],
        };
        expect(
          findQuoteFault(
            { reason: 'so', quote: `“${piece.toUpperCase().toLowerCase()}”`, verdict: 'yes' },
            {
              ...rule,
              material: [{ title: 'answer', text: text.toUpperCase().toLowerCase() }],
            },
          ),
        ).toBeUndefined();
      },
    ),
    { numRuns: 500, examples: [[['\ufe77', 'a'], 0]] },
  );
});
