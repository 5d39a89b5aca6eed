import type { RuleState, ScoresOfDay, WatchChange } from '../../core/schema/watch/watch-record.ts';
import type { WatchRule } from '../../core/schema/watch/watch-setting.ts';
import { restartEvidence } from '../../core/stats/stopping/restart-evidence.ts';

/** The share of a day's answers that may have no score, for the day to count. */
const mostMissing = 0.1;

/** The scores of a rule on a day. */
export interface RuleDay {
  readonly day: string;
  readonly scores: ScoresOfDay;
}

/** The circumstances of the last day of a rule. */
export interface RuleDays {
  readonly rule: WatchRule;
  /** The hash of the rule. */
  readonly hash: string;
  /** The days with scores, in their order, the last one today. */
  readonly days: readonly RuleDay[];
  /** The chance of a false alarm that the rule may have. */
  readonly error: number;
  /** The reason why no alarm may be given now; undefined when one may. */
  readonly waits?: string;
}

/** The state of a rule after a day, and what has changed. */
export interface NextState {
  readonly state: RuleState;
  readonly change: WatchChange | null;
  /** The number of days on which the evidence rests. */
  readonly days: number;
  /** Present when the evidence suffices for an alarm that may not be given yet. */
  readonly isWaiting?: true;
}

/** Returns the state of a rule that was never measured. */
export function firstState(hash: string): RuleState {
  return { rule: hash, after: null, alarmSince: null, unmeasuredSince: null, evidence: 0 };
}

/** Returns whether too few answers of a day have a score. */
function isUnmeasured({ scores, missing }: ScoresOfDay): boolean {
  const all = scores.length + missing;
  return scores.length === 0 || missing > mostMissing * all;
}

/** Returns the share of a rule, from 0 to 1: scores are turned so that it is the least one. */
export function thresholdOf(rule: WatchRule): number {
  return 'atMost' in rule && rule.atMost !== undefined ? 1 - rule.atMost / 100 : (rule.atLeast ?? 0) / 100;
}

/** Returns the state of a rule on a day without any traces. */
export function withoutTraces(before: RuleState, day: string): NextState {
  const { unmeasuredSince } = before;
  return {
    state: { ...before, unmeasuredSince: unmeasuredSince ?? day },
    change: unmeasuredSince === null ? 'not-measured' : null,
    days: 0,
  };
}

/**
 * Returns the state of a rule after a day. Missing scores count at their best for an alarm and at their worst for a recovery; a day
 * on which too many are missing changes no evidence. After an alarm, and after a recovery, the evidence begins again.
 */
export function nextState(given: RuleState, { rule, hash, days, error, waits }: RuleDays): NextState {
  const before = given.rule === hash ? given : firstState(hash);
  const today = days.at(-1);
  if (today === undefined) return { state: before, change: null, days: 0 };
  if (isUnmeasured(today.scores)) return withoutTraces(before, today.day);
  const { after, alarmSince, unmeasuredSince } = before;
  const counted = days.filter(({ day, scores }) => (after === null || day > after) && !isUnmeasured(scores));
  const isAlarmed = alarmSince !== null;
  const evidence = evidenceOf(counted, thresholdOf(rule), isAlarmed);
  const state = { ...before, unmeasuredSince: null, evidence };
  const isReached = evidence >= 1 / error;
  if (!isReached || (waits !== undefined && !isAlarmed)) {
    // After a message that nothing was measured, another says that something is again.
    const isBack = unmeasuredSince !== null;
    const change = isBack ? (isAlarmed ? 'fail' : 'recovered') : null;
    const waiting = isReached && waits !== undefined && !isAlarmed;
    return { state, change, days: counted.length, isWaiting: waiting ? true : undefined };
  }
  return {
    state: { ...state, after: today.day, alarmSince: isAlarmed ? null : today.day },
    change: isAlarmed ? 'recovered' : 'fail',
    days: counted.length,
  };
}

/** Returns the evidence that the mean is below the threshold or, while an alarm lasts, above it. */
function evidenceOf(days: readonly RuleDay[], threshold: number, isAlarmed: boolean): number {
  const scoresOf = ({ scores: { scores, missing } }: RuleDay) => [
    ...scores.map((score) => (isAlarmed ? 1 - score : score)),
    // The best of a score and the worst of a recovery are both 1.
    ...Array.from({ length: missing }, () => 1),
  ];
  return restartEvidence({
    days: days.map((day) => ({ scores: scoresOf(day) })),
    threshold: isAlarmed ? 1 - threshold : threshold,
  }).evidence;
}
