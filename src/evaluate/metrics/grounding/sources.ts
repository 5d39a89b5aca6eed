import { isContainer } from '../../../core/lib/json/is-container.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Json } from '../../../core/schema/json.ts';
import { inputMessages, type Trial } from '../../../core/schema/trial.ts';
import { type CalendarDate, type DateStyle, findDates } from '../../../core/lib/numbers/find-dates.ts';
import { foldWords } from './fact.ts';
import { findLinks, findTimes, readNumbers } from './find-facts.ts';

/** The sources, besides the question, that an answer may take its facts from. */
export const sourceKinds = ['documents', 'tool-results', 'context'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Returns the texts of the sources: retrieved documents, tool results, the context of the case. */
export function sourceTexts(
  testCase: Case,
  trial: Trial,
  { sources: kinds, arithmetic }: { readonly sources: readonly SourceKind[]; readonly arithmetic: boolean },
): string[] {
  const texts = [
    ...(kinds.includes('documents') ? (trial.documents ?? []).map(({ text }) => text ?? '') : []),
    ...(kinds.includes('tool-results') ? toolResults(trial, arithmetic) : []),
    ...(kinds.includes('context') ? [testCase.context ?? []].flat() : []),
  ];
  return texts.filter((text) => text.trim() !== '');
}

/** Returns what was put to the target, which the answer may repeat. */
export function questionTexts(testCase: Case, trial: Trial): string[] {
  const messages = [...inputMessages(testCase.input), ...trial.transcript];
  const asked = messages.filter(({ role }) => role === 'user' || role === 'system');
  return asked.map(({ content }) => content ?? '');
}

function toolResults({ transcript }: Trial, hasArithmetic: boolean): string[] {
  return transcript.flatMap(({ role, content, toolCalls = [] }) => [
    ...(role === 'tool' ? [content ?? ''] : []),
    ...toolCalls.map(({ result = '' }) =>
      [...toLines(result), ...(hasArithmetic ? listTotals(result) : [])].join('\n'),
    ),
  ]);
}

/** Converts JSON to text, one line for each value with its key. */
function toLines(value: Json): string[] {
  if (!isContainer(value)) return [String(value)];
  return Object.entries(value).flatMap(([key, member]) =>
    toLines(member).map((line) => (Array.isArray(value) ? line : `${key}: ${line}`)),
  );
}

/** A number that a text states, by its value. */
interface StatedNumber {
  readonly value: number;
  readonly isPercent: boolean;
}

/** A text that facts are looked up in. Costly parts are computed when they are first needed. */
export interface Source {
  readonly text: string;
  /** The folded words in order; see `foldWords`. */
  readonly folded: string;
  /** The folded words as a set. */
  readonly words: ReadonlySet<string>;
  readonly dates: () => readonly CalendarDate[];
  /** The distinct numbers, read with both decimal marks. */
  readonly numbers: () => readonly StatedNumber[];
  /** The folded addresses of all links. */
  readonly links: () => ReadonlySet<string>;
  /** The times of day, as minutes since midnight. */
  readonly times: () => readonly number[];
}

/** Creates a reader that reads each text once, to be shared by several look-ups in the same texts. */
export function createSourceReader(style: DateStyle): (text: string) => Source {
  const known = new Map<string, Source>();
  return (text) => {
    const source = known.get(text) ?? readSource(text, style);
    known.set(text, source);
    return source;
  };
}

function readSource(text: string, style: DateStyle): Source {
  const folded = foldWords(text);
  return {
    text,
    folded,
    words: new Set(folded.split(' ')),
    dates: lazily(() => findDates(text, style).flatMap(({ readings }) => readings)),
    numbers: lazily(() => distinctNumbers(text)),
    links: lazily(() => new Set(findLinks(text).map(({ address }) => address))),
    times: lazily(() => findTimes(text).flatMap(({ readings }) => readings)),
  };
}

function distinctNumbers(text: string): StatedNumber[] {
  const plain = new Set<number>();
  const percents = new Set<number>();
  for (const { readings } of readNumbers(text)) {
    for (const { value, isPercent } of readings.flat()) (isPercent ? percents : plain).add(value);
  }
  return [
    ...Array.from(plain, (value) => ({ value, isPercent: false })),
    ...Array.from(percents, (value) => ({ value, isPercent: true })),
  ];
}

/** Returns totals of each list in a tool's result as text: its length, and the sum and mean of each numeric field. */
export function listTotals(value: Json): string[] {
  if (!isContainer(value)) return [];
  const inner = Object.values(value).flatMap(listTotals);
  return Array.isArray(value) ? [...inner, `count: ${value.length}`, ...totals(value)] : inner;
}

function totals(items: readonly Json[]): string[] {
  const columns = new Map<string, { sum: number; count: number }>();
  for (const item of items) {
    const isObject = isContainer(item);
    for (const [key, value] of isObject ? Object.entries(item) : [['items', item] as const]) {
      if (typeof value !== 'number') continue;
      const { sum, count } = columns.get(key) ?? { sum: 0, count: 0 };
      columns.set(key, { sum: sum + value, count: count + 1 });
    }
  }
  // Two decimals avoid the noise of binary fractions and exponents.
  return Array.from(
    columns,
    ([key, { sum, count }]) => `sum of ${key}: ${sum.toFixed(2)}, mean: ${(sum / count).toFixed(2)}`,
  );
}
