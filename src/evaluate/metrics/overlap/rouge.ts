import { z } from 'zod';
import { countItems, countShared, joinNeighbours } from '../../../core/lib/multiset.ts';
import { codeItems, trimCommonEnds } from '../../../core/lib/text/edit-distance.ts';
import { segmentWords } from '../../../core/lib/text/words.ts';
import { defineMetric, expectationsAt, tooLong } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { type Reading, wordReading } from '../text/unread-text.ts';
import { stemEnglish } from '../../../core/lib/search/stem-english.ts';

/**
 * Computes ROUGE-N, ROUGE-L or ROUGE-Lsum (Lin, 2004) of the answer as the Python package rouge_score does, from 0 to 1.
 * Of several expected answers the one with the highest F-measure counts, whichever measure is the value. Not applicable
 * when the expected answer is missing or has no token; not measured when most of it is in other scripts or emoji, which
 * rouge_score drops, or when the texts are alike only in what is left.
 */
export const rouge = defineMetric({
  name: 'rouge',
  family: 'wording',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'ROUGE-1 to -5, -L or -Lsum: words in common with the expected answer.',
  words:
    'summary, summarization, text overlap, n-gram, longest common subsequence, ROUGE-L, copying, plagiarism, summary quality',
  options: () =>
    referenceOptions().extend({
      type: z
        .enum(['rouge-1', 'rouge-2', 'rouge-3', 'rouge-4', 'rouge-5', 'rouge-l', 'rouge-lsum'])
        .default('rouge-l')
        .describe(
          'Runs of 1 to 5 words, or the longest common subsequence: of the whole texts, or `rouge-lsum` of their lines.',
        ),
      measure: z.enum(['f', 'precision', 'recall']).default('f').describe('The measure that is the value.'),
      stemmer: z.boolean().default(false).describe('True to reduce English words to their stems (Porter).'),
      tokenizer: z
        .enum(['ascii', 'unicode'])
        .default('ascii')
        .describe('`ascii`, as in rouge_score, sees only a-z and 0-9; `unicode` sees words of all scripts.'),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, { ...options, reading: readingOf(options) }, (answer, reference) => {
        const wanted = rougeTokens(reference, options);
        if (wanted.length === 0) return undefined;
        const scores =
          options.type === 'rouge-lsum'
            ? compareLines(linesOf(answer, options), linesOf(reference, options))
            : compare(rougeTokens(answer, options), wanted, options.type);
        return { value: scores[options.measure], rank: scores.f, evidence: { ...scores } };
      }),
  }),
});

const asciiReading: Reading = {
  says: 'ROUGE reads a-z and 0-9 only (`tokenizer: unicode` reads all scripts)',
  reads: /^[a-z0-9.]/,
};

/** Returns what is read. The value is a share of the words of both texts for F, else of one. */
function readingOf({ tokenizer, measure }: { tokenizer: string; measure: string }): Reading {
  const reading = tokenizer === 'ascii' ? asciiReading : wordReading;
  if (measure === 'f') return reading;
  return { ...reading, shareOf: measure === 'recall' ? 'reference' : 'answer' };
}

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

/** The most cells of the tables of ROUGE-Lsum, which keep a direction for each. */
const mostDirections = 5e7;

/**
 * Computes ROUGE-Lsum: each line of the reference is compared with every line of the answer, and the words that are part
 * of any of their longest common subsequences count, each word only as often as it occurs in both texts.
 */
function compareLines(given: string[][], wanted: string[][]) {
  const [givenWords, wantedWords] = [given.flat(), wanted.flat()];
  if (givenWords.length * wantedWords.length > mostDirections) {
    throw tooLong(givenWords.length, wantedWords.length, 'words');
  }
  const left = [countItems(givenWords), countItems(wantedWords)];
  let hits = 0;
  for (const line of wanted) {
    const places = new Set(given.flatMap((other) => commonPlaces(line, other)));
    for (const word of line.filter((_, place) => places.has(place))) {
      if (left.some((counts) => (counts.get(word) ?? 0) === 0)) continue;
      for (const counts of left) counts.set(word, (counts.get(word) ?? 0) - 1);
      hits++;
    }
  }
  return fractions(hits, givenWords.length, wantedWords.length);
}

/** Returns the places in the first list of the longest common subsequence that rouge_score picks among several. */
function commonPlaces(first: readonly string[], second: readonly string[]): number[] {
  const width = second.length + 1;
  const isLeft = new Uint8Array((first.length + 1) * width);
  let above = new Int32Array(width);
  for (const [row, item] of first.entries()) {
    const lengths = new Int32Array(width);
    for (const [column, other] of second.entries()) {
      const [upper, before] = [above[column + 1] ?? 0, lengths[column] ?? 0];
      lengths[column + 1] = item === other ? (above[column] ?? 0) + 1 : Math.max(upper, before);
      isLeft[(row + 1) * width + column + 1] = before > upper ? 1 : 0;
    }
    above = lengths;
  }
  const places: number[] = [];
  let [row, column] = [first.length, second.length];
  while (row > 0 && column > 0) {
    if (first[row - 1] === second[column - 1]) {
      places.push(row - 1);
      row--;
      column--;
    } else if (isLeft[row * width + column] === 1) column--;
    else row--;
  }
  return places;
}

const longestUnstemmed = 3;

/** Returns the tokens of each line of a text; rouge_score takes the lines for its sentences. */
function linesOf(text: string, options: { stemmer: boolean; tokenizer: 'ascii' | 'unicode' }): string[][] {
  return text.split('\n').map((line) => rougeTokens(line, options));
}

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
 * carries of the block above by the carries of this block.
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
