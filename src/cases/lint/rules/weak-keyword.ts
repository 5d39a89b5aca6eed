import { emptyWords } from '../question-words.ts';
import type { LintRule } from '../rule.ts';
import { soughtTexts } from '../sought-texts.ts';

/** The rule for keywords that any answer contains. */
export const weakKeyword: LintRule = {
  name: 'weak-keyword',
  severity: 'warning',
  summary: 'any answer contains a keyword, such as "the" or a single letter',
  create: (setting) => ({
    *checkCase({ case: testCase, ref }) {
      for (const { text, path, isForbidden, noun } of soughtTexts(testCase, setting)) {
        const weakness = isForbidden
          ? undefined
          : findWeakness(
              text.trim().toLowerCase(),
              noun === 'text' ||
                setting.keywordRules?.match === 'substring' ||
                setting.keywordRules?.source === true,
            );
        if (weakness === undefined) continue;
        yield {
          at: ref,
          path,
          message: `the ${noun} "${text}" ${weakness}`,
          remedy:
            'Replace it by a word that only a right answer contains; a number belongs in `expected_numbers`.',
        };
      }
    },
  }),
};

function findWeakness(keyword: string, isSubstring: boolean): string | undefined {
  if (emptyWords.has(keyword)) return 'is in nearly every answer';
  if (/^[\p{P}\p{S}]$/u.test(keyword)) return 'is a single mark, which nearly every answer contains';
  if (!isSubstring) return undefined;
  if (/^\p{Script=Latin}$/u.test(keyword)) return 'is a single letter, which is part of nearly every answer';
  if (/^\d$/.test(keyword)) return `is a single digit, which is also found in 1${keyword} and 20${keyword}4`;
  return undefined;
}
