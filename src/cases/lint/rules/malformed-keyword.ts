import type { LintRule } from '../rule.ts';
import { soughtTexts } from '../sought-texts.ts';

/** The rule for keywords that no answer contains as they are written: with a list in one text, or spaces at an end. */
export const malformedKeyword: LintRule = {
  name: 'malformed-keyword',
  severity: 'warning',
  summary: 'a keyword is a list in one text, or has spaces at an end',
  create: (setting) => ({
    *checkCase({ case: testCase, ref }) {
      for (const { text, path } of soughtTexts(testCase, setting)) {
        const fault = findFault(text, testCase.expected.answer);
        if (fault !== undefined) yield { at: ref, path, ...fault };
      }
    },
  }),
};

function findFault(
  text: string,
  answer: string | readonly string[] = [],
): { readonly message: string; readonly remedy: string } | undefined {
  if (text.trim() !== text && text.trim() !== '') {
    return {
      message: `${JSON.stringify(text)} has white space at an end, so it is not found next to punctuation`,
      remedy: 'Remove the white space.',
    };
  }
  if (!isList(text) || [answer].flat().some((each) => each.includes(text))) return undefined;
  return {
    message: `"${text}" is one text, and is searched for with its ${text.includes(';') ? 'semicolons' : 'commas'}`,
    remedy: 'Write a list: `["…", "…"]` in JSON, `…|…` in a cell of a CSV file.',
  };
}

/** Returns whether a text is a list of words or of numbers, and not a date, a place or a name such as "Austin, Texas". */
function isList(text: string): boolean {
  if (/^\d+(?:[,;] \d+)+$/.test(text)) return true;
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => /^[\p{Ll}-]{2,}(?: [\p{Ll}-]+)?$/u.test(part));
}
