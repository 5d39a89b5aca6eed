import {
  compareLabels,
  isAnswer,
  type LabelMark,
  type LabelOutcome,
  labelsInForce,
  type LabelValue,
} from '../../core/schema/review/label.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';

/** The way in which the labels of an item were settled. */
export type SettledBy = 'one' | 'agreement' | 'majority' | 'median' | 'adjudication';

/** The outcome that the labels of one subject by one rubric have together. A dispute is not measured, never a mean. */
export type Settlement =
  | {
      readonly status: 'settled';
      /** The value; null for "not applicable". */
      readonly value: LabelValue | null;
      readonly by: SettledBy;
      /** The ids of the labels that decided it. */
      readonly labels: readonly string[];
      /** True when each of these labels was given without sight of the judge's verdict, the score and other labels. */
      readonly isBlind: boolean;
    }
  | { readonly status: 'disputed'; readonly labels: readonly string[] }
  /** Fewer people than wanted have answered. */
  | { readonly status: 'open'; readonly answers: number; readonly wanted: number };

/** The rules by which labels are settled. */
export interface SettleRules extends Pick<Rubric, 'scale' | 'settle'> {
  /** The number of people who label the subject. */
  readonly wanted: number;
  /** True to use only what was said before anything was shown, as for judging a judge: corrections do not count then. */
  readonly isBlindOnly?: boolean;
}

/**
 * Settles the labels of one subject by one rubric: an adjudication decides; else the people agree; else, where the rubric says
 * so and three or more people answered, the majority, or the median of an ordinal scale. Otherwise the subject is
 * disputed. Repeats and controls do not count. The order of the labels does not matter.
 */
export function settle(labels: readonly LabelMark[], rules: SettleRules): Settlement {
  const counted = rules.isBlindOnly === true ? labels.filter(isBlindOrWithdrawal) : labels;
  const answers = labelsInForce(counted).filter(isAnswer).toSorted(compareLabels);
  const decision = answers.findLast(({ kind }) => kind === 'adjudication');
  if (decision !== undefined) return settled([decision], decision, 'adjudication');
  const latest = lastOfEach(answers.filter(({ purpose }) => purpose === 'new'));
  const [first] = latest;
  if (first === undefined || latest.length < rules.wanted)
    return { status: 'open', answers: latest.length, wanted: rules.wanted };
  if (latest.every((label) => isSame(label, first)))
    return settled(latest, first, latest.length === 1 ? 'one' : 'agreement');
  return settleByMost(latest, rules) ?? { status: 'disputed', labels: latest.map(({ id }) => id) };
}

/** A label that was withdrawn, by mistake or not, never counts. */
function isBlindOrWithdrawal({ isBlind, outcome }: LabelMark): boolean {
  return isBlind || outcome.status === 'withdrawn';
}

/** Returns the last label of each person. */
function lastOfEach(labels: readonly LabelMark[]): LabelMark[] {
  return [...new Map(labels.map((label) => [label.person, label])).values()];
}

function settleByMost(
  labels: readonly LabelMark[],
  { scale, settle: rule }: SettleRules,
): Settlement | undefined {
  if (rule !== 'majority' || labels.length < 3 || scale.type === 'text') return undefined;
  const isOrdinal = scale.type === 'ordinal' && labels.every(({ outcome }) => outcome.status === 'answered');
  return isOrdinal ? settleByMedian(labels) : settleByMajority(labels);
}

/** Returns the value that more than half of the people gave; undefined when there is none. */
function settleByMajority(labels: readonly LabelMark[]): Settlement | undefined {
  for (const label of labels) {
    const alike = labels.filter((other) => isSame(other, label));
    if (alike.length * 2 > labels.length) return settled(alike, label, 'majority');
  }
  return undefined;
}

/** Returns the middle point; undefined when the two in the middle of an even number differ, since no label lies between. */
function settleByMedian(labels: readonly LabelMark[]): Settlement | undefined {
  const sorted = labels.toSorted((one, other) => pointOf(one) - pointOf(other));
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined || !isSame(low, high)) return undefined;
  return settled(labels, low, 'median');
}

function pointOf({ outcome }: LabelMark): number {
  return outcome.status === 'answered' ? Number(outcome.value) : Number.NaN;
}

/** Returns whether two labels give the same answer. */
export function isSame(one: Pick<LabelMark, 'outcome'>, other: Pick<LabelMark, 'outcome'>): boolean {
  return one.outcome.status === other.outcome.status && valueOf(one.outcome) === valueOf(other.outcome);
}

function valueOf(outcome: LabelOutcome): LabelValue | null {
  return outcome.status === 'answered' ? outcome.value : null;
}

function settled(labels: readonly LabelMark[], { outcome }: LabelMark, by: SettledBy): Settlement {
  const isBlind = labels.every((label) => label.isBlind);
  return { status: 'settled', value: valueOf(outcome), by, labels: labels.map(({ id }) => id), isBlind };
}
