import { z } from 'zod';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import { type ExactNumber, isNumber, isSameNumber } from '../../../core/lib/json/exact-number.ts';
import { composed, isSameText, memberNamed } from '../../../core/lib/json/same-text.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import { compareTexts } from '../matching/compare-texts.ts';
import { isRecord, memberPath } from '../matching/expectation.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { noReference, referenceOptions, verdictOf } from '../text/references.ts';
import { jsonAnswerOptions, readJsonAnswer } from './json-valid.ts';
import { compareNumbers } from './numeric-difference.ts';

/**
 * Measures how much the answer, read as JSON, is like the expected JSON, from 0 to 1, as `JSONDiff` of autoevals does:
 * the mean over all members of objects, the sum over the items of lists by their places divided by the longer length,
 * texts by their edits, numbers by their relative difference. A missing member scores 0, and so does a member that was
 * not expected, unless it is null. Values of different types are compared as JSON texts; an answer that is no JSON
 * counts as a text. Booleans are equal or score 0, as in Python (autoevals in JavaScript gives `true` for `false` 0.2).
 * Of several expected texts the most similar one counts. Not applicable without an expected value.
 */
export const jsonDifference = defineMetric({
  name: 'json-difference',
  family: 'content',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'How much of the expected JSON the answer contains, member by member.',
  words:
    'JSON diff, compare JSON, structured output, field accuracy, extraction, member by member, partial match',
  options: () =>
    referenceOptions()
      .extend(jsonAnswerOptions().shape)
      .extend({
        from: z
          .string()
          .min(1)
          .default('expected.answer')
          .describe(
            'Path in the question to the expected JSON: a value, its text, or a list of acceptable texts.',
          ),
        parseTexts: z
          .boolean()
          .default(true)
          .describe('True to compare texts that are JSON objects or lists by their content, at any depth.'),
      }),
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const references = expectedValues(valueAtPath(testCase, options.from));
      if (references.length === 0) return noReference(options.from);
      if ((trial.answer ?? '').trim() === '') {
        return verdictOf({ value: 0, explanation: 'there is no answer' }, options.threshold);
      }
      const read = readJsonAnswer(trial.answer, options);
      const given = 'problem' in read ? (trial.answer ?? '') : read.value;
      const results = references.map((wanted) => compareAll(given, wanted, options.parseTexts));
      const best = results.reduce((first, second) => (second.value > first.value ? second : first));
      const differences = best.differences.map(({ path, value }) => `${path} (${value.toFixed(2)})`);
      const problem = 'problem' in read ? [`the answer is no JSON: ${read.problem}`] : [];
      const explanation = [...problem, ...differences].join(', ');
      return verdictOf(
        { value: best.value, ...(explanation !== '' && { explanation }), evidence: { differences } },
        options.threshold,
      );
    },
  }),
});

/** Returns the expected values; a list of texts is a list of alternatives, any other value one expected value. */
function expectedValues(written: unknown): Json[] {
  if (written === undefined) return [];
  const isAlternatives =
    Array.isArray(written) && written.length > 0 && written.every((item) => typeof item === 'string');
  return (isAlternatives ? written : [written as Json]).map((value) => {
    if (typeof value !== 'string') return value;
    const read = readJsonAnswer(value, { fenced: false });
    return 'problem' in read ? value : read.value;
  });
}

/** A place at which two values differ, with their likeness from 0 to 1. */
interface Difference {
  readonly path: string;
  readonly value: number;
}

const mostShown = 20;
const deepest = 200;

function compareAll(given: Json, wanted: Json, parsesTexts: boolean) {
  const differences: Difference[] = [];
  const note = (path: string, value: number) => {
    if (value < 1 && differences.length < mostShown)
      differences.push({ path: path === '' ? 'the value' : path, value });
    return value;
  };
  const compare = (first: Json, second: Json, path: string, depth: number): number => {
    if (depth > deepest)
      throw new UnmeasurableError('too-long', 'the JSON is nested too deeply to be compared');
    const [a, b] = parsesTexts ? [parseContainer(first), parseContainer(second)] : [first, second];
    if (isRecord(a) && isRecord(b)) {
      const names = [...new Set([...Object.keys(b), ...Object.keys(a)].map(composed))];
      const member = (value: Json, name: string) =>
        isRecord(value) ? (memberNamed(value, name) ?? null) : null;
      const sum = names.reduce(
        (total, name) => total + compare(member(a, name), member(b, name), memberPath(path, name), depth + 1),
        0,
      );
      return names.length === 0 ? 1 : sum / names.length;
    }
    if (Array.isArray(a) && Array.isArray(b)) {
      const longer = Math.max(a.length, b.length);
      if (a.length !== b.length) note(memberPath(path, 'length'), Math.min(a.length, b.length) / longer);
      const shared = a.slice(0, b.length);
      const sum = shared.reduce<number>(
        (total, item, place) => total + compare(item, b[place] ?? null, `${path}[${place}]`, depth + 1),
        0,
      );
      return longer === 0 ? 1 : sum / longer;
    }
    return note(path, compareLeaves(a, b));
  };
  return { value: compare(given, wanted, '', 0), differences };
}

function compareLeaves(first: Json, second: Json): number {
  if (first === second) return 1;
  if (first === null || second === null) return 0;
  if (typeof first === 'boolean' && typeof second === 'boolean') return 0;
  if (isNumber(first) && isNumber(second)) return compareExactNumbers(first, second);
  if (typeof first === 'string' && typeof second === 'string')
    return isSameText(first, second) ? 1 : compareTexts(first, second);
  return compareTexts(writeSorted(first), writeSorted(second));
}

/** Compares two numbers; those that differ only in digits that a double does not hold are no longer like each other. */
function compareExactNumbers(first: number | ExactNumber, second: number | ExactNumber): number {
  if (isSameNumber(first, second)) return 1;
  const likeness = compareNumbers(Number(first), Number(second));
  return likeness === 1 ? 0 : likeness;
}

/** Parses a text that is a JSON object or list; returns any other value as it is. */
function parseContainer(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value.slice(0, 1000))) return value;
  const read = readJsonAnswer(value, { fenced: false });
  return 'value' in read ? read.value : value;
}

function writeSorted(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([first], [second]) => (first < second ? -1 : 1)))
      : inner,
  );
}
