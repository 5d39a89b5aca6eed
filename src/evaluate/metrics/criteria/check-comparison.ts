import { testPattern } from '../../../core/lib/exec-pattern.ts';
import {
  compareNumbers as compareExactly,
  type ExactNumber,
  isNumber,
} from '../../../core/lib/json/exact-number.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { pathSteps, stepInto } from '../../../core/lib/objects.ts';
import { countCharacters } from '../../../core/lib/text/python-text.ts';
import { namesOfTool } from '../../../core/schema/expected-calls.ts';
import type { Json } from '../../../core/schema/json.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import { compileMatcher } from '../matching/compile-matcher.ts';
import { isRecord, formatValue } from '../matching/expectation.ts';
import { looseText } from '../matching/compile-literal.ts';
import type { MetricInput } from '../metric.ts';
import { type Comparison, type Condition, patternFlags } from './check-condition.ts';
import { readPath } from './record-view.ts';

/** One comparison, with its operand resolved: the value itself, or the one that a path of the condition leads to. */
export interface ComparisonInput {
  readonly subject: Subject;
  readonly operand: Json;
  readonly condition: Condition;
}

/**
 * Returns one clause for each place where a value differs from what it should be; an empty list when it is right.
 * Throws `TouchstoneError` for an expected value that cannot be used.
 */
export function compare(comparison: Comparison, input: ComparisonInput): string[] {
  return comparers[comparison](input);
}

type Compare = (input: ComparisonInput) => string[];

const comparers: Readonly<Record<Comparison, Compare>> = {
  equals: (input) => compareMatching(input, 'exact'),
  matches: (input) => compareMatching(input, 'superset'),
  oneOf: ({ subject, operand }) => {
    const choices = Array.isArray(operand) ? operand : [operand];
    return compareMatching({ subject, operand: { $oneOf: choices }, condition: {} }, 'exact');
  },
  contains: compareContained,
  regex: ({ subject: { name, value }, operand }) => {
    const expression = new RegExp(String(operand), patternFlags);
    if (typeof value === 'string' && testPattern(expression, value)) return [];
    return [`${name} is ${formatValue(value)}, which does not match ${expression}`];
  },
  exists: ({ subject, operand }) => {
    const isThere = subject.value !== undefined && subject.value !== null;
    return isThere === operand ? [] : [describe(subject)];
  },
  truthy: ({ subject, operand }) => (isTruthy(subject.value) === operand ? [] : [describe(subject)]),
  atLeast: compareNumbers('at least', (difference) => difference >= -tolerance),
  atMost: compareNumbers('at most', (difference) => difference <= tolerance),
  more: compareNumbers('more than', (difference) => difference > tolerance),
  less: compareNumbers('less than', (difference) => difference < -tolerance),
  length: compareLengths('', (length, wanted) => length === wanted),
  longerThan: compareLengths('more than ', (length, limit) => length > limit),
};

/** Returns the values that a condition looks at: one, or several of which any one or every one has to satisfy it. */
export function readSubjects(condition: Condition, input: MetricInput): Subject[] {
  const { path, messages, calls, which = 'any', at } = condition;
  if (path !== undefined) return [{ name: path, value: readPath(input, path) }];
  const kind = messages === undefined ? nameOfCalls(calls) : nameOfMessages(messages);
  const all = messages === undefined ? readCalls(condition, input) : readMessages(messages, input);
  if (which === 'count') return [{ name: `the number of ${kind}s`, value: all.length }];
  if (all.length === 0) {
    return which === 'every' ? [] : [{ name: kind, value: undefined, isMissing: true }];
  }
  const chosen = which === 'first' || which === 'last' ? [all.at(which === 'first' ? 0 : -1)] : all;
  return chosen.map((value, index) => {
    const name = chosen === all ? `${kind} ${index + 1}` : `the ${which} ${kind}`;
    return { name: at === undefined ? name : `${at} of ${name}`, value: valueAt(value, at) };
  });
}

/** A value that a condition looks at, with its name for explanations. */
interface Subject {
  readonly name: string;
  /** Undefined when there is no value. */
  readonly value: Json | undefined;
  /** True when there is no such message or call at all. */
  readonly isMissing?: true;
}

const tolerance = 1e-9;

/** Describes a subject as a clause, such as `answer is "yes"`. */
export function describe({ name, value }: Subject): string {
  return value === undefined ? `there is no ${name}` : `${name} is ${formatValue(value)}`;
}

