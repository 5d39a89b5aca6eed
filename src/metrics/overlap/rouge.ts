import { z } from 'zod';
import { countItems, countShared, joinNeighbours } from '../../lib/multiset.ts';
import { codeItems, trimCommonEnds } from '../../lib/text/edit-distance.ts';
import { segmentWords } from '../../lib/text/words.ts';
import { defineMetric, expectationsAt, tooLong } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { stemEnglish } from '../text/stem-english.ts';

/**
 * Computes ROUGE-N or ROUGE-L (Lin, 2004) of the answer as the Python package rouge_score does, from 0 to 1. Of several
 * expected answers the one with the highest F-measure counts, whichever measure is the value. Not applicable when the
 * expected answer is missing or has no token.
 */
export const rouge = defineMetric({
  name: 'rouge',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'ROUGE-1, -2 or -L: words in common with the expected answer.',
  options: () =>
    referenceOptions().extend({
      type: z
        .enum(['rouge-1', 'rouge-2', 'rouge-3', 'rouge-l'])
        .default('rouge-l')
        .describe('Words, pairs or triples of words, or the longest common subsequence.'),
      measure: z.enum(['f', 'precision', 'recall']).default('f').describe('The measure that is the value.'),
      stemmer: z.boolean().default(false).describe('True to reduce English words to their stems (Porter).'),
      tokenizer: z
        .enum(['ascii', 'unicode'])
        .default('ascii')
        .describe('`ascii`, as in rouge_score, sees only a-z and 0-9; `unicode` sees words of all scripts.'),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const wanted = rougeTokens(reference, options);
        if (wanted.length === 0) return undefined;
        const scores = compare(rougeTokens(answer, options), wanted, options.type);
        return { value: scores[options.measure], rank: scores.f, evidence: { ...scores } };
      }),
  }),
});

function compare(given: string[], wanted: string[], type: string) {
  if (type === 'rouge-l') {
    const shared = countCommonSubsequence(given, wanted);
    if (shared === undefined) throw tooLong(given.length, wanted.length, 'words');
    return fractions(shared, given.length, wanted.length);
  }
  const order = Number(type.at(-1));
  const givenRuns = joinNeighbours(given, order);
  const wantedRuns = joinNeighbours(wanted, order);
  const shared = countShared(countItems(wantedRuns), countItems(givenRuns));
  return fractions(shared, givenRuns.length, wantedRuns.length);
}

function fractions(shared: number, given: number, wanted: number) {
  const precision = shared / Math.max(given, 1);
  const recall = shared / Math.max(wanted, 1);
  const f = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f };
}

const longestUnstemmed = 3;

/** Returns tokens as rouge_score makes them (runs of a-z and 0-9 in lower case), or words of any script. */
function rougeTokens(
  text: string,
  { stemmer, tokenizer }: { stemmer: boolean; tokenizer: 'ascii' | 'unicode' },
): string[] {
  const lower = text.toLowerCase();
  const tokens = tokenizer === 'unicode' ? segmentWords(lower) : (lower.match(/[a-z0-9]+/g) ?? []);
  return stemmer
    ? tokens.map((token) => (token.length > longestUnstemmed ? stemEnglish(token) : token))
    : tokens;
}

/** The most cells of the table that are computed: less than a second of work. */
const mostCells = 5e9;
const wordSize = 32;

/**
 * Returns the length of the longest common subsequence of two lists by the bit-parallel algorithm of Crochemore et al.
 * (2001) in blocks of 32 rows. The time is the product of the lengths over 32, the memory their sum. Returns undefined
 * when the product exceeds `most`.
 */
export function countCommonSubsequence(
  first: readonly string[],
  second: readonly string[],
  most = mostCells,
): number | undefined {
  const rest = trimCommonEnds(first, second);
  if (rest.first.length * rest.second.length > most) return undefined;
  return rest.shared + countBetween(rest.first, rest.second);
}

function countBetween(first: readonly string[], second: readonly string[]): number {
  const codes = codeItems(first, second);
  const rowsWith = new Int32Array(codes.symbols);
  const carries = new Uint8Array(codes.second.length);
  let length = 0;
  for (let block = 0; block < codes.first.length; block += wordSize) {
    const rows = codes.first.subarray(block, block + wordSize);
    for (const [bit, code] of rows.entries()) rowsWith[code] = (rowsWith[code] ?? 0) | (1 << bit);
    length += advanceBlock(codes.second, rowsWith, carries);
    for (const code of rows) rowsWith[code] = 0;
  }
  return length;
}

/**
 * Carries a block of 32 rows through all columns and returns how many of the rows increase the length. Replaces the
 * carries of the block above by those of this block.
 */
function advanceBlock(columns: Int32Array, rowsWith: Int32Array, carries: Uint8Array): number {
  // A bit is off where the length is one more than in the row above.
  let level = -1;
  for (let column = 0; column < columns.length; column++) {
    const reached = level & (rowsWith[columns[column] ?? 0] ?? 0);
    const sum = (level + reached + (carries[column] ?? 0)) | 0;
    carries[column] = (reached | (level & ~sum)) >>> 31;
    level = sum | (level & ~reached);
  }
  return countBits(~level);
}

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
