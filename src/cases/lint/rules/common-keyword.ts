import type { CaseRef, LintRule } from '../rule.ts';
import { createSoughtSearch, type SoughtText, soughtTexts } from '../sought-texts.ts';

/** The number of expected answers that keywords are compared with: the first ones of several words. */
const sampleSize = 200;
const fewestAnswers = 20;
const fewestWords = 4;
/** The share of the expected answers that a keyword is in when it says little about one of them. */
const leastShare = 0.5;
/** The longest keyword that may well be in most answers. */
const longestKeyword = 30;

/** The rule for keywords that most expected answers of the set contain. */
export const commonKeyword: LintRule = {
  name: 'common-keyword',
  severity: 'warning',
  summary: 'most expected answers of the set contain a keyword',
  create: (setting) => {
    const answers: string[] = [];
    const keywords = new Map<
      string,
      { readonly first: CaseRef; readonly sought: SoughtText; cases: number }
    >();
    return {
      *checkCase({ case: testCase, ref }) {
        const { expected } = testCase;
        const answer = [expected.answer ?? []].flat()[0];
        if (
          answer !== undefined &&
          answers.length < sampleSize &&
          answer.split(/\s+/).length >= fewestWords
        ) {
          answers.push(answer);
        }
        for (const sought of soughtTexts(testCase, setting)) {
          const { text: keyword, isForbidden } = sought;
          if (isForbidden || keyword.length > longestKeyword) continue;
          const entry = keywords.get(keyword) ?? { first: ref, sought, cases: 0 };
          entry.cases += 1;
          keywords.set(keyword, entry);
        }
        yield* [];
      },
      *finish() {
        if (answers.length < fewestAnswers) return;
        const searches = answers.map((answer) => createSoughtSearch(answer, setting));
        for (const [keyword, { first, sought, cases }] of keywords) {
          const share = shareWith(sought, searches);
          if (share < leastShare) continue;
          yield {
            at: first,
            message: `the keyword "${keyword}" of ${cases === 1 ? '1 question' : `${cases} questions`} is in ${Math.round(share * 100)} % of the expected answers: it does not tell right answers from others`,
            remedy: 'Replace it by a word that only a right answer contains.',
          };
        }
      },
    };
  },
};

/** Returns the share of the answers that contain a keyword; at once 0 when none of the first ones does. */
function shareWith(sought: SoughtText, searches: readonly ReturnType<typeof createSoughtSearch>[]): number {
  const isRare = !searches.slice(0, 16).some((has) => has(sought));
  return isRare ? 0 : searches.filter((has) => has(sought)).length / searches.length;
}