function compareMatching(
  { subject, operand, condition }: ComparisonInput,
  mode: 'exact' | 'superset',
): string[] {
  const { as, tolerance: tolerated } = condition;
  const text = as === 'text' ? 'loose' : 'exact';
  const matcher = compileMatcher(readAs(operand, as), { mode, tolerance: tolerated, text });
  return matcher.match(subject.value).map(({ path, expected, actual }) => {
    const place = path.startsWith('[') || path === '' ? path : `.${path}`;
    return `${subject.name}${place} is ${actual}, not ${expected}`;
  });
}

function readAs(operand: Json, as: Condition['as']): Json {
  if (as === 'instant') return asInstants(operand);
  if (!Array.isArray(operand)) return operand;
  if (as === 'set') return { $set: operand };
  return as === 'unordered' ? { $unordered: operand } : operand;
}

function asInstants(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(asInstants);
  return typeof operand === 'string' ? { $instant: operand } : operand;
}

function compareContained({ subject, operand, condition }: ComparisonInput): string[] {
  const { value } = subject;
  if (typeof value === 'string' && typeof operand === 'string') {
    const form = condition.as === 'text' ? looseText : (text: string) => text;
    return form(value).includes(form(operand))
      ? []
      : [`${describe(subject)}, without ${formatValue(operand)}`];
  }
  if (!Array.isArray(value)) return [`${describe(subject)}, which cannot contain ${formatValue(operand)}`];
  return compareMatching({ subject, operand: { $includes: [operand] }, condition }, 'exact');
}

function compareNumbers(words: string, test: (difference: number) => boolean): Compare {
  return ({ subject, operand }) => {
    const { value } = subject;
    if (!isNumber(value)) return [`${describe(subject)}, not a number of ${words} ${formatValue(operand)}`];
    return test(differenceOf(value, isNumber(operand) ? operand : Number(operand)))
      ? []
      : [`${describe(subject)}, not ${words} ${formatValue(operand)}`];
  };
}

/** Returns how much a number is above another; where a double cannot tell them apart, only in which direction. */
function differenceOf(value: number | ExactNumber, limit: number | ExactNumber): number {
  return typeof value === 'number' && typeof limit === 'number'
    ? value - limit
    : compareExactly(value, limit);
}

function compareLengths(words: string, test: (length: number, limit: number) => boolean): Compare {
  return ({ subject, operand }) => {
    const length = lengthOf(subject.value);
    if (length === undefined) return [`${describe(subject)}, which has no length`];
    if (test(length, Number(operand))) return [];
    return [`${subject.name} has a length of ${length}, not ${words}${formatValue(operand)}`];
  };
}

/**
 * Returns the number of characters as Python counts them, of items, or of members; undefined for a number or a truth
 * value.
 */
function lengthOf(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string') return countCharacters(value);
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : undefined;
}

/** Returns whether a value is true in Python's sense: an empty text, list or object is not. */
function isTruthy(value: Json | undefined): boolean {
  if (value === null || isContainer(value) || typeof value === 'string') return (lengthOf(value) ?? 0) > 0;
  return Boolean(value);
}

function valueAt(value: Json | undefined, at: string | undefined): Json | undefined {
  const steps = at === undefined ? [] : pathSteps(at);
  return steps.reduce<unknown>(stepInto, value) as Json | undefined;
}

function nameOfMessages(role: NonNullable<Condition['messages']>): string {
  return role === 'any' ? 'message' : `${role} message`;
}

function nameOfCalls(tool = '*'): string {
  return tool === '*' ? 'tool call' : `call of ${tool}`;
}

/**
 * Returns the texts of messages. A message that only calls tools has no text and is skipped, except at the end: there
 * it is an empty text, because no answer came.
 */
function readMessages(
  role: NonNullable<Condition['messages']>,
  { trial: { transcript } }: MetricInput,
): Json[] {
  const last = transcript.at(-1);
  return transcript
    .filter((message) => role === 'any' || message.role === role)
    .filter((message) => message === last || message.content !== null || message.toolCalls === undefined)
    .map(({ content }) => content ?? '');
}

function readCalls({ calls: tool, stripPrefix }: Condition, { trial }: MetricInput): Json[] {
  const isMeant = (name: string) => tool === '*' || namesOfTool(name, stripPrefix).includes(tool ?? '');
  return toolCallsOf(trial.transcript).filter(({ name }) => isMeant(name));
}
