import type { LintRule } from '../rule.ts';

/** The rule for keywords of one case that contain each other: what finds the one finds the other, which counts twice. */
export const containedKeyword: LintRule = {
  name: 'contained-keyword',
  severity: 'note',
  summary: 'a keyword of a case is part of another one, or listed twice',
  create: ({ matchesWords = false }) => ({
    *checkCase({ case: { expected }, ref }) {
      const keywords = (expected.keywords ?? []).map((keyword) => keyword.toLowerCase());
      for (const [index, keyword] of keywords.entries()) {
        const isListedTwice = keywords.indexOf(keyword) < index;
        const longer = matchesWords
          ? undefined
          : keywords.find((other) => other !== keyword && other.includes(keyword));
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
