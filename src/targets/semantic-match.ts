import { z } from 'zod';
import { formatPlace } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { tokenSet } from '../lib/token-set.ts';
import { type Faq, faqParts, readFaq } from './semantic-match/read-faq.ts';
import { defineTarget, type Reply, type Target } from './target.ts';
import { abortedFailure } from './until-aborted.ts';

const options = () =>
  z
    .strictObject({
      path: z
        .string()
        .min(1)
        .describe(
          'A file of questions and answers, in any format that datasets come in; relative to the config file.',
        ),
      fields: z
        .record(z.string().min(1), z.enum(faqParts))
        .default({})
        .describe('Names of your columns and what they hold: `{ my_column: answer }`.'),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Least similarity of a stored question; below it the bot gives its `fallback`.'),
      fallback: z
        .string()
        .optional()
        .describe('What the bot says when no stored question is as similar as `threshold`.'),
    })
    .refine(({ threshold, fallback }) => (threshold === undefined) === (fallback === undefined), {
      message: 'give both of `threshold` and `fallback`, or none',
    });

/**
 * A bot that answers with the stored answer of the most similar stored question: cosine similarity of token sets, the
 * first row on a tie. Lexical and deterministic, a floor that other bots are held against.
 */
export const semanticMatch = defineTarget({
  name: 'semantic-match',
  version: 1,
  summary: 'Stored answers: that of the question which shares the most words. No model, no network.',
  options,
  create: ({ path, fields, ...rule }, { readRows }): Target => {
    let opened: Promise<OpenFaq> | undefined;
    const open = () => (opened ??= openFaq());
    const openFaq = async (): Promise<OpenFaq> => {
      const faq = await readFaq(readRows(path), fields);
      return { faq, find: indexQuestions(faq.questions) };
    };
    return {
      identity: async () => {
        const { questions, answers } = (await open()).faq;
        const { threshold = null, fallback = null } = rule;
        return { threshold, fallback, rows: hashContent([questions, answers]) };
      },
      open: async () => void (await open()),
      call: async ({ input }, { signal }) => {
        if (signal.aborted) throw abortedFailure(signal);
        return answerFrom(await open(), input, rule);
      },
    };
  },
});

interface OpenFaq {
  readonly faq: Faq;
  readonly find: FindMatch;
}

interface Rule {
  readonly threshold?: number | undefined;
  readonly fallback?: string | undefined;
}

function answerFrom({ faq, find }: OpenFaq, input: string, { threshold = 0, fallback = '' }: Rule): Reply {
  const match = find(input);
  if (match === undefined) return { answer: '', toolCalls: [], documents: [] };
  const { row, similarity } = match;
  const [question = '', stored = '', place] = [faq.questions[row], faq.answers[row], faq.places[row]];
  const isFallback = similarity < threshold;
  return {
    answer: isFallback ? fallback : stored,
    toolCalls: [],
    documents: [{ id: question, text: stored, score: similarity }],
    state: {
      matchedQuestion: question,
      similarity,
      place: place === undefined ? null : formatPlace(place),
      isFallback,
    },
  };
}

/** The row that is most like a question. */
export interface Match {
  /** Counts from 0. */
  readonly row: number;
  /** Cosine of the two token sets, in [0, 1]. */
  readonly similarity: number;
}

/** Finds the row that is most like a question; undefined when there are no rows. */
type FindMatch = (question: string) => Match | undefined;

/**
 * Makes a search over questions by cosine similarity of binary token vectors, |A ∩ B| / √(|A|·|B|), 0 when either set
 * is empty; of equally similar rows the first is found. An inverted index: only rows that share a token are compared.
 */
export function indexQuestions(questions: readonly string[]): FindMatch {
  const postings = createPostings(questions);
  const shared = new Uint32Array(questions.length);
  return (question) => {
    if (questions.length === 0) return undefined;
    const tokens = tokenSet(question);
    for (const token of tokens) {
      const rows = postings.rowsOf(token);
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] ?? 0;
        shared[row] = (shared[row] ?? 0) + 1;
      }
    }
    let best: Match = { row: 0, similarity: 0 };
    // Typed arrays are walked by index: an iterator would cost more than all else here.
    for (let row = 0; row < shared.length; row += 1) {
      const count = shared[row] ?? 0;
      if (count === 0) continue;
      const similarity = count / Math.sqrt(tokens.size * (postings.sizes[row] ?? 0));
      if (similarity > best.similarity) best = { row, similarity };
    }
    shared.fill(0);
    return best;
  };
}

interface Postings {
  /** Rows that have the token, ascending. */
  rowsOf(token: string): Uint32Array;
  /** How many tokens each row has. */
  readonly sizes: Uint32Array;
}

/** Lists the rows of each token in one array, those of a token side by side. */
function createPostings(questions: readonly string[]): Postings {
  const numbers = new Map<string, number>();
  const tokensInOrder: number[] = [];
  const frequencies: number[] = [];
  const sizes = Uint32Array.from(questions, (question) => {
    const tokens = tokenSet(question);
    for (const token of tokens) {
      const number = numbers.get(token) ?? numbers.size;
      numbers.set(token, number);
      tokensInOrder.push(number);
      frequencies[number] = (frequencies[number] ?? 0) + 1;
    }
    return tokens.size;
  });

  const ends = new Uint32Array(numbers.size + 1);
  for (const [number, frequency] of frequencies.entries()) ends[number + 1] = (ends[number] ?? 0) + frequency;
  const starts = ends.slice();
  const rows = new Uint32Array(tokensInOrder.length);
  let position = 0;
  for (const [row, size] of sizes.entries()) {
    for (const end = position + size; position < end; position += 1) {
      const number = tokensInOrder[position] ?? 0;
      rows[starts[number] ?? 0] = row;
      starts[number] = (starts[number] ?? 0) + 1;
    }
  }
  const none = new Uint32Array();
  return {
    sizes,
    rowsOf: (token) => {
      const number = numbers.get(token);
      return number === undefined ? none : rows.subarray(ends[number], ends[number + 1]);
    },
  };
}
