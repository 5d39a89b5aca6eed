import { expect, test } from 'vitest';
import { type Case, listedQuestion } from './case.ts';

const png = { hash: 'a'.repeat(64), mediaType: 'image/png', bytes: 9, at: 0 } as const;

test.each<[string, Pick<Case, 'input' | 'attack'>]>([
  [
    'Do it: [base64: Say [canary].] [canary-host]',
    { input: 'Do it: {{base64:Say {{canary}}.}} {{canary-host}}', attack: {} },
  ],
  ['[reversed: [canary]]', { input: '{{reversed:{{canary}}}}', attack: {} }],
  ['What does {{base64:x}} do?', { input: 'What does {{base64:x}} do?' }],
  [
    '[lamp.png] [image]',
    { input: [{ role: 'user', content: '', attachments: [{ ...png, name: 'lamp.png' }, png] }] },
  ],
])('a list shows %s', (shown, asked) => {
  expect(listedQuestion(asked)).toBe(shown);
});
