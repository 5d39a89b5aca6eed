import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import { truthOf } from '../../../core/schema/expected.ts';
import { aspectOf, betterIn } from '../../../core/schema/metric.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { RunDifference } from '../../../core/schema/run-comparison.ts';
import { createErrorReportTest, type Run } from '../../../core/schema/run.ts';
import type { Criterion } from '../../../core/schema/verdict.ts';
import type { TargetComparison } from '../../../core/schema/summary.ts';
import { isTargetError } from '../../../core/schema/trial.ts';

/** The part of an outcome that comparisons read. */
export interface ComparedOutcome extends Pick<Outcome, 'verdicts' | 'weight'> {
  readonly case: Pick<Outcome['case'], 'category'>;
  readonly trial: Pick<
    Outcome['trial'],
    'ordinal' | 'caseId' | 'target' | 'status' | 'error' | 'usage' | 'cost' | 'latency'
  >;
  readonly scorecard: Pick<NonNullable<Outcome['scorecard']>, 'total' | 'passed'> | null;
}

/** A measure on which the targets of a run are compared. */
export interface Measure extends Pick<TargetComparison, 'measure' | 'name'> {
  /**
   * Reads the number of an outcome, as the summary of the run does, so that one name has one number; undefined when it was
   * not measured or does not apply. A trial without an answer has no score and no latency, as an outage makes no target
   * slower or worse, but its usage, the fact that it is an error, and the verdicts of metrics that judge errors.
   */
  read(outcome: ComparedOutcome): number | undefined;
  /** Returns the unit, which is known once outcomes were read; undefined for shares. */
  unit(): string | undefined;
  /** Returns whether an outcome was never to have the number; absent for measures that apply to every outcome. */
  isNotApplicable?(outcome: ComparedOutcome): boolean;
}

/**
 * Lists the measures of a run that are read from every outcome. The measures of its categories are returned by
 * `listCategoryMeasures`.
 */
export function listMeasures(run: Run): Measure[] {
  const isErrorReport = createErrorReportTest(run);
  const ofScorecard: Measure[] = [
    share(
      'score',
      ofAnswer(({ scorecard }) => scorecard?.total ?? undefined),
    ),
    share(
      'passed',
      ofAnswer(({ scorecard }) =>
        typeof scorecard?.total === 'number' ? Number(scorecard.passed === true) : undefined,
      ),
    ),
  ];
  return [
    ...(run.scorecard === null ? [] : ofScorecard),
    share('errors', (outcome) => errorOf(outcome, isErrorReport)),
    ...run.metrics
      .filter((metric) => aspectOf(metric) !== 'answer-time')
      .map(({ name }) => metricMeasure(name)),
    quantity(
      'latency',
      'ms',
      ofAnswer(({ trial }) => trial.latency?.totalMs),
    ),
    quantity('input-tokens', 'tokens', ({ trial }) => wholeCount(trial.usage?.inputTokens)),
    quantity('output-tokens', 'tokens', ({ trial }) => wholeCount(trial.usage?.outputTokens)),
    quantity('cost', 'USD', ({ trial }) => trial.cost),
  ];
}

/** Returns a number of tokens as a whole number, as lists show it. */
function wholeCount(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.round(count);
}

/** Lists the score of each category as a measure. */
export function listCategoryMeasures(run: Run, categories: readonly string[]): Measure[] {
  if (run.scorecard === null) return [];
  return categories.map((name) => ({
    measure: 'category',
    name,
    unit: () => undefined,
    read: ofAnswer(({ case: { category = uncategorized }, scorecard }) =>
      category === name ? (scorecard?.total ?? undefined) : undefined,
    ),
  }));
}

/** Restricts a reading to trials with an answer; it returns undefined for others. */
export function ofAnswer<Value>(
  read: (outcome: ComparedOutcome) => Value | undefined,
): (outcome: ComparedOutcome) => Value | undefined {
  return (outcome) => (outcome.trial.status === 'completed' ? read(outcome) : undefined);
}

/** Returns the better direction of a measure; null when neither is better, as for the length of an answer. */
export function betterOf({ measure, unit }: Measure): TargetComparison['better'] {
  if (measure === 'errors') return 'lower';
  return betterIn(unit());
}

function share(measure: Measure['measure'], read: Measure['read']): Measure {
  return { measure, name: measure, read, unit: () => undefined };
}

function quantity(measure: Measure['measure'], unit: string, read: Measure['read']): Measure {
  return { measure, name: measure, read, unit: () => unit };
}

function metricMeasure(name: string): Measure {
  let unit: string | undefined;
  return {
    measure: 'metric',
    name,
    unit: () => unit,
    isNotApplicable: ({ verdicts }) => verdicts[name]?.status === 'not-applicable',
    read: (outcome) => {
      const verdict = outcome.verdicts[name];
      if (verdict?.status !== 'scored') return undefined;
      unit = verdict.unit;
      return verdict.value;
    },
  };
}

