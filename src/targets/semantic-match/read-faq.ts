import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { describeValue } from '../../lib/describe-value.ts';
import { readScalar } from '../reply/read-text.ts';
import type { TargetNeeds } from '../target.ts';

/** The two columns of a file of frequently asked questions. */
export const faqParts = ['question', 'answer'] as const;
type FaqPart = (typeof faqParts)[number];

/** What the columns are called in the files of the wild, best first. */
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

/** Frequently asked questions and their answers, in the order of the file. */
export interface Faq {
  readonly questions: readonly string[];
  readonly answers: readonly string[];
  readonly places: readonly Place[];
}

/**
 * Reads a file of frequently asked questions. `fields` gives columns a meaning whatever they are called. Throws
 * `target-invalid`, naming the line, for a row without a question or an answer.
 */
export async function readFaq(
  rows: ReturnType<TargetNeeds['readRows']>,
  fields: Readonly<Record<string, FaqPart>>,
): Promise<Faq> {
  const questions: string[] = [];
  const answers: string[] = [];
  const places: Place[] = [];
  const find = { question: createFinder('question', fields), answer: createFinder('answer', fields) };
  for await (const { value, place } of rows) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw invalidRow(place, `the row is ${describeValue(value)}, not an object`);
    }
    questions.push(readText(find.question(value), { part: 'question', value, place }));
    answers.push(readText(find.answer(value), { part: 'answer', value, place }));
    places.push(place);
  }
  return { questions, answers, places };
}

/** Finds the value of a part in a row, under the best of its names; null and undefined are no values. */
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
