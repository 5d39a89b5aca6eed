import { expect, test } from 'vitest';
import { quotedTexts, splitAtEvidence } from './verdict-rows.ts';

test('evidence is found in an answer whatever its letter case, the longest first', () => {
  const quoted = quotedTexts({ found: ['land', 'Land Transfer', '2 %'], missing: ['applies'] });
  expect(splitAtEvidence('The LAND transfer tax of 2 % applies.', quoted)).toEqual([
    { text: 'The ', isEvidence: false },
    { text: 'LAND transfer', isEvidence: true },
    { text: ' tax of ', isEvidence: false },
    { text: '2 %', isEvidence: true },
    { text: ' applies.', isEvidence: false },
  ]);
});

test('the parts of evidence are searched, and characters of patterns are plain', () => {
  const quoted = quotedTexts({ parts: { words: { found: ['(a|b)*', '$&'] } }, value: 3, error: 'no' });
  expect(splitAtEvidence('x (a|b)* y $& no', quoted).filter(({ isEvidence }) => isEvidence)).toEqual([
    { text: '(a|b)*', isEvidence: true },
    { text: '$&', isEvidence: true },
  ]);
});

test('a text without evidence stays whole', () => {
  expect(splitAtEvidence('Nothing.', [])).toEqual([{ text: 'Nothing.', isEvidence: false }]);
  expect(splitAtEvidence('Nothing.', quotedTexts({ found: ['x', 'absent'] }))).toEqual([
    { text: 'Nothing.', isEvidence: false },
  ]);
});