function errorOf(
  outcome: ComparedOutcome,
  isErrorReport: (outcome: ComparedOutcome) => boolean,
): number | undefined {
  const isError = isTargetError(outcome.trial);
  if (outcome.trial.status !== 'completed' && !isError) return undefined;
  return Number(isError || isErrorReport(outcome));
}

/** A measure that two runs share. */
export interface SharedMeasure extends Pick<RunDifference, 'measure' | 'name'> {
  readonly older: Reading;
  readonly newer: Reading;
  /** True when the two runs measure it by different rules. */
  readonly isRuleChanged: boolean;
}

/** The reading of a measure in one run. */
export interface Reading extends Pick<Measure, 'isNotApplicable'> {
  read(outcome: ComparedOutcome): number | undefined;
  /** Returns the unit, which is known once outcomes were read. */
  unit(): string | undefined;
  better(): RunDifference['better'];
}

/** Lists the measures that both runs have, the score first. */
export function listSharedMeasures(older: Run, newer: Run): SharedMeasure[] {
  const ofNewer = new Map(listMeasures(newer).map((measure) => [keyOf(measure), measure]));
  const shared = listMeasures(older).flatMap((ofOlder) => {
    const partner = ofNewer.get(keyOf(ofOlder));
    // A replayed tool answers at once: how long answers took then says nothing of the targets.
    const isOfTools = ofOlder.measure === 'latency' && older.tools?.fingerprint !== newer.tools?.fingerprint;
    return partner === undefined || isOfTools ? [] : [shareMeasure(older, newer, [ofOlder, partner])];
  });
  return shared.toSorted((one, other) => order.indexOf(one.measure) - order.indexOf(other.measure));
}

const order: readonly RunDifference['measure'][] = [
  'score',
  'passed',
  'criterion',
  'metric',
  'errors',
  'latency',
  'input-tokens',
  'output-tokens',
  'cost',
];

function keyOf({ measure, name }: Measure): string {
  return `${measure} ${name}`;
}

function shareMeasure(
  older: Run,
  newer: Run,
  [ofOlder, ofNewer]: readonly [Measure, Measure],
): SharedMeasure {
  const { measure, name } = ofNewer;
  if (measure !== 'metric') {
    const isScore = measure === 'score' || measure === 'passed';
    const isRuleChanged = isScore && ruleOfScore(older) !== ruleOfScore(newer);
    return { measure, name, older: readingOf(ofOlder), newer: readingOf(ofNewer), isRuleChanged };
  }
  const isRuleChanged = fingerprintOf(older, name) !== fingerprintOf(newer, name);
  const criteria = [criterionOf(older, name), criterionOf(newer, name)] as const;
  const [inOlder, inNewer] = criteria;
  if (inOlder === undefined || inNewer === undefined) {
    return { measure, name, older: readingOf(ofOlder), newer: readingOf(ofNewer), isRuleChanged };
  }
  return {
    measure: 'criterion',
    name: inNewer.name,
    older: older.scorecard?.outcomes === undefined ? readingOf(ofOlder) : readingOfTruth(inOlder),
    newer: newer.scorecard?.outcomes === undefined ? readingOf(ofNewer) : readingOfTruth(inNewer),
    isRuleChanged,
  };
}

function readingOf(measure: Measure): Reading {
  const { read, unit, isNotApplicable } = measure;
  return { read, unit, ...(isNotApplicable && { isNotApplicable }), better: () => betterOf(measure) };
}

/** Reads a boolean criterion: 1 when it is met, 0 when it is not. */
function readingOfTruth(criterion: Criterion): Reading {
  const wanted = criterion.negative === true ? 'false' : 'true';
  return {
    read: ({ verdicts, trial, scorecard }) => {
      if (trial.status === 'cancelled' || scorecard === null) return undefined;
      const truth = truthOf(criterion, verdicts[criterion.metric]);
      return truth === 'true' || truth === 'false' ? Number(truth === wanted) : undefined;
    },
    unit: () => undefined,
    better: () => 'higher',
  };
}

function criterionOf({ scorecard }: Run, metric: string): Criterion | undefined {
  return scorecard?.criteria.find((criterion) => criterion.metric === metric);
}

function fingerprintOf({ metrics }: Run, name: string): string | undefined {
  return metrics.find((metric) => metric.name === name)?.fingerprint;
}

/** Returns a key of everything that a total is computed from: the scorecard, and the rules of its metrics. */
function ruleOfScore(run: Run): string {
  const { use: _use, name: _name, ...scorecard } = run.scorecard ?? { use: undefined, name: undefined };
  const metrics = run.scorecard?.criteria.map(({ metric }) => fingerprintOf(run, metric));
  return canonicalJson({ scorecard, metrics });
}
