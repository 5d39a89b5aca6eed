import { logBeta } from '../beta.ts';
import { binomialProbability } from '../binomial.ts';
import { checkDomain } from '../check-domain.ts';
import { momentsOf } from '../moments.ts';
import { knownValue, unknownValue, type ValueOrReason } from '../value-or-reason.ts';

/** The dependence of the judges of a panel. */
export type PanelDependence = {
  /** The number of judges. */
  readonly judges: number;
  /** The mean Pearson correlation of the errors of two judges, over the pairs of judges whose errors vary. */
  readonly correlation: ValueOrReason;
  /** The number of independent judges that would say as much, at most the number of judges. */
  readonly effectiveVotes: ValueOrReason;
};

/**
 * Measures how far the judges of a panel make the same errors, on items whose truth is known. Judges of one family are
 * often wrong together: nine of them can be worth two votes.
 *
 * Method: ρ is the mean correlation of the errors of all pairs; effective votes k / (1 + (k − 1) ρ) (L. Kish's design
 * effect, Survey Sampling, 1965), with ρ of at least 0.
 *
 * @throws RangeError when the judges have different numbers of items.
 */
export function panelDependence({
  errors,
}: {
  /** One list for each judge: whether its verdict on an item was wrong, with the same item at the same position. */
  readonly errors: readonly (readonly boolean[])[];
}): PanelDependence {
  const judges = errors.length;
  const n = errors[0]?.length ?? 0;
  for (const [place, list] of errors.entries()) {
    checkDomain(list.length === n, `the number of items of judge ${place + 1}`, list.length, `${n}`);
  }
  const lists = errors.map((list) => list.map(Number));
  const correlations = lists.flatMap((a, place) =>
    lists.slice(place + 1).flatMap((b) => {
      const correlation = correlationOf(a, b);
      return correlation === null ? [] : [correlation];
    }),
  );
  if (correlations.length === 0) {
    const reason = judges < 2 ? 'fewer than two judges' : 'no two judges have errors that vary';
    return { judges, correlation: unknownValue(reason, n), effectiveVotes: unknownValue(reason, n) };
  }
  const { mean } = momentsOf(correlations);
  const effectiveVotes = knownValue(countEffectiveVotes({ judges, correlation: Math.max(0, mean) }), n);
  return { judges, correlation: knownValue(mean, n), effectiveVotes };
}

/** A panel of judges with a common correlation of their errors. */
export type PanelShape = {
  /** The number of judges, a whole number above 0. */
  readonly judges: number;
  /** The correlation of the errors of any two judges, from 0 to 1. */
  readonly correlation: number;
};

/**
 * Returns the number of independent judges that say as much as a panel.
 *
 * Method: k / (1 + (k − 1) ρ).
 *
 * @throws RangeError unless the number of judges is whole and above 0 and the correlation is from 0 to 1.
 */
export function countEffectiveVotes({ judges, correlation }: PanelShape): number {
  checkPanel({ judges, correlation });
  return judges / (1 + (judges - 1) * correlation);
}

/**
 * Returns the chance that the majority of a panel is right, when each judge is right with the same chance. Half of an
 * even panel counts as half right.
 *
 * Method: the number of right verdicts is beta-binomial, with the mean accuracy and the intraclass correlation ρ:
 * Beta(a (1 − ρ) / ρ, (1 − a)(1 − ρ) / ρ); binomial for ρ = 0.
 *
 * @throws RangeError unless the number of judges is whole and above 0, the correlation is from 0 to 1, and the accuracy
 * is strictly between 0 and 1.
 */
export function majorityAccuracy({
  judges,
  correlation,
  accuracy,
}: PanelShape & { readonly accuracy: number }): number {
  checkPanel({ judges, correlation });
  checkDomain(accuracy > 0 && accuracy < 1, 'accuracy', accuracy, 'between 0 and 1, both excluded');
  if (correlation === 1) return accuracy;
  let chance = 0;
  for (let right = Math.ceil(judges / 2); right <= judges; right += 1) {
    const weight = 2 * right === judges ? 0.5 : 1;
    chance += weight * chanceOfRight({ judges, correlation, accuracy, right });
  }
  return Math.min(1, chance);
}

type RightVerdicts = PanelShape & { readonly accuracy: number; readonly right: number };

function chanceOfRight({ judges, correlation, accuracy, right }: RightVerdicts): number {
  if (correlation === 0) return binomialProbability({ successes: right, trials: judges, p: accuracy });
  const scale = (1 - correlation) / correlation;
  const [a, b] = [accuracy * scale, (1 - accuracy) * scale];
  const logWays = -Math.log(judges + 1) - logBeta({ a: right + 1, b: judges - right + 1 });
  return Math.exp(logWays + logBeta({ a: right + a, b: judges - right + b }) - logBeta({ a, b }));
}

function checkPanel({ judges, correlation }: PanelShape): void {
  checkDomain(Number.isSafeInteger(judges) && judges > 0, 'judges', judges, 'a whole number above 0');
  checkDomain(correlation >= 0 && correlation <= 1, 'correlation', correlation, 'from 0 to 1');
}

/** Returns Pearson's correlation of two lists of equal length; null when one of them does not vary. */
function correlationOf(a: readonly number[], b: readonly number[]): number | null {
  const [ofA, ofB] = [momentsOf(a), momentsOf(b)];
  if (ofA.squares === 0 || ofB.squares === 0) return null;
  const products = a.reduce((sum, x, place) => sum + (x - ofA.mean) * ((b[place] as number) - ofB.mean), 0);
  return products / Math.sqrt(ofA.squares * ofB.squares);
}
