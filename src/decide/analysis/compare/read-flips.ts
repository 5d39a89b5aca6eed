import { listedQuestion, uncategorized } from '../../../core/schema/case.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Flip } from '../../../core/schema/run-comparison.ts';
import type { ComparedRun } from './compared-run.ts';
import type { FlippedCase } from './compare-values.ts';

/** Largest number of metrics listed for one flip. */
const mostMetrics = 6;

/** Reads flipped cases in full. */
export async function readFlips(
  flipped: readonly FlippedCase[],
  { older, newer }: Readonly<Record<'older' | 'newer', ComparedRun>>,
): Promise<Flip[]> {
  const [before, after] = [
    await readAt(
      older,
      flipped.map(({ olderAt }) => olderAt),
    ),
    await readAt(
      newer,
      flipped.map(({ newerAt }) => newerAt),
    ),
  ];
  return flipped.flatMap((flip) => {
    const [a, b] = [before.get(flip.olderAt), after.get(flip.newerAt)];
    return a === undefined || b === undefined ? [] : [toFlip(flip, a, b)];
  });
}

async function readAt(
  { run, store }: ComparedRun,
  ordinals: readonly number[],
): Promise<Map<number, Result>> {
  const results = new Map<number, Result>();
  if (ordinals.length === 0) return results;
  const rising = [...ordinals].sort((one, other) => one - other);
  for await (const result of store.readResults(run.id, rising)) results.set(result.trial.ordinal, result);
  return results;
}

function toFlip({ change, olderShare, newerShare }: FlippedCase, a: Result, b: Result): Flip {
  return {
    change,
    caseId: b.case.id,
    category: b.case.category ?? uncategorized,
    question: listedQuestion(b.case),
    a: sideOf(a, olderShare),
    b: sideOf(b, newerShare),
    metrics: movedMetrics(a, b),
  };
}

function sideOf({ trial, scorecard }: Result, passed: number): Flip['a'] {
  return { passed, total: scorecard?.total ?? null, attempt: trial.attempt, answer: trial.answer };
}

/** Returns the metrics with different values in both, the largest change first. */
function movedMetrics(a: Result, b: Result): Flip['metrics'] {
  const moved = Object.entries(b.verdicts).flatMap(([name, after]): Flip['metrics'] => {
    const before = a.verdicts[name];
    if (before?.status !== 'scored' || after.status !== 'scored' || before.unit !== after.unit) return [];
    if (Math.abs(before.value - after.value) < 1e-9) return [];
    return [{ name, unit: after.unit, a: before.value, b: after.value }];
  });
  return moved
    .filter(({ unit }) => unit === undefined)
    .toSorted((one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a))
    .slice(0, mostMetrics);
}

/** Returns the same flip from the other run's view. */
export function mirroredFlip({ change, a, b, metrics, ...rest }: Flip): Flip {
  return {
    ...rest,
    change: change === 'worse' ? 'better' : 'worse',
    a: b,
    b: a,
    metrics: metrics.map(({ a: before, b: after, ...named }) => ({ ...named, a: after, b: before })),
  };
}
