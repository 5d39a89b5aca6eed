import { toEstimate } from '../../../decide/analysis/summary/estimates.ts';
import { type RateDifference, compareRates } from '../../../decide/certificates/treats-alike.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { JudgeRates, PeopleAgreement } from '../../../core/schema/review/certificate.ts';
import { cohensKappa, estimateKappa } from '../../../core/stats/agreement/cohens-kappa.ts';
import { confusionCounts, confusionRates } from '../../../core/stats/agreement/confusion.ts';
import { fleissKappa, gwetsAc1 } from '../../../core/stats/agreement/multi-rater-kappa.ts';
import type { Category } from '../../../core/stats/agreement/rating-table.ts';
import { weightedConfusionRates } from '../../../core/stats/agreement/weighted-confusion.ts';
import { defaultConfidence } from '../../../core/stats/interval.ts';
import { wilsonInterval } from '../../../core/stats/proportion-interval.ts';
import type { LabelledAnswer, Ratings } from '../../../decide/certificates/pair-labels.ts';

/** An answer with the probability that it counts with. */
export type WeightedAnswer = Pick<LabelledAnswer, 'truth' | 'passed' | 'stratum'> & {
  readonly probability: number;
};

/**
 * Returns the error rates of a judge and its agreement with people. Answers that were drawn with unequal probabilities count
 * 1/π, since a table of labels drawn by verdict is far off (Begg & Greenes, Biometrics 39 (1983)); kappa and AC1 have no
 * limits then.
 */
export function judgeRates(answers: readonly WeightedAnswer[], confidence = defaultConfidence): JudgeRates {
  const truth = answers.map((answer) => answer.truth);
  const predicted = answers.map(({ passed }) => passed);
  const isWeighted = new Set(answers.map(({ probability }) => probability)).size > 1;
  const rates = isWeighted
    ? weightedConfusionRates({
        truth,
        predicted,
        probabilities: answers.map(({ probability }) => probability),
        strata: answers.map(({ stratum }) => stratum),
        confidence,
      })
    : confusionRates({ ...confusionCounts({ truth, predicted }), confidence });
  const chance = isWeighted
    ? weightedChance(answers, confidence)
    : {
        kappa: toEstimate(cohensKappa({ a: truth, b: predicted, categories: [true, false], confidence })),
        ac1: toEstimate(
          gwetsAc1({ ratings: answers.map(({ truth: t, passed }) => [t, passed]), confidence }),
        ),
      };
  return {
    truePositiveRate: toEstimate(rates.sensitivity),
    trueNegativeRate: toEstimate(rates.specificity),
    positivePredictiveValue: toEstimate(rates.positivePredictiveValue),
    negativePredictiveValue: toEstimate(rates.negativePredictiveValue),
    agreement: toEstimate(rates.accuracy),
    ...chance,
  };
}

/** Returns kappa and AC1 of the answers that labels were drawn from, without limits. */
function weightedChance(
  answers: readonly WeightedAnswer[],
  confidence: number,
): Pick<JudgeRates, 'kappa' | 'ac1'> {
  const weight = (truth: boolean, passed: boolean) =>
    answers.reduce(
      (sum, each) => sum + (each.truth === truth && each.passed === passed ? 1 / each.probability : 0),
      0,
    );
  const table = [
    [weight(true, true), weight(true, false)],
    [weight(false, true), weight(false, false)],
  ] as const;
  const total = table.flat().reduce((sum, each) => sum + each, 0);
  const { kappa, observed } = estimateKappa(table, total, 'none');
  const yes = (2 * table[0][0] + table[0][1] + table[1][0]) / (2 * total);
  const expected = 2 * yes * (1 - yes);
  const basis = { lower: null, upper: null, n: answers.length, confidence };
  const of = (value: number, method: string): Estimate => {
    if (yes === 0 || yes === 1) return { ...basis, value: null, method, reason: 'all ratings are alike' };
    return { ...basis, value, method, reason: 'the labels were drawn with unequal probabilities' };
  };
  return {
    kappa: of(kappa, 'fleiss-cohen-everitt'),
    ac1: of((observed - expected) / (1 - expected), 'gwet-t'),
  };
}

/** Returns the agreement of people on the items that at least two of them labelled. */
export function peopleAgreement(ratings: readonly Ratings[]): PeopleAgreement {
  const people = [...new Set(ratings.flatMap((row) => [...row.keys()]))].toSorted();
  const rows = ratings.map((row) => people.map((person) => row.get(person) ?? null));
  const pairs = rows.flatMap(pairsOf);
  const same = pairs.filter(([one, other]) => one === other).length;
  const kappa =
    people.length === 2
      ? cohensKappa({ a: rows.map(([one = null]) => one), b: rows.map(([, other = null]) => other) })
      : fleissKappa({ ratings: rows });
  return {
    people: people.length,
    items: rows.length,
    agreement: toEstimate(wilsonInterval({ successes: same, trials: pairs.length })),
    kappa: toEstimate(kappa),
    ac1: toEstimate(gwetsAc1({ ratings: rows })),
  };
}

function pairsOf(row: readonly (Category | null)[]): [Category, Category][] {
  const present = row.filter((rating) => rating !== null);
  return present.flatMap((one, index) =>
    present.slice(index + 1).map((other): [Category, Category] => [one, other]),
  );
}

/** A difference of an error rate of the judge between two targets. */
export interface TargetDifference extends RateDifference {
  readonly rate: 'TPR' | 'TNR';
  readonly targets: readonly [string, string];
}

/** The differences between targets; those with too few labels are named. */
export interface TargetComparison {
  readonly differences: readonly TargetDifference[];
  /** The targets with fewer than `leastOfClass` labels of passes or of fails. */
  readonly short: readonly string[];
}

/** The labels of each kind that a target needs for its error rates to be compared. */
export const leastOfClass = 10;

/**
 * Compares the error rates of the judge between targets: a judge that is more lenient with one of them decides comparisons.
 *
 * Method: z-test of each pair, with standard errors from Wilson's limits, which for labels drawn by verdict are the ones of
 * weighted shares.
 */
export function compareTargets(
  answers: readonly (WeightedAnswer & { readonly target: string })[],
): TargetComparison {
  const groups = [...Map.groupBy(answers, ({ target }) => target)];
  const isShort = (own: readonly WeightedAnswer[]) => {
    const yes = own.filter(({ truth }) => truth).length;
    return Math.min(yes, own.length - yes) < leastOfClass;
  };
  const rated = groups
    .filter(([, own]) => !isShort(own))
    .map(([name, own]) => ({ name, rates: judgeRates(own) }));
  const differences = rated.flatMap((one, index) =>
    rated.slice(index + 1).flatMap((other) => {
      const targets = [one.name, other.name] as const;
      return [
        {
          rate: 'TPR',
          targets,
          ...compareRates(one.rates.truePositiveRate, other.rates.truePositiveRate),
        } as const,
        {
          rate: 'TNR',
          targets,
          ...compareRates(one.rates.trueNegativeRate, other.rates.trueNegativeRate),
        } as const,
      ];
    }),
  );
  return { differences, short: groups.filter(([, own]) => isShort(own)).map(([name]) => name) };
}
