import { refuseFailedOnly } from '../../decide/analysis/summary/check-totals.ts';
import { certainOutcomes } from '../../decide/analysis/attempts.ts';
import { planMargin } from '../../decide/analysis/plan-margin.ts';
import {
  detectableDifference,
  measureSpread,
  planSize,
  type RunSize,
  type SizeQuestion,
} from '../../decide/analysis/plan-size.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { SizePlan } from '../../core/schema/api/comparison/size-plan.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** A planned comparison: the difference to detect or the loss to rule out, and the targets that it is about. */
export interface PlanQuery extends Pick<SizeQuestion, 'power'> {
  /** The difference to detect, in [0, 1], 5 points by default; with a margin, the true one, 0 by default. */
  readonly difference?: number;
  /** The loss to rule out, in (0, 1): plans for a gate, in place of a difference to detect. */
  readonly margin?: number;
  /** With a margin, the share of pairs that differ, from 0 to 1; measured in the run by default. */
  readonly discordance?: number;
  /** True to refuse a run in which no two questions share a cluster. */
  readonly cluster?: boolean;
  /** At most two names; the first two targets of the run, or its only one, by default. */
  readonly targets?: readonly string[];
}

/** The confidence of the tests that are planned. */
const confidence = 0.95;

/**
 * Computes how many questions and attempts it takes to detect a difference, from the spread of the scores in a stored run.
 * Throws `usage-invalid` for unknown targets, and for a run that is not enough to plan from.
 */
export async function planFrom(
  run: Run,
  store: Store,
  { targets, cluster, margin, discordance, ...query }: PlanQuery,
): Promise<SizePlan> {
  refuseFailedOnly(run, 'be planned from');
  const { power } = query;
  const chosen = chooseTargets(run, targets);
  const measured = await measureSpread(chosen, certainOutcomes(run, store.readOutcomes(run.id)));
  if (measured === undefined) throw tooLittle(run, 'fewer than two of its questions have a score');
  const { betweenVariance, withinVariance, clusters } = measured.spread;
  if (cluster === true && clusters === undefined)
    throw new TouchstoneError('usage-invalid', `In run ${run.id} no question has a cluster.`, {
      remedy: 'Give questions of one document the same `cluster`, or leave `--cluster` out.',
    });
  if (margin !== undefined) {
    const asked = { ...checkMargin({ margin, discordance, ...query }), power, confidence };
    return planMargin(asked, { run, targets: chosen, measured });
  }
  if (betweenVariance + (withinVariance ?? 0) === 0) throw tooLittle(run, 'its scores are all alike');
  const { difference = 0.05 } = query;
  return planSize(run, chosen, measured, { difference, power, confidence });
}

/**
 * Plans a gate from a stated share of pairs that differ, without a run. Throws `usage-invalid` for a difference that such pairs
 * cannot have.
 */
export function planFromDiscordance(query: PlanQuery & { readonly margin: number }): SizePlan {
  const { power } = query;
  return planMargin({ ...checkMargin(query), power, confidence }, undefined);
}

function checkMargin({
  margin,
  discordance,
  difference = 0,
}: Pick<PlanQuery, 'discordance' | 'difference'> & { readonly margin: number }) {
  const fail = (message: string, remedy: string) => new TouchstoneError('usage-invalid', message, { remedy });
  if (!(margin > 0 && margin < 1))
    throw fail('A loss of 0 points cannot be ruled out.', 'Name the largest acceptable loss: `--margin 5`.');
  if (margin + difference <= 0)
    throw fail(
      'A true loss of the margin or more cannot be ruled out.',
      'Leave `--difference` out, or name a gain.',
    );
  if (discordance !== undefined && Math.abs(difference) > discordance)
    throw fail(
      'Pairs cannot differ by more on average than there are pairs that differ.',
      'Raise `--discordance`, or lower `--difference`.',
    );
  return { margin, discordance, difference };
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
