import { isTraitField, metricOf } from '../lib/filter/fields.ts';
import { compileFilter } from '../lib/filter/match-filter.ts';
import { isContainer } from '../lib/json/is-container.ts';
import type { FieldValues, Filter, Sort } from '../lib/filter/filter.ts';
import { firstUnits } from '../lib/text/terminal-text.ts';
import { valueAtPath } from '../lib/objects.ts';
import { excerptLength, type TrialRow } from '../schema/api/trial-row.ts';
import { type Case, listedQuestion, questionOf, uncategorized } from '../schema/case.ts';
import type { CasedTrial, Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { inputMessages, toolCallsOf } from '../schema/trial.ts';
import { outcomeOfTrial, type TrialOutcome } from '../schema/result.ts';
import type { VerdictsByMetric } from '../schema/verdict.ts';
import type { TrialCursor } from './trial-queries.ts';
import { traitsOf, traitValue } from './trial-traits.ts';

/** The part of a run on which the rows of its trials depend. */
export type RunOfTrials = Pick<Run, 'targets' | 'attempts' | 'scorecard' | 'metrics'>;

/** Builds the row of a trial, with its own result as the only attempt. */
export function toTrialRow(run: RunOfTrials, result: Result): TrialRow {
  const { case: testCase, trial, scorecard } = result;
  const { ordinal, target, attempt, status, error, cost, latency, usage, retries, answer } = trial;
  const outcome = outcomeOfTrial(run, result);
  return {
    ordinal,
    position: Math.floor(ordinal / (run.targets.length * run.attempts)),
    caseId: testCase.id,
    category: testCase.category ?? uncategorized,
    tags: testCase.tags,
    target,
    attempt,
    status,
    result: outcome,
    errorCode: error?.code ?? null,
    ...scoreOf(scorecard),
    cost: cost ?? null,
    latencyMs: latency?.totalMs ?? null,
    ...countSteps(result),
    retries,
    inputTokens: roundKnown(usage?.inputTokens),
    outputTokens: roundKnown(usage?.outputTokens),
    metrics: metricValues(result.verdicts),
    question: firstUnits(listedQuestion(testCase), excerptLength),
    answer: answer === null ? null : firstUnits(answer, excerptLength),
    attempts: [outcome],
  };
}

function scoreOf(scorecard: Result['scorecard']): Pick<TrialRow, 'passed' | 'total' | 'grade' | 'outcome'> {
  const { passed = null, total = null, grade = null, outcome = null } = scorecard ?? {};
  return { passed, total, grade, outcome };
}

/**
 * Adds to a row the results of all attempts of its target at its case.
 * @param outcomes - The result by the place in the plan, at least of these attempts.
 */
export function withAttempts(
  row: TrialRow,
  { run, outcomes }: { readonly run: RunOfTrials; readonly outcomes: ReadonlyMap<number, TrialOutcome> },
): TrialRow {
  const places = attemptsOf(run, row.ordinal);
  return { ...row, attempts: places.map((ordinal) => outcomes.get(ordinal) ?? null) };
}

/** Returns the places in the plan of all attempts of a target at a case, from the place of one of them. */
export function attemptsOf({ attempts }: RunOfTrials, ordinal: number): number[] {
  const first = ordinal - (ordinal % attempts);
  return Array.from({ length: attempts }, (_, index) => first + index);
}

/**
 * Counts the messages of the target and its tool calls. Both are unknown when no message of the target was recorded, the tool
 * calls also when a recording leaves them out.
 */
export function countSteps({ case: { input }, trial }: CasedTrial): Pick<TrialRow, 'steps' | 'toolCalls'> {
  const own = trial.transcript.slice(inputMessages(input).length);
  const steps = own.filter(({ role }) => role === 'assistant').length;
  if (steps === 0) return { steps: null, toolCalls: null };
  return { steps, toolCalls: trial.toolsUnknown === true ? null : toolCallsOf(own).length };
}

/** Returns the value of each metric: null where it could not be measured, no entry where it does not apply. */
export function metricValues(verdicts: VerdictsByMetric): TrialRow['metrics'] {
  const values = Object.entries(verdicts).flatMap(([name, verdict]): [string, number | null][] => {
    if (verdict.status === 'not-applicable') return [];
    return [[name, verdict.status === 'scored' ? verdict.value : null]];
  });
  return Object.fromEntries(values);
}

/** Returns a number of tokens as a whole number; null when it is unknown. */
export function roundKnown(count: number | undefined): number | null {
  return count === undefined ? null : Math.round(count);
}

/** Returns the values that a case has for a field; undefined when the field is not one of cases. */
function readCaseField(testCase: Case, field: string): FieldValues | undefined {
  switch (field) {
    case 'id':
      return [testCase.id];
    case 'category':
      return [testCase.category ?? uncategorized];
    case 'tag':
      return testCase.tags;
    case 'cluster':
      return known(testCase.cluster);
    case 'question':
      return [questionOf(testCase)];
    default:
      return field.startsWith('metadata.')
        ? metadataValues(valueAtPath(testCase.metadata, field.slice('metadata.'.length)))
        : undefined;
  }
}

/** Returns the values of metadata that a filter compares: the value itself, or each item of a list. */
function metadataValues(value: unknown): FieldValues {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each !== undefined && each !== null && !isContainer(each)).map(String);
}

