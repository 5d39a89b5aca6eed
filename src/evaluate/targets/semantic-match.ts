import { z } from 'zod';
import { formatPlace, type Place, TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import { tokenSet } from '../../core/lib/text/words.ts';
import { readScalar } from './reply/read-text.ts';
import { abortedFailure, defineTarget, type Reply, type Target, type TargetNeeds } from './target.ts';
import { nonEmpty, share } from '../../core/schema/json.ts';

/** The two columns of a file of frequently asked questions. */
const faqParts = ['question', 'answer'] as const;
type FaqPart = (typeof faqParts)[number];

const options = () =>
  z
    .strictObject({
      path: nonEmpty().describe(
        'A file of questions and answers, in any format that datasets come in; relative to the config file.',
      ),
      fields: z
        .record(nonEmpty(), z.enum(faqParts))
        .default({})
        .describe('Names of your columns and what they contain: `{ my_column: answer }`.'),
      threshold: share()
        .optional()
        .describe('The minimum similarity of a stored question; below it, the answer is `fallback`.'),
      fallback: z
        .string()
        .optional()
        .describe('The answer when no stored question is as similar as `threshold`.'),
    })
    .refine(({ threshold, fallback }) => (threshold === undefined) === (fallback === undefined), {
      message: 'give both of `threshold` and `fallback`, or none',
    });

/**
 * A bot that answers with the stored answer of the most similar stored question: cosine similarity of token sets, the
 * first row on a tie. It is lexical and deterministic: a baseline that other bots are compared with.
 */
export const semanticMatch = defineTarget({
  name: 'semantic-match',
  version: 1,
  summary: 'The stored answer of the question that shares the most words. No model, no network.',
  words: 'baseline, FAQ, retrieval without a model, lexical',
  example: { path: 'faq.jsonl' },
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
  readonly threshold?: number;
  readonly fallback?: string;
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

/** Frequently asked questions and their answers, in the order of the file. */
interface Faq {
  readonly questions: readonly string[];
  readonly answers: readonly string[];
  readonly places: readonly Place[];
}

/**
 * Reads a file of frequently asked questions. `fields` gives columns a meaning whatever their names. Throws
 * `target-invalid` with the line for a row without a question or an answer.
 */
async function readFaq(
  rows: ReturnType<TargetNeeds['readRows']>,
  fields: Readonly<Record<string, FaqPart>>,
): Promise<Faq> {
  const questions: string[] = [];
  const answers: string[] = [];
  const places: Place[] = [];
  const find = { question: createFinder('question', fields), answer: createFinder('answer', fields) };
  for await (const { value, place } of rows) {
    if (!isContainer(value) || Array.isArray(value)) {
      throw invalidRow(place, `the row is ${describeValue(value)}, not an object`);
    }
    questions.push(readText(find.question(value), { part: 'question', value, place }));
    answers.push(readText(find.answer(value), { part: 'answer', value, place }));
    places.push(place);
  }
  return { questions, answers, places };
}

/** The usual names of the columns, best first, normalised. */
const aliases: Readonly<Record<FaqPart, readonly string[]>> = {
  question: ['question', 'input', 'prompt', 'query', 'userquery', 'userinput', 'faq', 'title', 'q'],
  answer: [
    'answer',
    'response',
    'reply',
    'output',
    'text',
    'expectedanswer',
    'referenceanswer',
    'reference',
    'groundtruth',
    'a',
  ],
};

/**
 * Creates a function that finds the value of a part in a row, under the best of its names; null and undefined are no values.
 */
function createFinder(part: FaqPart, fields: Readonly<Record<string, FaqPart>>) {
  const own = Object.entries(fields).filter(([, meaning]) => meaning === part);
  const names = own.length > 0 ? own.map(([name]) => normalize(name)) : aliases[part];
  const taken = new Set(Object.keys(fields).map(normalize));
  const ranks = new Map<string, number>();
  const rankOf = (column: string): number => {
    const known = ranks.get(column);
    if (known !== undefined) return known;
    const normal = normalize(column);
    const rank = own.length === 0 && taken.has(normal) ? -1 : names.indexOf(normal);
    ranks.set(column, rank);
    return rank;
  };
  return (row: object): unknown => {
    let best: { rank: number; value: unknown } | undefined;
    for (const [column, value] of Object.entries(row)) {
      const rank = rankOf(column);
      if (rank === -1 || value === null || value === undefined) continue;
      if (best === undefined || rank < best.rank) best = { rank, value };
    }
    return best?.value;
  };
}

function readText(
  found: unknown,
  { part, value, place }: { part: FaqPart; value: object; place: Place },
): string {
  if (typeof found === 'string') return found.toWellFormed();
  const scalar = readScalar(found);
  if (scalar !== undefined) return scalar;
  if (found !== undefined) throw invalidRow(place, `the ${part} is ${describeValue(found)}, not text`);
  const columns = Object.keys(value).join(', ') || 'none';
  throw invalidRow(place, `the row has no ${part}; its columns are ${columns}`);
}

function invalidRow(place: Place, message: string): TouchstoneError {
  return new TouchstoneError('target-invalid', `${formatPlace(place)}: ${message}.`, {
    remedy: 'Give every row a `question` and an `answer`, or say what your columns mean with `fields`.',
  });
}

function normalize(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/** The stored row that is most similar to a question. */
export interface Match {
  /** The row's index, from 0. */
  readonly row: number;
  /** The cosine similarity of the two token sets, in [0, 1]. */
  readonly similarity: number;
}

/** A function that finds the row most similar to a question; undefined when there are no rows. */
type FindMatch = (question: string) => Match | undefined;

/**
 * Creates a search over questions by cosine similarity of binary token vectors, |A ∩ B| / √(|A|·|B|), 0 when either set is
 * empty. Among equally similar rows it finds the first. It uses an inverted index: only rows that share a token are compared.
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
    // Typed arrays are walked by index: an iterator would cost more than everything else here.
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
  /** Returns the rows that contain the token, ascending. */
  rowsOf(token: string): Uint32Array;
  /** The number of tokens of each row. */
  readonly sizes: Uint32Array;
}

/** Lists the rows of all tokens in one array, the rows of the same token side by side. */
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
