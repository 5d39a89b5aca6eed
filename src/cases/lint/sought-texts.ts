import { createForbiddenSearch } from '../../core/lib/search/find-forbidden.ts';
import { createTermSearch, keywordRules } from '../../core/lib/search/find-terms.ts';
import type { Case } from '../../core/schema/case.ts';
import type { LintSetting } from './rule.ts';

/** A text that a case wants an answer to contain, or not to. */
export interface SoughtText {
  readonly text: string;
  /** The path in the case. */
  readonly path: readonly PropertyKey[];
  readonly isForbidden: boolean;
  /** True when an answer without it can pass, or with it where it is forbidden. */
  readonly isAlternative: boolean;
  /** The noun that reports use for it: `keyword`, or `text` in a check. */
  readonly noun: 'keyword' | 'text';
}

/** Lists the texts that a case seeks: its keywords and forbidden texts, and those that its own checks look for. */
export function soughtTexts(testCase: Case, { caseChecks }: LintSetting): SoughtText[] {
  const { keywords = [], forbidden = [], checks } = testCase.expected;
  const found: SoughtText[] = [
    ...keywords.map((text, index): SoughtText => {
      return {
        text,
        path: ['expected', 'keywords', index],
        isForbidden: false,
        isAlternative: false,
        noun: 'keyword',
      };
    }),
    ...forbidden.map((text, index): SoughtText => {
      return {
        text,
        path: ['expected', 'forbidden', index],
        isForbidden: true,
        isAlternative: false,
        noun: 'keyword',
      };
    }),
  ];
  if (checks === undefined && testCase.user?.script === undefined) return found;
  const ofChecks = caseChecks?.textsOf(testCase) ?? [];
  return [...found, ...ofChecks.map((text): SoughtText => ({ ...text, noun: 'text' }))];
}

/**
 * Creates a search in one text that finds what a metric would find there: keywords by the rules of the config, forbidden texts,
 * and the texts of checks to the letter.
 */
export function createSoughtSearch(
  text: string,
  { keywordRules: rules = keywordRules }: LintSetting,
): (sought: Pick<SoughtText, 'text' | 'isForbidden' | 'noun'>) => boolean {
  const findTerm = createTermSearch(text, rules);
  const findForbidden = createForbiddenSearch(text, 'substring');
  return ({ text: wanted, isForbidden, noun }) => {
    if (wanted.trim() === '') return false;
    if (noun === 'text') return text.toLowerCase().includes(wanted.toLowerCase());
    return (isForbidden ? findForbidden : findTerm)(wanted).isFound;
  };
}
