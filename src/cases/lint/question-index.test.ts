import { expect, test } from 'vitest';
import { hashText } from '../../core/lib/content-hash.ts';
import { createRandom } from '../../core/stats/random.ts';
import { QuestionIndex } from './question-index.ts';
import type { CaseRef } from './rule.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

const random = createRandom('questions');
const vocabulary = Array.from({ length: 3000 }, () =>
  Array.from({ length: 6 }, () => String.fromCodePoint(97 + random.integer(26))).join(''),
);

function indexOf(questions: readonly string[]): QuestionIndex {
  const index = new QuestionIndex();
  for (const [line, question] of questions.entries()) {
    const ref: CaseRef = {
      caseId: `c${line}`,
      place: { file: 'golden.jsonl', line },
      isReference: false,
      skips: [],
    };
    index.add({ ref, question, hash: hashText(`${line}`), surroundings: 0, expected: 0 });
  }
  return index;
}

/** Returns different questions of 8 to 19 words. */
function questionsOf(count: number): string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length: 8 + random.integer(12) }, () => vocabulary[random.integer(3000)]).join(' '),
  );
}

test.skipIf(!isReleaseTested)(
  'of 20,000 questions exactly those that say the same are found (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const questions = questionsOf(20_000);
    const planted = Array.from({ length: 300 }, (_, each) => each * 50);
    const copies = planted.map((line) => `The ${(questions[line] ?? '').toUpperCase()}, please?`);
    const pairs = indexOf([...questions, ...copies]).pairs();
    expect(pairs.map(({ earlier, later }) => [earlier.place.line, later.place.line])).toEqual(
      planted.map((line, each) => [line, 20_000 + each]),
    );
  },
);

test('questions of ten words of which one differs are found as often as MinHash promises', () => {
  const questions = questionsOf(2000).map((text, each) =>
    text.split(' ').slice(0, 8).concat(`word${each}a`, `word${each}b`).join(' '),
  );
  const others = questions.map((text, each) => text.replace(/ \w+$/, ` other${each}`));
  const pairs = indexOf([...questions, ...others]).pairs();
  // 9 of 11 words are shared: (1 − 0.82⁴)¹⁶ are missed, one in 13,000.
  expect(pairs.filter(({ difference }) => difference.type === 'reworded').length).toBeGreaterThanOrEqual(
    1998,
  );
});

test('ten thousand questions of one template take no quadratic time, and are no duplicates', () => {
  const template = Array.from(
    { length: 10_000 },
    (_, each) => `what does the ${vocabulary[each % 3000]} of ${each} cost`,
  );
  const names = Array.from(
    { length: 3000 },
    (_, each) => `what does the lovely ${vocabulary[each]} lamp cost today`,
  );
  const before = process.threadCpuUsage();
  expect(indexOf([...template, ...new Set(names)]).pairs()).toEqual([]);
  // Comparing all pairs would take minutes.
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(20_000);
});