function known(value: string | number | null | undefined): FieldValues {
  return value === null || value === undefined ? [] : [value];
}

/** Creates a reader of the values that the results of a run have for the fields of a filter. */
export function createFieldReader(run: RunOfTrials): (result: Result, field: string) => FieldValues {
  return (result, field) => {
    const ofCase = readCaseField(result.case, field);
    if (ofCase !== undefined) return ofCase;
    if (field === 'answer') return known(result.trial.answer);
    if (isTraitField(field))
      return traitsOf(run, result).flatMap((trait) => (trait.field === field ? [traitValue(trait)] : []));
    const metrics = () => metricValues(result.verdicts);
    const metric = metricOf(field);
    if (metric !== undefined) return known(Object.hasOwn(metrics(), metric) ? metrics()[metric] : null);
    if (field === 'missing')
      return Object.entries(metrics()).flatMap(([name, value]) => (value === null ? [name] : []));
    const row = toTrialRow(run, result);
    if (field === 'passed') return known(row.passed === null ? null : String(row.passed));
    if (field === 'error') return known(row.errorCode);
    return known(row[field as PlainField]);
  };
}

/** The fields of a filter that a row has under the same name. */
type PlainField = {
  [Name in keyof TrialRow]: TrialRow[Name] extends string | number | null ? Name : never;
}[keyof TrialRow];

/** Compiles a filter to a predicate over the results of a run. */
export function matchResults(run: RunOfTrials, filter: Filter): (result: Result) => boolean {
  const read = createFieldReader(run);
  return compileFilter<Result>(filter, (result, { field }) => read(result, field));
}

/** Compiles a filter to a predicate over cases. */
export function matchCases(filter: Filter): (testCase: Case) => boolean {
  return compileFilter<Case>(filter, (testCase, { field }) => readCaseField(testCase, field) ?? []);
}

/** Compares two places in a sorted list: values in the order asked for, unknown values last, then the order of the plan. */
export function comparePlaces({ isDescending }: Sort): (one: TrialCursor, other: TrialCursor) => number {
  const sign = isDescending ? -1 : 1;
  return (one, other) =>
    Number(one.value === null) - Number(other.value === null) ||
    sign * compareValues(one.value, other.value) ||
    one.ordinal - other.ordinal;
}

function compareValues(one: TrialCursor['value'], other: TrialCursor['value']): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other);
  return Number(one) - Number(other);
}

/** Compares two texts by their code points, as databases do, which compare the bytes of UTF-8. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [unit, otherUnit] = [one.charCodeAt(index), other.charCodeAt(index)];
    // The units of a surrogate pair are smaller than some that are code points by themselves.
    if (unit !== otherUnit)
      return Number(isSurrogate(unit)) - Number(isSurrogate(otherUnit)) || unit - otherUnit;
  }
  return one.length - other.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
