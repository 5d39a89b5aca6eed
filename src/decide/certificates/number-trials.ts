import type { Outcome } from '../../core/schema/result.ts';
import type { JudgedUnit } from '../../core/stats/judges/misclassified-mean.ts';
import type { JudgeErrors } from './judge-errors.ts';
import type { JudgedTrial, PeopleVerdict } from './judged-trials.ts';

/** A judge of some trials, with its error rates on them and what people said of some of them. */
export interface TrialJudge {
  /** The bit of its verdict. */
  readonly bit: number;
  readonly errors: Extract<JudgeErrors, { status: 'known' }>;
  /** The verdicts of people, by the keys of the trials; undefined where that is not known for these very answers. */
  readonly people: ReadonlyMap<string, PeopleVerdict> | undefined;
}

/** The trials that are numbered, and by what. */
export interface NumberScope {
  readonly trials: readonly JudgedTrial[];
  /** The judges on whose verdicts the number depends. */
  readonly judges: readonly TrialJudge[];
  /** Reads the number of an outcome; undefined when it has none. */
  readonly read: (outcome: Outcome) => number | undefined;
}

/** A trial with its numbers, as the judges say and for each set of verdicts of the judges in question. */
export interface NumberedTrial {
  readonly trial: JudgedTrial;
  readonly number: number;
  readonly values: readonly number[];
  /** The verdicts of the judges in question. */
  readonly said: number;
  /** The share of its case, so that the shares of a case add up to 1. */
  readonly share: number;
  readonly group: string;
}

/** Returns the numbers of trials; the reason when a trial has a number by some verdicts and none by others. */
export function numberTrials({
  trials,
  judges,
  read,
}: NumberScope): NumberedTrial[] | { readonly reason: string } {
  const found: Omit<NumberedTrial, 'share'>[] = [];
  for (const trial of trials) {
    const number = read(trial.outcome);
    if (number === undefined) continue;
    const values = Array.from({ length: 1 << judges.length }, (_, place) => {
      const variant = trial.variants[variantAt(trial.said, judges, place)];
      return variant === undefined ? undefined : read(variant);
    });
    const known = values.filter((value) => value !== undefined);
    if (known.length < values.length)
      return { reason: 'some answers would have no number by other verdicts of the judge' };
    const said = judges.reduce((sum, { bit }, place) => sum + (((trial.said >> bit) & 1) << place), 0);
    const { cluster } = trial.outcome.case;
    const group = cluster === undefined ? `#${trial.position}` : `=${cluster}`;
    found.push({ trial, number, values: known, said, group });
  }
  const weights = new Map<number, number>();
  for (const { trial } of found)
    weights.set(trial.position, (weights.get(trial.position) ?? 0) + (trial.outcome.weight ?? 1));
  return found.map((each) => {
    const whole = weights.get(each.trial.position) ?? 1;
    return { ...each, share: whole === 0 ? 0 : (each.trial.outcome.weight ?? 1) / whole };
  });
}

function variantAt(said: number, judges: readonly TrialJudge[], place: number): number {
  return judges.reduce((bits, { bit }, at) => {
    const isYes = ((place >> at) & 1) === 1;
    return isYes ? bits | (1 << bit) : bits & ~(1 << bit);
  }, said);
}

/** Returns a unit of a corrected mean. */
export function toUnit(
  { values, said, share, group }: NumberedTrial,
  sign: 1 | -1,
  judges: readonly number[],
): JudgedUnit {
  return { values, said, weight: sign * share, judges, group };
}
