import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitPassages } from './split-passages.ts';

const split = (text: string, longest: number) => splitPassages({ id: 'doc', text }, longest);

const rules = `# Rules

Intro of the rules.

## Fees

A late tool costs 2 dollars a day.

The most is 30 dollars.

### Waivers

Fees are waived in August.

## Hours

Open from nine to five.`;

test('a document is split at headings, and each passage knows the headings above it', () => {
  expect(split(rules, 70)).toEqual([
    { id: 'doc#1', document: 'doc', headings: ['Rules'], text: '# Rules\n\nIntro of the rules.' },
    {
      id: 'doc#2',
      document: 'doc',
      headings: ['Rules', 'Fees'],
      text: '## Fees\n\nA late tool costs 2 dollars a day.\n\nThe most is 30 dollars.',
    },
    {
      id: 'doc#3',
      document: 'doc',
      headings: ['Rules', 'Fees', 'Waivers'],
      text: '### Waivers\n\nFees are waived in August.',
    },
    {
      id: 'doc#4',
      document: 'doc',
      headings: ['Rules', 'Hours'],
      text: '## Hours\n\nOpen from nine to five.',
    },
  ]);
});

test('short sections stay together up to the longest length', () => {
  expect(split(rules, 1000).map(({ text }) => text)).toEqual([rules]);
});

test('a `#` in a code block is no heading', () => {
  const [only] = split('# Use\n\n```sh\n# install\nnpm install\n```', 200);
  expect(only).toMatchObject({ headings: ['Use'], text: '# Use\n\n```sh\n# install\nnpm install\n```' });
});

test('a paragraph that is too long is cut after a sentence, else after a word', () => {
  expect(split('One two three. Four five six. Seven.', 20).map(({ text }) => text)).toEqual([
    'One two three.',
    'Four five six.',
    'Seven.',
  ]);
  expect(split('alpha beta gamma delta', 12).map(({ text }) => text)).toEqual(['alpha beta', 'gamma delta']);
});

test('every text is in passages of the given length at most, which hold all its words in their order', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('', '# A', '## B', '```', 'x'.repeat(90), '| a | b |'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 16, max: 80 }), (lines, longest) => {
      const text = lines.join('\n');
      const passages = split(text, longest);
      const plain = (given: string) => given.replaceAll(/\s+/g, '');
      expect(plain(passages.map((passage) => passage.text).join(''))).toBe(plain(text));
      for (const passage of passages) {
        expect(passage.text.length).toBeLessThanOrEqual(longest);
        expect(passage.text.isWellFormed()).toBe(text.isWellFormed());
      }
    }),
    { numRuns: 300 },
  );
});
