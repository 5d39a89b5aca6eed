import { createTermSearch, keywordRules } from '../../../core/lib/search/find-terms.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { LintRule } from '../rule.ts';

/** The rule for cases of which the question contains every keyword: an answer that repeats the question passes. */
export const echoedKeyword: LintRule = {
  name: 'echoed-keyword',
  severity: 'warning',
  summary: 'the question contains every keyword, so an echo of it passes',
  create: ({ keywordRules: rules = keywordRules }) => ({
    *checkCase({ case: testCase, ref }) {
      const { keywords = [] } = testCase.expected;
      if (keywords.length === 0) return;
      const search = createTermSearch(questionOf(testCase), rules);
      if (!keywords.every((keyword) => search(keyword).isFound)) return;
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
