import { checkConfidence, checkDomain } from '../check-domain.ts';
import type { Label } from '../cluster-interval.ts';
import {
  defaultConfidence,
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from '../interval.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import { normalQuantile } from '../normal.ts';
import { placesByCluster } from '../resampled-limits.ts';

/** Options of {@link lengthControlledWinRate}. */
export type LengthControlOptions = {
  /** The preference for each answer: 1 a win, ½ a tie, 0 a loss, or a probability between. */
  readonly preferences: readonly number[];
  /** The length of each answer minus the length of the other, at the same positions, in any unit. */
  readonly lengthDifferences: readonly number[];
  /** The prompt of each preference, at the same positions, when a prompt has several. */
  readonly clusters?: readonly Label[];
  /** The weight of the squared slope, used only when length separates wins from losses; 1 by default. */
  readonly ridge?: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** The win rate at equal lengths, from 0 to 1, or the reason why there is none. */
export type LengthControlledWinRate = IntervalBasis & {
  /** The win rate as observed; null without preferences. */
  readonly raw: number | null;
  /** The logarithm of the odds of a win that the greatest length adds; null when it is unknown. */
  readonly slope: number | null;
  /** The weight of the squared slope; 0 when the data alone determine it. */
  readonly ridge: number;
  /** A warning for a report, or null. */
  readonly caution: string | null;
} & (DefinedInterval | UndefinedInterval);

/**
 * Returns the win rate that remains when the part of the preference that follows from length is taken away: judges and
 * people prefer longer answers. When length separates wins from losses, the slope has no finite estimate; it is then
 * limited by a ridge, and `caution` says so.
 *
 * Method: Y. Dubois et al., "Length-Controlled AlpacaEval" (2024), without the difficulty of prompts: logit P(win) = b₀ +
 * b₁ tanh(difference / its standard deviation), at difference 0. Interval from the cluster-robust variance of b₀ (CR0),
 * K.-Y. Liang & S. L. Zeger, Biometrika 73 (1986), which also holds for ties and probabilities.
 *
 * @throws RangeError when lists differ in length, a preference is outside [0, 1], a length or the ridge is invalid, or
 * the confidence is not strictly between 0 and 1.
 */
export function lengthControlledWinRate(options: LengthControlOptions): LengthControlledWinRate {
  const { preferences, lengthDifferences, clusters, ridge = 1, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(ridge > 0 && ridge < Infinity, 'ridge', ridge, 'positive and finite');
  const n = preferences.length;
  checkDomain(lengthDifferences.length === n, 'lengthDifferences.length', lengthDifferences.length, `${n}`);
  for (const value of preferences)
    checkDomain(value >= 0 && value <= 1, 'a preference', value, 'from 0 to 1');
  const units = placesByCluster(n, clusters);
  const moments = momentsOf(lengthDifferences);
  const { mean, squares } = momentsOf(preferences);
  const raw = n === 0 ? null : mean;
  const spread = Math.sqrt(varianceOf(moments));
  const basis = {
    n,
    ...(clusters !== undefined && { clusters: units.length }),
    confidence,
    method: 'length-controlled',
    raw,
  } as const;
  const reason = reasonOfNone({ n, squares, spread, units: units.length });
  if (reason !== undefined) {
    return undefinedInterval({ ...basis, slope: null, ridge: 0, caution: null, estimate: null, reason });
  }
  const lengths = lengthDifferences.map((difference) => Math.tanh(difference / spread));
  const used = isSeparated(preferences, lengths) ? ridge : 0;
  const { intercept, slope, standardError } = fitLogistic({ preferences, lengths, units, ridge: used });
  const caution = cautionOf(lengths, used);
  const reach = -normalQuantile((1 - confidence) / 2) * standardError;
  return {
    ...basis,
    status: 'defined',
    slope,
    ridge: used,
    caution,
    estimate: logistic(intercept),
    lower: logistic(intercept - reach),
    upper: logistic(intercept + reach),
  };
}

/** Returns what a reader of the number has to know, or null. */
function cautionOf(lengths: readonly number[], ridge: number): string | null {
  const isOneSided = lengths.every((length) => length > 0) || lengths.every((length) => length < 0);
  const cautions = [
    ...(ridge === 0
      ? []
      : [`length separates wins from losses: its effect is limited by a ridge (ridge ${ridge})`]),
    ...(isOneSided ? ['one side is always longer: equal lengths are extrapolated'] : []),
  ];
  return cautions.length === 0 ? null : cautions.join('; ');
}

function reasonOfNone({
  n,
  squares,
  spread,
  units,
}: Readonly<Record<'n' | 'squares' | 'spread' | 'units', number>>): string | undefined {
  if (n === 0) return 'no verdicts';
  if (squares === 0) return 'all verdicts are alike, so the share that follows from length is unknown';
  if (!(spread > 0) || spread === Infinity) return 'the differences of length do not vary';
  return units < 2 ? 'a single cluster shows no spread' : undefined;
}

/** Returns whether some length has all wins on one side and all losses on the other, or on the length itself. */
function isSeparated(preferences: readonly number[], lengths: readonly number[]): boolean {
  const rangeOf = (isIn: (preference: number) => boolean) => {
    const inside = lengths.filter((_, place) => isIn(preferences[place] as number));
    return [Math.min(...inside), Math.max(...inside)] as const;
  };
  const [leastWon, mostWon] = rangeOf((preference) => preference > 0);
  const [leastLost, mostLost] = rangeOf((preference) => preference < 1);
  return mostLost <= leastWon || mostWon <= leastLost;
}

type Logistic = {
  readonly preferences: readonly number[];
  readonly lengths: readonly number[];
  readonly units: readonly (readonly number[])[];
  readonly ridge: number;
};

const mostSteps = 100;

/** Fits intercept and slope by Newton's method, with the robust standard error of the intercept. */
function fitLogistic(model: Logistic): { intercept: number; slope: number; standardError: number } {
  let [intercept, slope] = [0, 0];
  let here = evaluate(model, [intercept, slope]);
  for (let step = 0; step < mostSteps; step += 1) {
    const [moveOfIntercept, moveOfSlope] = solve(here, here.gradient);
    if (Math.abs(moveOfIntercept) + Math.abs(moveOfSlope) < 1e-14) break;
    let share = 1;
    let next = evaluate(model, [intercept + moveOfIntercept, slope + moveOfSlope]);
    while (next.likelihood < here.likelihood && share > 1e-6) {
      share /= 2;
      next = evaluate(model, [intercept + share * moveOfIntercept, slope + share * moveOfSlope]);
    }
    [intercept, slope, here] = [intercept + share * moveOfIntercept, slope + share * moveOfSlope, next];
  }
  let variance = 0;
  for (const places of model.units) {
    const [ofIntercept] = solve(here, scoreOf(model, [intercept, slope], places));
    variance += ofIntercept ** 2;
  }
  return { intercept, slope, standardError: Math.sqrt(variance) };
}

type Two = readonly [intercept: number, slope: number];
/** The logarithm of the likelihood, its slopes, and its negative second derivatives. */
type Evaluation = {
  readonly likelihood: number;
  readonly gradient: Two;
  readonly information: readonly [number, number, number];
};

function evaluate({ preferences, lengths, ridge }: Logistic, [intercept, slope]: Two): Evaluation {
  let likelihood = (-ridge / 2) * slope ** 2;
  let gradient: Two = [0, -ridge * slope];
  let information: readonly [number, number, number] = [0, 0, ridge];
  for (const [place, x] of lengths.entries()) {
    const y = preferences[place] as number;
    const value = intercept + slope * x;
    const p = logistic(value);
    likelihood += y * value - Math.max(0, value) - Math.log1p(Math.exp(-Math.abs(value)));
    gradient = [gradient[0] + y - p, gradient[1] + (y - p) * x];
    const weight = p * (1 - p);
    information = [information[0] + weight, information[1] + weight * x, information[2] + weight * x * x];
  }
  return { likelihood, gradient, information };
}

/** Returns the slopes of the likelihood of some preferences alone. */
function scoreOf(
  { preferences, lengths }: Logistic,
  [intercept, slope]: Two,
  places: readonly number[],
): Two {
  let [ofIntercept, ofSlope] = [0, 0];
  for (const place of places) {
    const x = lengths[place] as number;
    const rest = (preferences[place] as number) - logistic(intercept + slope * x);
    [ofIntercept, ofSlope] = [ofIntercept + rest, ofSlope + rest * x];
  }
  return [ofIntercept, ofSlope];
}

/** Returns the inverse of the information times a vector. */
function solve({ information: [a, b, c] }: Evaluation, [first, second]: Two): Two {
  const determinant = a * c - b * b;
  return [(c * first - b * second) / determinant, (a * second - b * first) / determinant];
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
