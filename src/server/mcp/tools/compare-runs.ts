import { z } from 'zod';
import { withNamedRuns } from '../../../library/api/named-runs.ts';
import {
  pickTargets,
  type KeptRun,
  type TargetChoice,
} from '../../../decide/analysis/compare/compared-run.ts';
import { compareRuns as compareReviewed } from '../../../people/reviews/compare-runs.ts';
import type { PairComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, nameOf, quote } from '../quote.ts';
import { defineTool, runInput } from '../tool.ts';

const most = { ids: 20, differences: 20, pairs: 6, notices: 8 } as const;

/** `compare_runs`: whether one run is better than another, and how sure that is. */
export const compareRuns = defineTool({
  name: 'compare_runs',
  description:
    'Whether run b is better than run a, paired by question: the decision in a word, the difference with interval and method, won and lost questions, and what was not compared and why; of one pair of targets also the differences by metric and category. Not-enough-data and no-visible-difference are results.',
  input: z.strictObject({
    a: runInput,
    b: runInput,
    targetA: z.string().max(500).optional(),
    targetB: z.string().max(500).optional(),
    metric: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Only the difference of this metric beside the decision; of several targets, name targetA too.',
      ),
  }),
  output: ['comparisons', 'next'],
  limit: 10_000,
  call: async ({ a, b, targetA, targetB = targetA, metric }, call) => {
    const targets = targetA === undefined || targetB === undefined ? undefined : [{ a: targetA, b: targetB }];
    return await withNamedRuns([a, b], await call.project.store(), async (found) => {
      // The reply reads as a page does: what decides, a gate or the referee, reads whole records.
      const runs = found.map((run): KeptRun => ({ ...run, hasColumnsRead: true }));
      const names = targetsInCommon(runs, targets);
      const isHeadlineOnly = names.length > 1;
      if (isHeadlineOnly && metric !== undefined) throw severalTargets(names);
      const choices = { targets, flips: most.ids, isOfEither: true, isHeadlineOnly };
      const { comparisons } = await compareReviewed(runs, choices);
      if (metric !== undefined && comparisons.every((one) => metricsOf(one, metric).length === 0))
        throw new OwnError(
          'usage-invalid',
          'Neither run has measured this metric.',
          'show_run lists the metrics of a run.',
        );
      return {
        comparisons: comparisons.slice(0, most.pairs).map((one) => describe(one, metric)),
        ...(isHeadlineOnly && {
          next: 'Name one targetA to see its differences by metric and category.',
        }),
      };
    });
  },
});

/** Returns the targets of the first run that are compared: with several, a reply has no room for more than the decision on each. */
function targetsInCommon(runs: readonly KeptRun[], targets: readonly TargetChoice[] | undefined): string[] {
  const [a, b] = runs;
  return a === undefined || b === undefined ? [] : pickTargets(a, b, targets).map(([{ target }]) => target);
}

function severalTargets(names: readonly string[]): OwnError {
  return new OwnError(
    'usage-invalid',
    `The runs have ${names.length} targets in common; the difference of a metric belongs to one.`,
    'Name it as targetA; show_run lists the targets of a run.',
  );
}

function describe(comparison: PairComparison, metric: string | undefined): Reply {
  const { a, b, verdict, differences, flips, flipsToBetter, flipsToWorse, passedInBoth, failedInBoth } =
    comparison;
  const [first, ...others] = differences;
  const ids = (change: 'better' | 'worse') =>
    flips.filter((flip) => flip.change === change).map(({ caseId }) => idOf(caseId));
  return {
    a: { run: a.run, target: idOf(a.target), attempts: a.attempts },
    b: { run: b.run, target: idOf(b.target), attempts: b.attempts },
    decision: verdict.outcome,
    isCertain: verdict.isCertain,
    measure: verdict.measure,
    ...(first !== undefined && { difference: describeDifference(first) }),
    won: { count: flipsToBetter, ids: ids('better') },
    lost: { count: flipsToWorse, ids: ids('worse') },
    passedInBoth,
    failedInBoth,
    differences: (metric === undefined
      ? others.slice(0, most.differences)
      : metricsOf(comparison, metric)
    ).map(shortly),
    notCompared: describeMissing(comparison),
    ...notesOn(comparison),
  };
}

function metricsOf({ differences }: PairComparison, metric: string): RunDifference[] {
  return differences.filter(({ measure, name }) => measure === 'metric' && name === metric);
}

function describeDifference({
  difference,
  meanA,
  meanB,
  pValue,
  adjustedPValue,
  ...row
}: RunDifference): Reply {
  const { value, lower, upper, n, confidence, method } = difference;
  return {
    meanA: round(meanA),
    meanB: round(meanB),
    value: round(value),
    lower: round(lower),
    upper: round(upper),
    n,
    confidence,
    method,
    pValue: round(pValue),
    adjustedPValue: round(adjustedPValue),
    finding: row.finding,
    ...(row.sensitivity !== null && { couldShow: round(row.sensitivity.detectable) }),
  };
}

function shortly({ measure, name, unit, difference, finding }: RunDifference): Reply {
  return {
    measure,
    name: nameOf('dataset', name),
    ...(unit !== undefined && { unit: idOf(unit) }),
    value: round(difference.value),
    lower: round(difference.lower),
    upper: round(difference.upper),
    n: difference.n,
    finding,
  };
}

function round(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(5));
}

function describeMissing({ pairing, notMeasured }: PairComparison): Reply {
  const { pairs, onlyA, onlyB, edited } = pairing;
  const lists = { onlyA, onlyB, edited, notMeasuredInA: notMeasured.inA, notMeasuredInB: notMeasured.inB };
  const some = Object.entries(lists)
    .filter(([, { count }]) => count > 0)
    .map(([why, { count, ids }]) => [why, { count, ids: ids.slice(0, 10).map(idOf) }]);
  return { pairs, ...Object.fromEntries(some) };
}

function notesOn({ notices, targetChanges = [] }: PairComparison): Reply {
  return {
    ...(notices.length > 0 && {
      notices: notices
        .slice(0, most.notices)
        .map(({ kind, message }) => ({ kind, says: quote('file', message, 200) })),
    }),
    ...(targetChanges.length > 0 && {
      changes: targetChanges.slice(0, most.notices).map(({ setting, a, b }) => ({
        setting: nameOf('file', setting),
        ...(a !== null && { a: quote('file', a, 100) }),
        ...(b !== null && { b: quote('file', b, 100) }),
      })),
    }),
  };
}
