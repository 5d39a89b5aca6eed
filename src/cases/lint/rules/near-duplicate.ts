import type { LintRule, QuestionPair } from '../rule.ts';
import { describePlace } from './duplicate-id.ts';

/** The rule for questions of one file that say the same in nearly the same words. */
export const nearDuplicate: LintRule = {
  name: 'near-duplicate',
  severity: 'warning',
  summary: 'a question asks the same as another one in its file',
  create: () => ({
    *finish(set) {
      for (const pair of set.pairs()) {
        const { earlier, later, difference, disagrees } = pair;
        const isOther = earlier.isReference || earlier.place.file !== later.place.file;
        if (difference.type === 'copy' || isOther) continue;
        const contrast = disagrees ? ', and expects something else' : '';
        yield {
          at: later,
          path: ['input'],
          other: earlier,
          message: `asks the same as ${describePlace(earlier, later)}${contrast}: ${describeNearness(pair)}`,
          remedy: disagrees
            ? 'Find out which expectation is right, and keep one of the two.'
            : 'Keep one of the two, or give both one `cluster`: as separate questions they make intervals too narrow.',
        };
      }
    },
  }),
};

/** Describes how near two questions are: what differs, and the share of words that both have. */
export function describeNearness({ difference, similarity }: QuestionPair): string {
  const share = `${Math.floor(similarity * 100)} % of the words are the same`;
  switch (difference.type) {
    case 'copy':
      return 'the same question with the same expectations';
    case 'same-text':
      return 'the same question, letter for letter';
    case 'same-words':
      return 'the same words, but for case, punctuation, endings and words such as "the"';
    case 'reordered':
      return 'the same words in another order';
    case 'spelling':
      return `${share}, and ${difference.words.map(([first, second]) => `"${second}" is "${first}" there`).join(', ')}`;
    case 'reworded':
      return `${share}, and ${listWords(difference.later)} here is ${listWords(difference.earlier)} there`;
  }
}

function listWords(words: readonly string[]): string {
  return words.length === 0 ? 'nothing' : words.map((word) => `"${word}"`).join(' ');
}
