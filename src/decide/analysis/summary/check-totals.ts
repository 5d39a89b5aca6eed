import { formatPoints } from '../../../core/lib/text/format-points.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { MetricSummary, Summary, TargetSummary, TrialCounts } from '../../../core/schema/summary.ts';
import type { Decision } from '../../../core/schema/decision.ts';
import type { Store } from '../../../stores/store.ts';

/**
 * Checks that every planned trial is counted once, as measured, failed, not measured, cancelled, not run or not
 * needed, and at most once by each metric. Returns a sentence for each sum that is wrong.
 */
export function checkTotals(targets: readonly TargetSummary[]): string[] {
  return targets.flatMap((target) => [
    ...checkCounts(target.target, target.counts),
    ...target.metrics.flatMap((metric) => checkMetric(target, metric)),
    ...checkCategories(target),
  ]);
}

/** Makes a decision not measured when the totals behind it do not add up. */
export function withSoundTotals(decision: Decision, targets: readonly TargetSummary[]): Decision {
  const faults = checkTotals(targets);
  if (faults.length === 0) return decision;
  return { ...decision, outcome: 'not-measured', reasons: [...faults, ...decision.reasons] };
}

function checkCounts(name: string, counts: TrialCounts): string[] {
  const { planned, measured, errors, notMeasured, cancelled, notRun, passed, failed } = counts;
  const { notNeeded = 0 } = counts;
  const places = [measured, errors, notMeasured, cancelled, notRun, notNeeded];
  const sum = places.reduce((total, count) => total + count, 0);
  const isSound = sum === planned && places.every((count) => count >= 0) && passed + failed <= measured;
  if (isSound) return [];
  return [
    `${name}: the totals do not add up: ${measured} measured + ${errors} errors + ${notMeasured} not measured + ${cancelled} cancelled + ${notRun} not run${notNeeded > 0 ? ` + ${notNeeded} not needed` : ''} is not ${planned} planned`,
  ];
}

/** Checks a metric, which has a verdict on every scored trial and on no other. */
function checkMetric({ target, counts }: TargetSummary, metric: MetricSummary): string[] {
  const { scored, notApplicable, failed } = metric;
  const verdicts = scored + notApplicable + failed;
  const { planned, notRun, notNeeded = 0, cancelled, unscored = 0 } = counts;
  const expected = planned - notRun - notNeeded - cancelled - unscored;
  if (verdicts === expected) return [];
  return [
    `${target}: the totals do not add up: ${metric.metric} has ${scored} scored + ${notApplicable} not applicable + ${failed} failed for ${expected} attempts`,
  ];
}

function checkCategories({ target, counts, categories }: TargetSummary): string[] {
  const sum = (part: 'planned' | 'measured' | 'errors' | 'notRun') =>
    categories.reduce((total, category) => total + category.counts[part], 0);
  const parts = (['planned', 'measured', 'errors', 'notRun'] as const).filter(
    (part) => sum(part) !== counts[part],
  );
  return parts.map(
    (part) =>
      `${target}: the totals do not add up: the categories have ${sum(part)} ${part} and the whole has ${counts[part]}`,
  );
}

/** The relative difference that two means may have because they were summed in different orders. */
const equal = 1e-9;

/**
 * Compares stated totals with those computed from the results, and returns a sentence for each difference: counts,
 * scores and means. Intervals are ignored, and so are totals that only one of the two has, because another version
 * may compute more of them.
 */
export function compareTotals(stated: Pick<Summary, 'targets'>, made: Pick<Summary, 'targets'>): string[] {
  const own = new Map(made.targets.map((target) => [target.target, target]));
  return stated.targets.flatMap((target) => {
    const found = own.get(target.target);
    if (found === undefined) return [`there are no results of ${target.target}`];
    return totalsOf(target).flatMap(([name, written, isShare]) => {
      const value = totalsOf(found).find(([other]) => other === name)?.[1];
      if (value === undefined || isSame(written, value)) return [];
      return [
        `${target.target}: ${name} ${formatTotal(written, isShare)}, but computed from the results ${formatTotal(value, isShare)}`,
      ];
    });
  });
}

function* totalsOfCounts(counts: TrialCounts): Generator<[string, number]> {
  for (const part of ['planned', 'measured', 'errors', 'cancelled', 'notRun', 'passed', 'failed'] as const) {
    yield [part, counts[part]];
  }
}

function totalsOf({
  score,
  passRate,
  counts,
  metrics,
}: TargetSummary): [string, number | null, isShare: boolean][] {
  return [
    ['score', score.value, true],
    ['pass rate', passRate.value, true],
    ...Array.from(totalsOfCounts(counts), ([name, count]): [string, number, boolean] => [name, count, false]),
    ...metrics.map(({ metric, estimate, unit }): [string, number | null, boolean] => [
      metric,
      estimate.value,
      unit === undefined,
    ]),
  ];
}

function isSame(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other;
  return Math.abs(one - other) <= equal * Math.max(1, Math.abs(one));
}

function formatTotal(value: number | null, isShare: boolean): string {
  if (value === null) return 'not measured';
  return isShare ? `${formatPoints(value)} %` : String(value);
}

/**
 * Requires a run's plan to be complete. Throws `run-in-progress` while the plan is being made or imported, and
 * `run-not-whole` if that ended early.
 */
export async function requireWhole(
  { id, status, isImporting, isSent }: Pick<Run, 'id' | 'status' | 'isImporting' | 'isSent'>,
  store: Store,
): Promise<void> {
  if (status !== 'planning') return;
  if (isSent === true) {
    const message = `Run ${id} is incomplete: only a part of it was sent so far.`;
    const remedy = `Send it again from where it was made: \`touchstone push ${id}\` continues it.`;
    throw new TouchstoneError('run-not-whole', message, { remedy });
  }
  if (await isClaimed(id, store)) {
    const message = `Run ${id} is being planned or imported by another process.`;
    const remedy = 'Wait until its plan is complete, then run the same command again.';
    throw new TouchstoneError('run-in-progress', message, { remedy });
  }
  if (isImporting === true) {
    const message = `The import of run ${id} ended before it was complete.`;
    const remedy = `Import it again, or remove what is left: \`touchstone delete ${id}\`.`;
    throw new TouchstoneError('run-not-whole', message, { remedy });
  }
  const remedy = `Start a new run, and remove this one: \`touchstone delete ${id}\`.`;
  const message = `Run ${id} ended before its plan was complete.`;
  throw new TouchstoneError('run-not-whole', message, { remedy });
}

/** Returns whether a process is working on a run; false when that cannot be determined. */
export async function isClaimed(runId: string, store: Store): Promise<boolean> {
  try {
    return await store.isClaimed(runId);
  } catch {
    return false;
  }
}

/**
 * Throws `usage-invalid` for a run that asks only what failed in another, where a run has to stand for its whole set: the worst cases
 * of one run do better in the next by chance alone.
 */
export function refuseFailedOnly({ id, failedOf }: Pick<Run, 'id' | 'failedOf'>, use: string): void {
  if (failedOf === undefined) return;
  throw new TouchstoneError(
    'usage-invalid',
    `Run ${id} cannot ${use}: it asked only what failed in run ${failedOf}, where chance alone brings better answers.`,
    { remedy: `Run the whole set: \`touchstone run\`. What passes now: \`touchstone show ${id}\`.` },
  );
}
