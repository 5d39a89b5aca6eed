import type { OutcomeRule } from '../../schema/scorecard-result.ts';
import { tolerance } from '../grades.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import type { Mark } from './read-marks.ts';
import type { ScoreRange } from './score-range.ts';

/** Which outcomes a trial can have, as places in the list of rules; both the same when it is known. */
export interface OutcomeRange {
  /** Were all that was not measured well. */
  readonly best: number;
  /** Were all that was not measured bad. */
  readonly worst: number;
}

/**
 * The outcomes between which the outcome of a trial lies. Whatever else turns out well can only raise the score, meet a
 * condition or lift a cap, and so never leads to a later rule: when the worst and the best case have the same outcome,
 * so has every case between them.
 */
export function findOutcomes(
  marks: readonly Mark[],
  { lower, upper }: Pick<ScoreRange, 'lower' | 'upper'>,
  outcomes: OutcomeRules,
): OutcomeRange {
  const placeIf = (unknown: boolean, score: number): number => {
    const missed = missedNames(marks, unknown);
    const barred = barredOutcomes(marks, missed, outcomes);
    return outcomes.rules.findIndex(
      (rule) => isReached(rule, score) && !missed.has(rule.when ?? '') && !barred.has(rule.outcome),
    );
  };
  return { best: placeIf(true, upper), worst: placeIf(false, lower) };
}

/** Whether a score is enough for an outcome, within a tolerance of 1e-9. */
export function isReached({ from, above }: OutcomeRule, score: number): boolean {
  return score >= from - tolerance && (above === undefined || score > above + tolerance);
}

/** The criteria that are not met. One that does not apply stands in no one's way. */
function missedNames(marks: readonly Mark[], unknown: boolean): Set<string> {
  const missed = marks.filter(({ truth, isMet }) => truth !== 'not-applicable' && !(isMet ?? unknown));
  return new Set(missed.map(({ criterion }) => criterion.name));
}

/** The outcomes that a trial cannot have, whatever its score, without these criteria. */
function barredOutcomes(
  marks: readonly Mark[],
  missed: ReadonlySet<string>,
  outcomes: OutcomeRules,
): Set<string> {
  return new Set(
    marks
      .filter(({ criterion }) => missed.has(criterion.name))
      .flatMap(({ criterion }) => barredBy(criterion, outcomes)),
  );
}

/** The outcomes that a criterion bars when it is not met: those that pass, those better than its cap. */
export function barredBy(
  { required, caps }: Pick<Mark['criterion'], 'required' | 'caps'>,
  { rules, passes }: OutcomeRules,
): string[] {
  const names = rules.map(({ outcome }) => outcome);
  return [...(required ? passes : []), ...(caps === undefined ? [] : names.slice(0, names.indexOf(caps)))];
}

/** Whether a trial with one of these outcomes passes; null when some pass and others do not. */
export function passesWith({ best, worst }: OutcomeRange, { rules, passes }: OutcomeRules): boolean | null {
  const possible = rules.slice(best, worst + 1).map(({ outcome }) => passes.includes(outcome));
  if (possible.every(Boolean)) return true;
  return possible.some(Boolean) ? null : false;
}
