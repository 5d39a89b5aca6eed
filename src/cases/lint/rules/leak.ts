import type { LintRule } from '../rule.ts';
import { describePlace } from './duplicate-id.ts';
import { describeNearness } from './near-duplicate.ts';

/** The rule for questions that are also in another file: in a training set, in the examples of a prompt, in a second set. */
export const leak: LintRule = {
  name: 'leak',
  severity: 'error',
  summary: 'a question is also in another file, or in one given with --against',
  create: () => ({
    *finish(set) {
      for (const pair of set.pairs()) {
        const { earlier, later, difference } = pair;
        const isOther = earlier.isReference || earlier.place.file !== later.place.file;
        if (!isOther || (difference.type === 'copy' && !earlier.isReference)) continue;
        const isSame = ['copy', 'same-text', 'same-words'].includes(difference.type);
        yield {
          at: later,
          path: ['input'],
          other: earlier,
          severity: isSame && earlier.isReference ? 'error' : 'warning',
          message: `the question is also in ${describePlace(earlier, later)}: ${describeNearness(pair)}`,
          remedy: earlier.isReference
            ? 'Remove it from one of the two files: a model that has seen a question is not tested by it.'
            : 'Remove it from one of the two files, or give both one `cluster`.',
        };
      }
    },
  }),
};
