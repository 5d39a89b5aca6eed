import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitThinking } from './conversation.ts';

test.each([
  ['a block before the answer', '<think>\nhm\n</think>\n\nyes', 'yes', 'hm'],
  ['no block', 'yes', 'yes', undefined],
  ['a block that is never closed', '<think>hm, so', '', 'hm, so'],
  ['an empty block', '<think>\n\n</think>\n\nyes', 'yes', ''],
  ['one block inside another', '<think>a <think>b</think> c</think>yes', 'yes', 'a <think>b</think> c'],
  ['two opening tags and one closing', '<think>a <think> b</think>yes', 'yes', 'a <think> b'],
  ['several blocks in a row', '<think>a</think>\n<think>b</think>yes', 'yes', 'a\n\nb'],
  ['only the closing tag, the opening one being in the prompt', 'hm, so\n</think>\n\nyes', 'yes', 'hm, so'],
  ['other names, in capitals', ' <Thinking>a</THINKING> yes', 'yes', 'a'],
  [
    'tags inside the answer',
    'Write <think>…</think> around it.',
    'Write <think>…</think> around it.',
    undefined,
  ],
  [
    'a thought that quotes a tag of another name',
    '<think>use <reasoning></think>yes',
    'yes',
    'use <reasoning>',
  ],
])('%s', (_what, given, text, reasoning) => {
  expect(splitThinking(given)).toEqual({ text, reasoning });
});

test('a text without tags stays unchanged', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('<')),
      (text) => {
        expect(splitThinking(text)).toEqual({ text, reasoning: undefined });
      },
    ),
  );
});
