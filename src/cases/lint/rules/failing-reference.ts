import { createTermSearch, keywordRules } from '../../../core/lib/search/find-terms.ts';
import type { LintRule } from '../rule.ts';

/** The rule for expected answers that their own case would mark down: they lack one of its keywords. */
export const failingReference: LintRule = {
  name: 'failing-reference',
  severity: 'warning',
  summary: 'the expected answer itself lacks a keyword of its question',
  create: ({ keywordRules: rules = keywordRules }) => ({
    *checkCase({ case: { expected }, ref }) {
      const answers = [expected.answer ?? []].flat().filter((answer) => answer.trim() !== '');
      if (answers.length === 0) return;
      const searches = answers.map((answer) => createTermSearch(answer, { ...rules, alternatives: true }));
      const lacking = (expected.keywords ?? []).filter(
        (keyword) => !searches.some((search) => search(keyword).isFound),
      );
      const [first] = lacking;
      if (first === undefined) return;
      const others = lacking.length === 1 ? '' : ` and ${lacking.length - 1} more`;
      yield {
        at: ref,
        path: ['expected', 'answer'],
        message: `the expected answer lacks the keyword "${first}"${others}: the right answer itself would lose marks`,
        remedy: 'Make the expected answer and the keywords agree.',
      };
    },
  }),
};
