import type { GateOutcome } from '../../../core/schema/decision.ts';
import type { RuleState, ScoresOfDay, WatchChange } from '../../../core/schema/watch/watch-record.ts';
import type { WatchRule } from '../../../core/schema/watch/watch-setting.ts';
import { formatShare } from '../../../decide/gate/phrases.ts';
import { boundedMeanInterval } from '../../../core/stats/means/bounded-mean.ts';

/** The findings of a watch about a rule on a day. */
export interface RuleReport {
  readonly name: string;
  readonly outcome: GateOutcome;
  /** The change of its state on this day; null without one. */
  readonly change: WatchChange | null;
  /** The mean of the measured answers, from 0 to 1, with its 95 % interval; null when nothing was measured. */
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** The share as people would give it, by the certificate of the judge; null without one. */
  readonly corrected: number | null;
  readonly measured: number;
  readonly missing: number;
  /** The evidence for an alarm or, while one lasts, for a recovery, and the evidence that suffices. */
  readonly evidence: number;
  readonly limit: number;
  /** The number of days on which the evidence rests. */
  readonly days: number;
  readonly alarmSince: string | null;
  /** The finding as a sentence. */
  readonly sentence: string;
  /** The advice on the judge behind it; null without one. */
  readonly advice: string | null;
}

/** A day of a watch. */
export interface WatchReport {
  readonly watch: string;
  readonly day: string;
  /** The id of the run that scored the answers; null when there were none. */
  readonly run: string | null;
  readonly outcome: GateOutcome;
  readonly frame: number;
  readonly drawn: number;
  readonly rules: readonly RuleReport[];
  /** Metrics that need expectations, which live traces do not have. */
  readonly notApplicable: readonly string[];
  /** Warnings about messages that were not delivered. */
  readonly warnings: readonly string[];
}

/** The parts of a sentence about a rule. */
export interface SentenceParts {
  readonly name: string;
  readonly rule: WatchRule;
  readonly state: RuleState;
  readonly change: WatchChange | null;
  readonly scores: ScoresOfDay;
  readonly days: number;
  readonly limit: number;
  readonly day: string;
  readonly corrected: number | undefined;
  /** The reason why an alarm waits, or why nothing is measured. */
  readonly reason: string | undefined;
}

/** Returns the mean of a day as the rule is written, with its 95 % interval; null when nothing was measured. */
export function meanOfDay(
  rule: WatchRule,
  { scores }: ScoresOfDay,
): { readonly value: number; readonly lower: number; readonly upper: number } | null {
  const isTurned = rule.type === 'metric' && rule.atMost !== undefined;
  const { estimate, lower, upper } = boundedMeanInterval({ values: scores, range: [0, 1] });
  if (scores.length === 0 || estimate === null || lower === null || upper === null) return null;
  return isTurned
    ? { value: 1 - estimate, lower: 1 - upper, upper: 1 - lower }
    : { value: estimate, lower, upper };
}

/** Says what a watch found of a rule, such as `helps below 90 %: 84.0 % [78.3, 88.4] on 2026-11-28 …`. */
export function describeRule(parts: SentenceParts): string {
  const { name, rule, state, scores, day, days, limit, corrected, reason } = parts;
  const mean = meanOfDay(rule, scores);
  if (state.unmeasuredSince !== null || mean === null) {
    const all = scores.scores.length + scores.missing;
    const why = reason ?? `${scores.missing} of ${all} answers have no score`;
    return `${name} not measured on ${day}: ${why}`;
  }
  const share = (value: number) => formatShare(value).replace(' %', '');
  const people = corrected === undefined ? '' : `; people would say ${formatShare(corrected)}`;
  const numbers = `${formatShare(mean.value)} [${share(mean.lower)}, ${share(mean.upper)}] of ${scores.scores.length} on ${day}${people}`;
  const size = Number(state.evidence.toPrecision(3));
  const evidence = `evidence ${size} of ${limit} in ${days} ${days === 1 ? 'day' : 'days'}`;
  return describeState(parts, { numbers, evidence });
}

function describeState(
  { name, rule, state, change, limit, reason }: SentenceParts,
  { numbers, evidence }: { readonly numbers: string; readonly evidence: string },
): string {
  const isTurned = rule.type === 'metric' && rule.atMost !== undefined;
  const asked = isTurned ? rule.atMost : rule.atLeast;
  const [bad, good] = isTurned ? ['above', 'at most'] : ['below', 'at least'];
  if (change === 'fail') return `${name} ${bad} ${asked} %: ${numbers}; ${evidence}`;
  if (change === 'recovered' && state.evidence >= limit)
    return `${name} again ${good} ${asked} %: ${numbers}; ${evidence}`;
  if (change === 'recovered') return `${name} measured again: ${numbers}`;
  if (state.alarmSince !== null)
    return `${name} ${bad} ${asked} % since ${state.alarmSince}: ${numbers}; ${evidence} that it is over`;
  const waiting = reason === undefined ? '' : `; the alarm waits: ${reason}`;
  return `${name}: ${numbers}; ${evidence} that it is ${bad} ${asked} %${waiting}`;
}
