import { z } from 'zod';
import { compare } from '../../../library/api/compare.ts';
import type { PairComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, nameOf, quote } from '../quote.ts';
import { defineTool, runInput } from '../tool.ts';

const most = { ids: 20, differences: 20, pairs: 6, notices: 8, flips: 500 } as const;

/** `compare_runs`: whether one run is better than another, and how sure that is. */
export const compareRuns = defineTool({
  name: 'compare_runs',
  description:
    'Whether run b is better than run a, paired by question: the decision in a word, the difference with interval and method, won and lost questions, and what was not compared and why. Not-enough-data and no-visible-difference are results.',
  input: z.strictObject({
    a: runInput,
    b: runInput,
    targetA: z.string().max(500).optional(),
    targetB: z.string().max(500).optional(),
    metric: z
      .string()
      .max(200)
      .optional()
      .describe('Only the difference of this metric beside the decision.'),
  }),
  output: ['comparisons'],
  limit: 10_000,
  call: async ({ a, b, targetA, targetB = targetA, metric }, call) => {
    const targets = targetA === undefined || targetB === undefined ? undefined : [{ a: targetA, b: targetB }];
    const choice = await call.project.store();
    const { comparisons } = await compare([a, b], { ...choice, targets, flips: most.flips });
    if (metric !== undefined && comparisons.every((one) => metricsOf(one, metric).length === 0))
      throw new OwnError(
        'usage-invalid',
        'Neither run has measured this metric.',
        'show_run lists the metrics of a run.',
      );
    return { comparisons: comparisons.slice(0, most.pairs).map((one) => describe(one, metric)) };
  },
});

function describe(comparison: PairComparison, metric: string | undefined): Reply {
  const { a, b, verdict, differences, flips, flipsToBetter, flipsToWorse, passedInBoth, failedInBoth } =
    comparison;
  const [first, ...others] = differences;
  const ids = (change: 'better' | 'worse') =>
    flips
      .filter((flip) => flip.change === change)
      .slice(0, most.ids)
      .map(({ caseId }) => idOf(caseId));
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
