import { checkDomain } from '../check-domain.ts';

/** What is bet on, and against which mean. */
export type BettingMixtureOptions = {
  /** The bets are that the true mean lies above this. */
  readonly mean: number;
  /**
   * How many values there are in all, where the mean is that of these values alone and they are seen in random order;
   * not given, the values are independent and the mean is that of whatever they come from.
   */
  readonly population?: number | undefined;
};

/** Evidence that grows with every value, and may be looked at after each. */
export type BettingMixture = {
  /** @throws RangeError for a value outside [0, 1], or one more than there are. */
  add(value: number): void;
  /** What fair bets have made of 1: Infinity once the values to come cannot change it. At the top it is cut at 1e300. */
  evidence(): number;
};

/** Shares of what could be bet without a debt: large ones for clear cases, small ones for close ones. */
const shares = [1, 0.75, 0.5, 0.35, 0.25, 0.175, 0.125, 0.0875, 0.06, 0.03, 0.01];
/** More of the first: it is the one by which clear cases are decided. */
const weights = shares.map((_, place) => (place === 0 ? 0.2 : 0.08));
const most = 1e300;
const tolerance = 1e-10;

/**
 * Evidence that the mean of values in [0, 1] lies above a given one, without any other assumption: were it not so, the
 * evidence would reach 1 / α with chance α at most, at whichever look (Ville 1939).
 *
 * Method: a mixture of constant bets, each a share of the greatest possible one: the weighted mean over shares c of
 * ∏ (1 − c + c xₜ / mₜ), by I. Waudby-Smith & A. Ramdas, "Estimating means of bounded random variables by betting",
 * Journal of the Royal Statistical Society B 86 (2024): mₜ is the mean, or, of a finite population, what the mean of the
 * values to come would be (section 5).
 */
export function createBettingMixture({ mean, population }: BettingMixtureOptions): BettingMixture {
  const fortunes = new Float64Array(shares.length).fill(1);
  let seen = 0;
  let sum = 0;
  /** What is still to come if the mean is as supposed. */
  const owed = () => (population === undefined ? mean : population * mean - sum);
  const isImpossible = () => owed() < -tolerance * (population ?? 1);

  return {
    add: (value) => {
      const left = population === undefined ? 1 : population - seen;
      checkDomain(value >= 0 && value <= 1, 'value', value, 'from 0 to 1');
      checkDomain(left > 0, 'values', seen + 1, 'no more than the population');
      const expected = owed() / left;
      // Nothing is expected any more: a bet could neither be lost nor be priced.
      const gain = expected > 0 ? value / expected - 1 : 0;
      for (let place = 0; place < shares.length; place += 1) {
        const fortune = (fortunes[place] as number) * (1 + (shares[place] as number) * gain);
        fortunes[place] = fortune > most ? most : fortune;
      }
      seen += 1;
      sum += value;
    },
    evidence: () => {
      if (isImpossible()) return Infinity;
      return fortunes.reduce((total, fortune, place) => total + fortune * (weights[place] as number), 0);
    },
  };
}
