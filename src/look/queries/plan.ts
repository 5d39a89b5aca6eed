import { refuseFailedOnly } from '../../decide/analysis/summary/check-totals.ts';
import { certainOutcomes } from '../../decide/analysis/attempts.ts';
import {
  detectableDifference,
  measureSpread,
  planSize,
  type RunSize,
  type SizeQuestion,
} from '../../decide/analysis/plan-size.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { SizePlan } from '../../core/schema/estimate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** A planned comparison: the difference to detect, and the targets that it is about. */
export interface PlanQuery extends Omit<SizeQuestion, 'confidence'> {
  /** At most two names; the first two targets of the run, or its only one, by default. */
  readonly targets?: readonly string[];
}

/**
 * Computes how many questions and attempts it takes to detect a difference, from the spread of the scores in a stored run.
 * Throws `usage-invalid` for unknown targets, and for a run that is not enough to plan from.
 */
export async function planFrom(
  run: Run,
  store: Store,
  { targets, ...question }: PlanQuery,
): Promise<SizePlan> {
  refuseFailedOnly(run, 'be planned from');
  const chosen = chooseTargets(run, targets);
  const measured = await measureSpread(chosen, certainOutcomes(run, store.readOutcomes(run.id)));
  if (measured === undefined) throw tooLittle(run, 'fewer than two of its questions have a score');
  const { betweenVariance, withinVariance } = measured.spread;
  if (betweenVariance + (withinVariance ?? 0) === 0) throw tooLittle(run, 'its scores are all alike');
  return planSize(run, chosen, measured, { ...question, confidence: 0.95 });
}

/**
 * Returns the smallest gain of a target, in [0, 1], that a run of some questions shows against an earlier one with a chance of 80 %, from
 * the spread of its scores there; null where that run is not enough to say.
 */
export async function smallestGain(
  run: Run,
  store: Store,
  { target, ...size }: Pick<RunSize, 'questions' | 'attempts'> & { readonly target: string },
): Promise<number | null> {
  const measured = await measureSpread([target], certainOutcomes(run, store.readOutcomes(run.id)));
  if (measured === undefined || size.questions < 2) return null;
  const { betweenVariance, withinVariance } = measured.spread;
  if (betweenVariance + (withinVariance ?? 0) === 0) return null;
  return detectableDifference(measured.spread, { ...size, power: 0.8, confidence: 0.95 });
}

/** Returns the names of the targets to compare: those named, else the first two of the run, or its only one. */
function chooseTargets(run: Run, named: readonly string[] = []): string[] {
  const known = withoutConditions(run.targets).map(({ name }) => name);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined || named.length > 2) {
    const message =
      unknown === undefined
        ? 'A plan compares at most two targets.'
        : `Run ${run.id} has no target named "${unknown}".`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return (named.length === 0 ? known : [...named]).slice(0, 2);
}

function tooLittle(run: Run, reason: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `Run ${run.id} is not enough to plan from: ${reason}.`, {
    remedy: 'Name another run, with scores that differ: `touchstone runs` lists them.',
  });
}
