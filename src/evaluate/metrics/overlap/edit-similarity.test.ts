import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { editSimilarity } from './edit-similarity.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(editSimilarity, answer, { options, expected: { answer: reference } });

test.each([
  ['kitten', 'sitting', 1 - 3 / 7],
  ['', '', 1],
  [null, 'abc', 0],
  ['🙂a', '🙃a', 0.5],
  ['abc', 'ABC', 0],
])('%j against %j → %d', (answer, reference, value) => {
  expect(score(answer, reference)).toMatchObject({ status: 'scored', value });
});

test('can ignore case and white space, and compare words in place of characters', () => {
  expect(score('A  b', 'a b', { ignoreCase: true, ignoreWhitespace: true })).toMatchObject({ value: 1 });
  expect(score('the red house', 'the blue house', { unit: 'words' })).toMatchObject({
    value: 1 - 1 / 3,
    evidence: { edits: 1, of: 3 },
  });
});

test.skipIf(!isReleaseTested)(
  'compares very long texts only when they are much alike (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const text = 'The rent is due on the first. '.repeat(10_000);
    expect(score(`${text}Never.`, `Yes. ${text}`)).toMatchObject({ evidence: { edits: 11, of: 300_006 } });
    const other = 'Pets are not allowed at all!! '.repeat(10_000);
    expect(() => score(text, other)).toThrow(expect.objectContaining({ code: 'too-long' }));
    expect(score(text, 'short')).toMatchObject({ status: 'scored' });
  },
);

test('a greatest distance decides alone, and the nearest of several expected answers counts', () => {
  const options = { maxDistance: 3 };
  expect(score('kitten', 'sitting', options)).toMatchObject({ passed: true, evidence: { edits: 3 } });
  expect(score('kitten', 'sittings', options)).toMatchObject({ passed: false, evidence: { edits: 4 } });
  // 2 edits of 2 characters are nearer than 3 of 20, although they leave less in common.
  const references = ['aaaaaaaaaaaaaaaaaaaa', 'xy'];
  expect(score('aaaaaaaaaaaaaaaaa', references, options)).toMatchObject({ evidence: { edits: 3 } });
  expect(score('', ['abc', 'xy'], options)).toMatchObject({ evidence: { edits: 2, reference: 'xy' } });
  expect(score('ab', ['abcdefgh', 'cd'], { maxDistance: 2 })).toMatchObject({
    value: 0,
    passed: true,
    evidence: { edits: 2, reference: 'cd' },
  });
  expect(editSimilarity.definition.options.safeParse({ maxDistance: 1, threshold: 0.5 }).success).toBe(false);
});

// rapidfuzz 3.14.6 in Python, which counts code points: Levenshtein.distance(answer, reference).
test.each([
  ['👩‍👩‍👧', '', 5],
  ['The lease ends 30 April 2026.', 'The lease ends on 30 April 2026', 4],
  ['Straße', 'STRASSE', 6],
])('from %j to %j there are %d edits', (answer, reference, edits) => {
  expect(score(answer, [reference], { maxDistance: 0 })).toMatchObject({
    passed: false,
    evidence: { edits },
  });
});
