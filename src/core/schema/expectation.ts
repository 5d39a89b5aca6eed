import { z } from 'zod';
import type { Case } from './case.ts';
import { type Expected, expectedSchema, isAnswerEmpty } from './expected.ts';
import { positiveInt } from './json.ts';

/** The fields of `expected` that expect nothing by themselves: they say how the others are checked. */
type Condition = 'passMark' | 'choices';

/**
 * One part of a case's expectations: a field of `expected`, or `turns` for the expectations of a script's turns. The pass mark of a
 * case is none, since it says how much of the others is enough, nor are the choices of a question.
 */
export type Expectation = Exclude<keyof Expected, Condition> | 'turns';

/** Every expectation, in the order in which reports list them. */
export const expectations: readonly Expectation[] = [
  ...Object.keys(expectedSchema.shape).filter(isExpectation),
  'turns',
];

/** The name of an expectation in configurations and records. */
export const expectationSchema = z.enum(expectations as [Expectation, ...Expectation[]]);

/** The number of cases that have one expectation. */
export const expectationCountSchema = z.lazy(() =>
  z.object({
    expectation: expectationSchema,
    cases: positiveInt(),
    /** The number of these cases whose own checks read it; absent when there are none. */
    readByChecks: positiveInt().optional(),
  }),
);

/** A column of a dataset that looks like an expectation under a name that is not known, and the number of cases that have it. */
export const unreadColumnSchema = z.lazy(() => z.object({ column: z.string(), cases: positiveInt() }));

/** An expectation that no metric of a run reads: one of ours, or the column of a file under another name. */
export const unreadExpectationSchema = z.lazy(() =>
  z.object({
    expectation: expectationSchema.optional(),
    column: z.string().optional(),
    /** The number of cases in which nothing reads it. */
    cases: positiveInt(),
    /** The number of cases that have it, where the checks of some read it. */
    of: positiveInt().optional(),
    /** True when the configuration lists it under `unread`, so that the gate decides despite it. */
    isAccepted: z.literal(true).optional(),
  }),
);
export type UnreadExpectation = z.infer<typeof unreadExpectationSchema>;

/**
 * Returns the expectations of a case that contain something to check: an empty text, list or object contains nothing. An
 * empty expected answer is one when nothing else is to be said: it expects silence.
 */
export function expectationsOf({ expected, user }: Pick<Case, 'expected' | 'user'>): Expectation[] {
  const found: Expectation[] = [];
  for (const name in expected) {
    const isSilence = name === 'answer' && isAnswerEmpty(expected);
    if (isExpectation(name) && (isSilence || holdsSomething(name, expected[name]))) found.push(name);
  }
  if (user?.script?.some((turn) => turn.expected !== undefined) === true) found.push('turns');
  return found;
}

function isExpectation(name: string): name is Exclude<keyof Expected, Condition> {
  return name !== 'passMark' && name !== 'choices';
}

/** Returns whether a case has an empty list on purpose: `expected_tools: []` means that no tool is needed. */
export function expectsNothing({ expected }: Pick<Case, 'expected'>): boolean {
  for (const name in expected)
    if (name !== 'answer' && isEmptyList(expected[name as keyof Expected])) return true;
  return false;
}

/** Returns whether a value is an empty list. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function holdsSomething(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  // An empty list of calls is a rule: it allows no call.
  if (Array.isArray(value)) return name === 'calls' || value.some((item) => item !== '');
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

const nouns: Readonly<Partial<Record<Expectation, string>>> = {
  answer: 'expected answers',
  behavior: 'descriptions of what should happen',
  keywords: 'lists of expected keywords',
  forbidden: 'lists of forbidden texts',
  tools: 'lists of expected tools',
  calls: 'rules for tool calls',
  entities: 'lists of expected entities',
  numbers: 'lists of expected numbers',
  documents: 'lists of expected documents',
  state: 'expected states',
  refusal: 'expected refusals',
  checks: 'lists of checks',
  turns: 'conversations with expectations for their turns',
};

/** Returns the plural noun that reports use for an expectation: `expected answers`. */
export function nameExpectations(expectation: Expectation): string {
  return nouns[expectation] ?? `expectations \`${expectation}\``;
}

/** The names of metrics that read expectations, which only the config knows. */
export interface MetricNames {
  readerOf(expectation: Expectation): string;
}

/** Returns the remedy for expectations that no metric reads: a metric that would read each, or that they are unread on purpose. */
export function remedyForUnread(names: readonly Expectation[], rules: MetricNames | undefined): string {
  const readers = rules === undefined ? [] : [...new Set(names.map((name) => rules.readerOf(name)))];
  const accept = `or list \`unread: [${names.join(', ')}]\` in the config.`;
  if (readers.length === 0)
    return `Add a metric that reads ${names.length === 1 ? 'them' : 'each of them'}, ${accept}`;
  const metrics = readers.map((name) => `\`${name}\``).join(', ');
  return `Add ${readers.length === 1 ? `a metric that reads them, such as ${metrics}` : `metrics that read them, such as ${metrics}`}, ${accept}`;
}

/** Names of things that metrics look for, without a word that marks an expectation, and the names under which they are read. */
const wholeNames: readonly (readonly [name: RegExp, readAs: string])[] = [
  [/^(?:keywords?|contains(?:all|any)?|icontains|includes?)$/, 'expected_keywords'],
  [/^(?:notcontains|excludes?)$/, 'must_not_include'],
  [/^entities$/, 'expected_entities'],
  [/^refusals?$/, 'expected_refusal'],
  [/^toolcallsexpected$/, 'expected_tools'],
  [/^(?:answerkey|solutions?)$/, 'expected_answer'],
];

/** Returns the column that one without a word for an expectation is likely meant to be: `expected_keywords` for `keywords`. */
export function likelyColumn(name: string): string | undefined {
  const joined = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return wholeNames.find(([whole]) => whole.test(joined))?.[1];
}
