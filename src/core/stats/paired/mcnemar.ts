import { binomialCdf, binomialProbability } from '../binomial.ts';
import { checkDomain } from '../check-domain.ts';

/** Questions on which two bots disagree. */
export type DiscordantCounts = {
  /** The number passed by A only. */
  readonly aOnly: number;
  /** The number passed by B only. */
  readonly bOnly: number;
};

/** The result of McNemar's test of no difference between two bots in pass and fail. */
export type McnemarTest = {
  readonly status: 'defined';
  /** The smaller of the two counts. */
  readonly statistic: number;
  /** The number of discordant questions. */
  readonly n: number;
  /** The mid-p value, which is the one to report. */
  readonly pValue: number;
  readonly midPValue: number;
  /** The exact p-value: never below the true chance, and usually well above it. */
  readonly exactPValue: number;
  readonly method: 'mcnemar-mid-p';
};

/**
 * Tests two bots for a difference in pass and fail on the same questions, two-sided. Only the questions on which they
 * disagree count; without any, p is 1.
 *
 * Method: Q. McNemar, Psychometrika 12 (1947), exact and with the mid-p of Fagerland, Lydersen & Laake, BMC Medical
 * Research Methodology 13:91 (2013).
 *
 * @throws RangeError unless both counts are whole numbers of at least 0.
 */
export function mcnemar({ aOnly, bOnly }: DiscordantCounts): McnemarTest {
  for (const [name, count] of Object.entries({ aOnly, bOnly })) {
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  }
  const n = aOnly + bOnly;
  const statistic = Math.min(aOnly, bOnly);
  const { exactPValue, midPValue } = pValuesOf({ successes: statistic, trials: n, p: 0.5 });
  const method = 'mcnemar-mid-p';
  return { status: 'defined', statistic, n, pValue: midPValue, midPValue, exactPValue, method };
}

/** Questions on which a candidate and an incumbent differ. */
export type WinsAndLosses = {
  /** The number of questions on which the candidate did better. */
  readonly wins: number;
  /** The number of questions on which it did worse. */
  readonly losses: number;
};

/**
 * Returns the exact one-sided p-value of the sign test of no more wins than losses, P(Bin(w + l, ½) ≥ w). Without any
 * question that differs, it is 1.
 *
 * Method: W. J. Dixon & A. M. Mood, "The statistical sign test", Journal of the American Statistical Association 41
 * (1946). There is no mid-p, so that the chance of a p-value of at most a never exceeds a.
 *
 * @throws RangeError unless both counts are whole numbers of at least 0.
 */
export function signTest({ wins, losses }: WinsAndLosses): number {
  for (const [name, count] of Object.entries({ wins, losses })) {
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  }
  if (wins === 0) return 1;
  return binomialCdf({ successes: losses, trials: wins + losses, p: 0.5 });
}

type SmallerCount = { readonly successes: number; readonly trials: number; readonly p: number };

function pValuesOf(smaller: SmallerCount): { exactPValue: number; midPValue: number } {
  if (smaller.trials === 0) return { exactPValue: 1, midPValue: 1 };
  const chance = binomialProbability(smaller);
  if (2 * smaller.successes === smaller.trials) return { exactPValue: 1, midPValue: 1 - chance / 2 };
  const exactPValue = Math.min(1, 2 * binomialCdf(smaller));
  return { exactPValue, midPValue: exactPValue - chance };
}

/** The numbers of questions that both bots, A only, B only or neither passed. */
export type PairedCounts = {
  readonly both: number;
  readonly aOnly: number;
  readonly bOnly: number;
  readonly neither: number;
};

/**
 * Returns the number of questions.
 *
 * @throws RangeError unless all counts are whole numbers of at least 0.
 */
export function countPairs({ both, aOnly, bOnly, neither }: PairedCounts): number {
  for (const [name, count] of Object.entries({ both, aOnly, bOnly, neither })) {
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  }
  return both + aOnly + bOnly + neither;
}
