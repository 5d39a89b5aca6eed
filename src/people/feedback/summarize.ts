import type { Feedback } from '../../core/schema/feedback/feedback.ts';
import type { Interval } from '../../core/stats/interval.ts';
import { wilsonInterval } from '../../core/stats/proportion-interval.ts';
import type { FeedbackCounts } from '../../stores/feedback/feedback-records.ts';
import { type PeriodLength, type RatedAnswer, type UserRecord, periodOf } from './rated-answers.ts';

/** The feedback about the answers of one period, category or target. */
export interface FeedbackGroup {
  /** The period in which the answers were given; null for all. */
  readonly period: string | null;
  /** Null for all. */
  readonly category: string | null;
  /** Null for all. */
  readonly target: string | null;
  /** The number of answers that users were given. */
  readonly answers: number;
  /** The number of records of feedback about them. */
  readonly records: number;
  /** The share of answers with an opinion: a thumb or stars. */
  readonly responseRate: Interval;
  /** The share of negative ones among the answers with an opinion, of which the last one counts. */
  readonly negative: Interval;
  /**
   * The share of negative opinions of all users lies between these, whatever those think who gave none; null where no answer
   * has an opinion.
   */
  readonly bounds: { readonly lower: number; readonly upper: number } | null;
  /** The number of answers that users edited, and of those after which they asked for a person. */
  readonly edited: number;
  readonly escalated: number;
}

/** The feedback in a store. */
export interface FeedbackSummary {
  readonly counts: FeedbackCounts;
  /** The number of records by signal, unmatched ones included. */
  readonly signals: Readonly<Partial<Record<Feedback['signal'], number>>>;
  /** The number of records that came in more than a day after the reaction, unmatched ones included. */
  readonly late: number;
  /** The number of opinions that a later one about the same answer replaced. */
  readonly replaced: number;
  readonly length: PeriodLength;
  readonly all: FeedbackGroup;
  /** Every category, target and period by itself, then every period and category, in order. */
  readonly categories: readonly FeedbackGroup[];
  readonly targets: readonly FeedbackGroup[];
  readonly periods: readonly FeedbackGroup[];
  readonly groups: readonly FeedbackGroup[];
}

/** The time between a reaction and its receipt from which it counts as late, in milliseconds. */
const lateMs = 24 * 60 * 60 * 1000;

/** Summarizes feedback by period and category. The period is the period of the answer, so that late feedback counts where it belongs. */
export function summarizeFeedback(
  { feedback, answers }: UserRecord,
  { counts, length = 'week' }: { readonly counts: FeedbackCounts; readonly length?: PeriodLength },
): FeedbackSummary {
  const bySignal = Map.groupBy(feedback, (kept) => kept.feedback.signal);
  const periods = split(answers, ({ answeredAt }) => periodOf(answeredAt, length));
  return {
    counts,
    signals: Object.fromEntries(Array.from(bySignal, ([signal, kept]) => [signal, kept.length])),
    late: feedback.filter(
      ({ feedback: { at, receivedAt } }) => Date.parse(receivedAt) - Date.parse(at) > lateMs,
    ).length,
    replaced: answers.reduce((sum, { opinions }) => sum + Math.max(0, opinions - 1), 0),
    length,
    all: describeGroup({}, answers),
    categories: split(answers, ({ category }) => category).map(([category, members]) =>
      describeGroup({ category }, members),
    ),
    targets: split(answers, ({ target }) => target).map(([target, members]) =>
      describeGroup({ target }, members),
    ),
    periods: periods.map(([period, members]) => describeGroup({ period }, members)),
    groups: periods.flatMap(([period, ofPeriod]) =>
      split(ofPeriod, ({ category }) => category).map(([category, members]) =>
        describeGroup({ period, category }, members),
      ),
    ),
  };
}

/** Divides answers by a name, in the order of the names. */
function split(
  answers: readonly RatedAnswer[],
  nameOf: (answer: RatedAnswer) => string,
): [string, RatedAnswer[]][] {
  return [...Map.groupBy(answers, nameOf)].sort(([one], [other]) => (one < other ? -1 : 1));
}

function describeGroup(
  {
    period = null,
    category = null,
    target = null,
  }: Partial<Pick<FeedbackGroup, 'period' | 'category' | 'target'>>,
  answers: readonly RatedAnswer[],
): FeedbackGroup {
  const opinions = answers.flatMap(({ opinion }) => opinion ?? []);
  const responseRate = wilsonInterval({ successes: opinions.length, trials: answers.length });
  const negative = wilsonInterval({
    successes: opinions.filter((opinion) => opinion === 'negative').length,
    trials: opinions.length,
  });
  const having = (signal: Feedback['signal']) =>
    answers.filter(({ signals }) => signals.includes(signal)).length;
  return {
    period,
    category,
    target,
    answers: answers.length,
    records: answers.reduce((sum, { signals }) => sum + signals.length, 0),
    responseRate,
    negative,
    bounds: boundsOf(responseRate.estimate, negative.estimate),
    edited: having('edit'),
    escalated: having('escalated'),
  };
}

/**
 * Returns the bounds of the share d of negative opinions when only the share r of users gave one: all others may think either
 * (C. F. Manski, Partial Identification of Probability Distributions (2003)).
 */
function boundsOf(rate: number | null, negative: number | null): FeedbackGroup['bounds'] {
  if (rate === null || negative === null) return null;
  return { lower: rate * negative, upper: rate * negative + 1 - rate };
}
