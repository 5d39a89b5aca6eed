import { z } from 'zod';
import { countItems, countShared } from '../../lib/multiset.ts';
import { splitWords } from '../../lib/text/python-text.ts';
import { segmentWords } from '../../lib/text/words.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { squadTokens } from '../overlap/squad-f1.ts';
import { type Agreement, judgeAgainst, referenceOptions } from '../text/references.ts';
import { findNumbers, type FoundNumber } from '../../lib/numbers/find-numbers.ts';
import { hasValue } from '../values/search-numbers.ts';

const defaultPassMark = 0.7;
const exactly = { tolerance: 0, relativeTolerance: 0 };

/**
 * Compares the answer with the expected one by words; from 0 to 1. The value is 1 when both are equal except for case
 * and white space, or when the expected answer is a single number that the answer states first or last; otherwise it is
 * the F1 of the SQuAD evaluation script over their words. Synonyms count as different; the judged metric `correctness`
 * recognises them. Not applicable to cases without an expected answer.
 */
export const answerMatch = defineMetric({
  name: 'answer-match',
  family: 'wording',
  aspect: 'expected-answer',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary:
    'The answer compared with the expected one by words: equal, the same number, or else the F1 of SQuAD.',
  options: () =>
    referenceOptions().extend({
      threshold: z.number().min(0).max(1).default(defaultPassMark).describe('The least value that passes.'),
    }),
  create: (options) => ({
    score: (input) => judgeAgainst(input, options, compare),
  }),
});

function compare(answer: string, reference: string): Agreement {
  const isEqual = fold(answer) === fold(reference);
  if (isEqual) return { value: 1, evidence: { comparedBy: 'equality' } };
  if (statesNumber(answer, reference)) {
    return { value: 1, explanation: 'equal as a number', evidence: { comparedBy: 'number' } };
  }
  const value = f1(tokensOf(answer), tokensOf(reference));
  return {
    value,
    explanation: `${Math.round(value * 100)} % of the expected answer, compared by words`,
    evidence: { comparedBy: 'words' },
  };
}

function fold(text: string): string {
  return splitWords(text.toLowerCase()).join(' ');
}

/**
 * Returns whether the expected answer is one number, with at most its unit, and the answer states it. In a longer
 * calculation only the first or the last number counts as the answer.
 */
function statesNumber(answer: string, reference: string): boolean {
  const wanted = findNumbers(reference);
  const [number] = wanted;
  if (wanted.length !== 1 || number === undefined) return false;
  const given = findNumbers(answer);
  const ends = [given[0], given.at(-1)].filter((found): found is FoundNumber => found !== undefined);
  if (!ends.some((found) => hasValue(found, number, exactly))) return false;
  const units = wordsBeside(reference, number);
  const said = new Set(tokensOf(answer));
  return units.length <= 2 && units.every((unit) => said.has(unit));
}

function wordsBeside(reference: string, { text }: FoundNumber): string[] {
  return tokensOf(reference.replace(text, ' ')).filter((token) => /\p{L}/u.test(token));
}

const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns SQuAD's tokens. Tokens of scripts that put no spaces between words are split further by a dictionary. */
function tokensOf(text: string): string[] {
  const known = new Map<string, string[]>();
  const split = (token: string) => {
    const words = known.get(token) ?? (unspacedScript.test(token) ? segmentWords(token) : [token]);
    known.set(token, words);
    return words;
  };
  return squadTokens(text).flatMap(split);
}

/** Returns the harmonic mean of precision and recall over tokens with their counts; 0 when either side has none. */
function f1(given: readonly string[], wanted: readonly string[]): number {
  const shared = countShared(countItems([...given]), countItems([...wanted]));
  return shared === 0 ? 0 : (2 * shared) / (given.length + wanted.length);
}
