import { expect, test } from 'vitest';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';
import { createForbiddenSearch } from './find-forbidden.ts';
import { createTermSearch, keywordRules } from './find-terms.ts';

const cpuOf = (work: () => unknown) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const repeat = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

/** Looks for texts that are nearly there at every place: as long as the searched text, and half as long. */
function searchRepetitions(part: string, length: number): void {
  const text = repeat(part, length);
  for (const term of [`${text}y`, `${text.slice(0, length / 2)}y`]) {
    for (const match of ['word-form', 'substring'] as const) {
      createTermSearch(`${text}x${text}`, { ...keywordRules, match })(term);
    }
    createForbiddenSearch(`${text}x${text}`, 'substring')(term);
  }
}

const few = ['aaaa', 'ab', 'can ', '™', '1,', '**a'];
const others = ['ß', 'ﬁ', 'İ', 'true', 'lease', 'e-', 'x ', '"', '中', '½', '1 ', '-'];

test.each(isReleaseTested ? [...few, ...others] : few)(
  'a long keyword of repetitions is looked for in time in proportion to its length: %j',
  (part) => {
    const [short, long] = [2000, 40_000].map((length) => cpuOf(() => searchRepetitions(part, length)));
    // Twenty times the length; the product of the lengths would be four hundred times.
    expect(long).toBeLessThan(50 * Math.max(short ?? 0, 10));
  },
);

test('a long text of repetitions is found where it is, and only there', () => {
  const text = 'ab'.repeat(5000);
  const find = createTermSearch(`${text}ac ${text}b and more`, keywordRules);
  expect(find(`${text}ac`).isFound).toBe(true);
  expect(find(`${text}b`).isFound).toBe(true);
  expect(find(`${text}c`).isFound).toBe(false);
});
