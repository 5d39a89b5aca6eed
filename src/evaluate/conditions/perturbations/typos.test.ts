import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../../core/lib/text/edit-distance.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { toCharacters } from './pieces.ts';
import type { QuestionPerturbation } from './perturbation.ts';
import { misspell, typos as definition } from './typos.ts';

const typos = definition as QuestionPerturbation;

function perturb(text: string, rate: number, seed = 1): string {
  return typos.perturb(text, {
    random: createRandom(seed),
    rate,
    variant: undefined,
    metadata: {},
  }) as string;
}

const words = fc.stringMatching(/^[a-zäéßа-яα-ω]{4,12}$/);

test('a misspelt word differs, begins alike, and is at most two edits away', () => {
  fc.assert(
    fc.property(words, fc.nat(), (word, seed) => {
      const wrong = misspell(word, createRandom(seed));
      expect(wrong).not.toBe(word);
      expect(toCharacters(wrong)[0]).toBe(toCharacters(word)[0]);
      expect(editDistance(toCharacters(word), toCharacters(wrong))).toBeLessThanOrEqual(2);
    }),
  );
});

test('the share of misspelt words is the rate, and at least one word is misspelt', () => {
  const sentence = Array.from({ length: 40 }, () => 'apartment').join(' ');
  const wrong = (rate: number) =>
    perturb(sentence, rate)
      .split(' ')
      .filter((word) => word !== 'apartment').length;
  expect([wrong(0.25), wrong(0.5), wrong(1), wrong(0.001)]).toEqual([10, 20, 40, 1]);
});

test('the whole question is at most two edits away for each misspelt word', () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.nat(),
      (list, rate, seed) => {
        const text = list.join(' ');
        const most = 2 * Math.max(1, Math.round(list.length * rate));
        expect(editDistance(toCharacters(text), toCharacters(perturb(text, rate, seed)))).toBeLessThanOrEqual(
          most,
        );
      },
    ),
  );
});

test('short words, and words in scripts that are not alphabetic, have no typos', () => {
  const text = 'Do we owe tax? 家賃はいくらですか สวัสดีครับ';
  expect(perturb(text, 1)).toBe(text);
});

test('neighbours are on the same row of keys, in the same case', () => {
  const slips = Array.from({ length: 300 }, (_, seed) => misspell('RENT', createRandom(seed)));
  const replaced = slips.filter((slip) => slip.length === 4 && slip[0] === 'R' && slip.endsWith('NT'));
  expect(new Set(replaced.map((slip) => slip[1]))).toEqual(new Set(['W', 'R']));
});
