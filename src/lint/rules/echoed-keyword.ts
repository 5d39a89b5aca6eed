import { questionOf } from '../../schema/case.ts';
import type { LintRule } from '../rule.ts';

/** The rule for cases of which the question contains every keyword: an answer that repeats the question passes. */
export const echoedKeyword: LintRule = {
  name: 'echoed-keyword',
  severity: 'warning',
  summary: 'the question contains every keyword, so an echo of it passes',
  create: () => ({
    *checkCase({ case: testCase, ref }) {
      const { keywords = [] } = testCase.expected;
      if (keywords.length === 0) return;
      const question = questionOf(testCase).toLowerCase();
      if (!keywords.every((keyword) => question.includes(keyword.toLowerCase()))) return;
      const isOne = keywords.length === 1;
      const shown = keywords
        .slice(0, 3)
        .map((keyword) => `"${keyword}"`)
        .join(', ');
      yield {
        at: ref,
        path: ['expected', 'keywords'],
        message: `the question itself contains ${isOne ? 'the only keyword' : `all ${keywords.length} keywords`} (${shown}${keywords.length > 3 ? ', …' : ''}): an answer that repeats the question gets full marks`,
        remedy: 'Add a keyword that only a right answer contains.',
      };
    },
  }),
};
