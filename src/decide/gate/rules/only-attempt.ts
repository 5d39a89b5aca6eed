import type { Baseline, BaselineTarget } from '../../../core/schema/decision.ts';
import { describeRepeats, isShownDeterministic } from '../../analysis/hash-answer.ts';
import type { CaseNumber } from '../case-numbers.ts';
import type { GateEvidence } from '../gate-rule.ts';
import type { BaselinePair } from './pair-with-baseline.ts';

/** A run and the baseline that it is compared with. */
interface BothRuns {
  readonly evidence: Pick<GateEvidence, 'run' | 'target' | 'answers'>;
  readonly baseline: Baseline;
  /** The target of the baseline. */
  readonly before: BaselineTarget;
}

/** A pair with what is known of its attempts in the run. */
type AttemptedPair = BaselinePair & { readonly number: Pick<CaseNumber, 'notNeeded'> };

/** Why the noise of attempts is not known. */
export interface OnlyAttempt {
  /** True when there is none. */
  readonly isCertain: boolean;
  /** True when every answer is the same as before. */
  readonly isSame?: boolean;
  readonly reason: string;
}

/** The side of a comparison that another attempt would not change: its answers are recorded, or its target is known to be deterministic. */
interface FixedSides {
  readonly before: boolean;
  readonly now: boolean;
}

/** Returns which sides have one attempt that says as much as many. */
export function findFixedSides({
  evidence: { run, target, answers },
  baseline,
  before,
}: BothRuns): FixedSides {
  const record = run.targets.find(({ name }) => name === target);
  const repeats = record?.isDeterministic === true ? answers?.repeats : undefined;
  return {
    before:
      baseline.run.attempts === 1 && (before.isRecorded === true || isShownDeterministic(before.repeats)),
    now: run.attempts === 1 && (record?.isRecorded === true || isShownDeterministic(repeats)),
  };
}

/**
 * Returns why the noise of attempts is not known: there is one, or some were skipped. There is none in recorded answers, in
 * answers of targets that are known to be deterministic, and in answers that are all the same as before.
 */
export function findOnlyAttempt(both: BothRuns, pairs: readonly AttemptedPair[]): OnlyAttempt | undefined {
  const {
    evidence: { run, answers },
    baseline,
  } = both;
  const isSame = ({ each, earlier }: AttemptedPair) =>
    earlier.answer !== undefined && earlier.answer === answers?.hashes.get(each.position);
  if (run.attempts === 1 && pairs.every(isSame))
    return { isCertain: true, isSame: true, reason: 'every answer is the same as before' };
  const fixed = findFixedSides(both);
  const isOpen = (run.attempts === 1 && !fixed.now) || (baseline.run.attempts === 1 && !fixed.before);
  const once = run.attempts === 1 || baseline.run.attempts === 1 ? explainOnce(both) : undefined;
  if (isOpen || once?.isCertain === true) return once;
  const isUnknown = ({ earlier, before: value }: AttemptedPair) =>
    earlier.spread === undefined && !Number.isNaN(value);
  if (!fixed.before && pairs.some(isUnknown)) {
    const reason = `${baseline.name} does not say how its attempts differ: set it again from a whole run, \`touchstone baseline set ${baseline.name} ${baseline.run.id}\``;
    return { isCertain: false, reason };
  }
  if (pairs.some(({ number }) => number.notNeeded > 0))
    return {
      isCertain: false,
      reason: 'attempts were skipped once a question was decided: `curtail: false`',
    };
  return undefined;
}

/** Explains what one attempt, in the run or in the baseline, says of others. */
function explainOnce({ evidence: { run, target, answers }, baseline, before }: BothRuns): OnlyAttempt {
  const record = run.targets.find(({ name }) => name === target);
  const isRecorded = record?.isRecorded === true;
  if (isRecorded && before.isRecorded === true)
    return { isCertain: true, reason: 'both runs are of recorded answers' };
  const repeats = record?.isDeterministic === true ? answers?.repeats : undefined;
  const isNowKnown = isRecorded || isShownDeterministic(repeats);
  if (isNowKnown && (before.isRecorded === true || isShownDeterministic(before.repeats)))
    return { isCertain: true, reason: 'the bot is deterministic: asked again, it answered the same' };
  return { isCertain: false, reason: explainUnknown(isNowKnown) };

  function explainUnknown(isBaselineAlone: boolean): string {
    if (!isBaselineAlone && repeats !== undefined) return describeRepeats(target, repeats);
    if (!isBaselineAlone && run.attempts === 1) return 'one attempt: `--attempts 3`';
    const how = isBaselineAlone ? 'such a run as this one' : 'a run with `--attempts 3`';
    const has = baseline.run.attempts === 1 ? 'one attempt' : `${baseline.run.attempts} attempts`;
    return `${baseline.name} has ${has}: set it again from ${how}`;
  }
}
