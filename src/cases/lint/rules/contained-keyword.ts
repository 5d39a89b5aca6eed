import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { createTermSearch, keywordRules } from '../../../core/lib/search/find-terms.ts';
import type { LintRule } from '../rule.ts';

/** The rule for keywords of one case that contain each other: what finds the one finds the other, which counts twice. */
export const containedKeyword: LintRule = {
  name: 'contained-keyword',
  severity: 'note',
  summary: 'a keyword of a question is part of another one, or listed twice',
  create: ({ keywordRules: rules = keywordRules }) => ({
    *checkCase({ case: { expected }, ref }) {
      const keywords = (expected.keywords ?? []).map((keyword) => keyword.toLowerCase());
      const folded = keywords.map((keyword) => foldForComparison(keyword));
      const searches = keywords.map((keyword) => createTermSearch(keyword, rules));
      for (const [index, keyword] of keywords.entries()) {
        const isListedTwice = folded.indexOf(folded[index] ?? '') < index;
        const longer = keywords.find(
          (other, place) => folded[place] !== folded[index] && searches[place]?.(keyword).isFound === true,
        );
        if (!isListedTwice && longer === undefined) continue;
        yield {
          at: ref,
          path: ['expected', 'keywords', index],
          message: isListedTwice
            ? `the keyword "${keyword}" is listed twice, and counts twice`
            : `the keyword "${keyword}" is part of "${longer}", so an answer with the longer one is counted twice`,
          remedy: 'Keep one of the two.',
        };
      }
    },
  }),
};
