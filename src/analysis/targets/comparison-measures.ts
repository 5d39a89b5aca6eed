import { uncategorized } from '../../schema/case.ts';
import { createErrorReportTest } from '../../schema/error-report.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { isTargetError } from '../../schema/trial.ts';
import type { TargetComparison } from '../../schema/target-comparison.ts';

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
