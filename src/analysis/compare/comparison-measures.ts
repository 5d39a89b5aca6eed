import { canonicalJson } from '../../lib/content-hash.ts';
import { uncategorized } from '../../schema/case.ts';
import { truthOf } from '../../schema/expected.ts';
import type { Outcome } from '../../schema/result.ts';
import type { RunDifference } from '../../schema/run-comparison.ts';
import { createErrorReportTest, type Run } from '../../schema/run.ts';
import type { Criterion } from '../../schema/verdict.ts';
import type { TargetComparison } from '../../schema/summary.ts';
import { isTargetError } from '../../schema/trial.ts';

/** Something that the targets of a run are held against each other on. */
export interface Measure extends Pick<TargetComparison, 'measure' | 'name'> {
  /**
   * The number of an outcome; undefined when it was not measured or does not apply. Of a trial without an answer only what it
   * used and that it is an error are told: an outage makes no target slower, or worse.
   */
  read(outcome: Outcome): number | undefined;
  /** The unit, known at the latest when outcomes were read; undefined for shares. */
  unit(): string | undefined;
}

/** The measures of a run that every outcome is asked for; those of its categories come by `listCategoryMeasures`. */
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
    ...run.metrics.filter(({ use }) => use.use !== 'latency').map(({ name }) => metricMeasure(name)),
    quantity(
      'latency',
      'ms',
      ofAnswer(({ trial }) => trial.latency?.totalMs),
    ),
    quantity('input-tokens', 'tokens', ({ trial }) => trial.usage?.inputTokens),
    quantity('output-tokens', 'tokens', ({ trial }) => trial.usage?.outputTokens),
    quantity('cost', 'USD', ({ trial }) => trial.cost),
  ];
}

/** The score of each category. */
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

/** Reads nothing of a trial without an answer. */
export function ofAnswer<Value>(
  read: (outcome: Outcome) => Value | undefined,
): (outcome: Outcome) => Value | undefined {
  return (outcome) => (outcome.trial.status === 'completed' ? read(outcome) : undefined);
}

/** Which way a measure is better; null where neither is, as for the length of an answer. */
export function betterOf({ measure, unit }: Measure): TargetComparison['better'] {
  if (measure === 'errors') return 'lower';
  const ofUnit = unit();
  if (ofUnit === undefined) return 'higher';
  return ['ms', 'USD', 'tokens'].includes(ofUnit) ? 'lower' : null;
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
    read: (outcome) => {
      const verdict = outcome.verdicts[name];
      if (verdict?.status !== 'scored') return undefined;
      unit = verdict.unit;
      return outcome.trial.status === 'completed' ? verdict.value : undefined;
    },
  };
}

function errorOf(outcome: Outcome, isErrorReport: (outcome: Outcome) => boolean): number | undefined {
  const isError = isTargetError(outcome.trial);
  if (outcome.trial.status !== 'completed' && !isError) return undefined;
  return Number(isError || isErrorReport(outcome));
}

/** A number that both of two runs have for an outcome. */
export interface SharedMeasure extends Pick<RunDifference, 'measure' | 'name'> {
  readonly older: Reading;
  readonly newer: Reading;
  /** Measured by another rule in one run than in the other. */
  readonly isRuleChanged: boolean;
}

/** How one run has the number. */
export interface Reading {
  read(outcome: Outcome): number | undefined;
  /** Known at the latest when outcomes were read. */
  unit(): string | undefined;
  better(): RunDifference['better'];
}

/** The measures that two runs have both, the score first; categories are made of the score. */
export function listSharedMeasures(older: Run, newer: Run): SharedMeasure[] {
  const ofNewer = new Map(listMeasures(newer).map((measure) => [keyOf(measure), measure]));
  const shared = listMeasures(older).flatMap((ofOlder) => {
    const partner = ofNewer.get(keyOf(ofOlder));
    return partner === undefined ? [] : [shareMeasure(older, newer, [ofOlder, partner])];
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
  return { read: measure.read, unit: measure.unit, better: () => betterOf(measure) };
}

/** 1 where the criterion is as it should be, 0 where it is not. */
function readingOfTruth(criterion: Criterion): Reading {
  const wanted = criterion.negative === true ? 'false' : 'true';
  return {
    read: ofAnswer(({ verdicts }) => {
      const truth = truthOf(criterion, verdicts[criterion.metric]);
      return truth === 'true' || truth === 'false' ? Number(truth === wanted) : undefined;
    }),
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

/** All that a total follows from: the scorecard, and the rules of the metrics it weighs. */
function ruleOfScore(run: Run): string {
  const { use: _use, name: _name, ...scorecard } = run.scorecard ?? { use: undefined, name: undefined };
  const metrics = run.scorecard?.criteria.map(({ metric }) => fingerprintOf(run, metric));
  return canonicalJson({ scorecard, metrics });
}
