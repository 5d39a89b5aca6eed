import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import { eloScale } from './elo.ts';
import { type FittedStrengths, fitStrengths, type TieModel } from './fit-strengths.ts';
import {
  namesOf,
  type PreferenceCounts,
  type PreferenceTable,
  tallyPreferences,
  withPrior,
} from './tally-preferences.ts';
import { findWinOrder } from './win-order.ts';

/** Options of {@link bradleyTerry}. */
export type BradleyTerryOptions = {
  readonly preferences: readonly PreferenceCounts[];
  /** Ties as half a win each (`half`, the default), or by Davidson's model (`davidson`). */
  readonly ties?: TieModel;
  /**
   * Additional wins, each way, between any two targets; 0 by default. A prior such as 0.5 makes all strengths finite and
   * draws them together.
   */
  readonly prior?: number;
  /** The target with strength 0; the one of the first verdict by default. */
  readonly reference?: string;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** The strength of a target, as a logarithm: 1 more multiplies the odds of its wins by e. */
export type TargetStrength = {
  readonly target: string;
  /** The strength minus the strength of the reference. */
  readonly strength: number;
  /** The standard error and the limits; null for the reference, whose strength is 0 by definition. */
  readonly standardError: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** The strength on the scale of {@link eloScale}, with the reference at 1000. */
  readonly elo: number;
};

/** The difference of two strengths, A minus B. */
export type StrengthDifference = {
  readonly a: string;
  readonly b: string;
  readonly estimate: number;
  readonly standardError: number;
  readonly lower: number;
  readonly upper: number;
};

/** Strengths of targets, or the reason why there are none. */
export type BradleyTerry = {
  /** The number of verdicts, without the verdicts of the prior. */
  readonly n: number;
  readonly ties: TieModel;
  readonly prior: number;
  readonly confidence: number;
  /** A warning for a report, or null. */
  readonly caution: string | null;
} & (
  | {
      readonly status: 'defined';
      readonly reference: string;
      readonly targets: readonly TargetStrength[];
      readonly differences: readonly StrengthDifference[];
      /** Davidson's ν: two equal targets tie with the odds ν : 2. Null for ties as half-wins. */
      readonly tieParameter: number | null;
    }
  | {
      readonly status: 'undefined';
      readonly reference: null;
      readonly targets: null;
      readonly differences: null;
      readonly tieParameter: null;
      readonly reason: string;
    }
);

/**
 * Estimates the strengths of targets from verdicts on pairs of them: P(i beats j) = 1 / (1 + exp(s_j − s_i)). The
 * standard errors assume independent verdicts; `rankByPreference` takes several verdicts on one prompt into account.
 * Without a prior, a target that never lost, or targets that no chain of verdicts joins, leave the strengths undefined.
 *
 * Method: R. A. Bradley & M. E. Terry, Biometrika 39 (1952), by Newton's method; standard errors from the inverse of the
 * information with the reference fixed. Ties: R. R. Davidson, JASA 65 (1970), or half-wins.
 *
 * @throws RangeError for a target compared with itself, a count or prior that is negative or not finite, an unknown
 * reference, and a confidence that is not strictly between 0 and 1.
 */
export function bradleyTerry(options: BradleyTerryOptions): BradleyTerry {
  const { preferences, ties = 'half', prior = 0, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(prior >= 0 && prior < Infinity, 'prior', prior, 'finite and at least 0');
  const { reference } = options;
  const found = namesOf(preferences);
  const isKnown = reference === undefined || found.includes(reference);
  checkDomain(isKnown, 'reference', reference, 'one of the targets');
  const names = reference === undefined ? found : [reference, ...found.filter((name) => name !== reference)];
  const table = tallyPreferences(preferences, names);
  const fit = fitStrengths(withPrior(table, prior), ties);
  const basis = {
    n: table.counts.reduce((sum, count) => sum + count, 0),
    ties,
    prior,
    confidence,
    caution: cautionOf(table, { ties, prior }),
  };
  const reason = reasonOfNone(withPrior(table, prior), fit);
  if (reason !== undefined) {
    const none = { reference: null, targets: null, differences: null, tieParameter: null };
    return { ...basis, status: 'undefined', ...none, reason };
  }
  const z = -normalQuantile((1 - confidence) / 2);
  return {
    ...basis,
    status: 'defined',
    reference: names[0] as string,
    targets: names.map((target, place) => strengthOf(target, { fit, place, z })),
    differences: names.flatMap((a, i) =>
      names.slice(i + 1).map((b, offset) => ({ a, b, ...normalDifference(fit, [i, i + 1 + offset], z) })),
    ),
    tieParameter: fit.tieParameter,
  };
}

function strengthOf(
  target: string,
  { fit, place, z }: { readonly fit: FittedStrengths; readonly place: number; readonly z: number },
): TargetStrength {
  const { estimate, standardError, lower, upper } = normalDifference(fit, [place, 0], z);
  const elo = eloScale({ strength: estimate });
  if (place === 0) return { target, strength: 0, standardError: null, lower: null, upper: null, elo };
  return { target, strength: estimate, standardError, lower, upper, elo };
}

/** Returns the difference of the strengths of two targets with the normal interval of its standard error. */
export function normalDifference(
  { strengths, covariance, difference }: FittedStrengths,
  [i, j]: readonly [i: number, j: number],
  z: number,
): Omit<StrengthDifference, 'a' | 'b'> {
  const size = strengths.length;
  const at = (row: number, column: number) => covariance[row * size + column] as number;
  const estimate = difference(i, j);
  const standardError = Math.sqrt(Math.max(0, at(i, i) + at(j, j) - 2 * at(i, j)));
  return {
    estimate,
    standardError,
    lower: estimate - z * standardError,
    upper: estimate + z * standardError,
  };
}

/** Returns the note that results depend on a prior. */
export function priorCaution(prior: number): string {
  return `a prior of ${prior} wins each way between any two targets`;
}

/** Returns what a reader of the numbers has to know. */
function cautionOf(
  { counts }: PreferenceTable,
  { ties, prior }: { readonly ties: TieModel; readonly prior: number },
): string | null {
  const hasTies = counts.some((count, place) => place % 3 === 2 && count > 0);
  const cautions = [
    ...(hasTies && ties === 'half' ? ['ties count as half-wins: the standard errors are nominal'] : []),
    ...(prior > 0 ? [priorCaution(prior)] : []),
  ];
  return cautions.length === 0 ? null : cautions.join('; ');
}

/** Returns the reason why strengths are not finite, or undefined when they are. */
function reasonOfNone(table: PreferenceTable, { groups, strengths }: FittedStrengths): string | undefined {
  const { names } = table;
  if (names.length < 2) return 'no verdicts';
  if (new Set(groups).size === 1) {
    return strengths.some(Number.isNaN)
      ? 'ties outweigh wins: their parameter has no finite estimate'
      : undefined;
  }
  const { leads } = findWinOrder(table);
  const isUnbeaten = (group: number) =>
    names.every((_, other) => groups[other] === group || !leads(other, group));
  const [first = 0, second] = [...new Set(groups)].filter(isUnbeaten);
  const membersOf = (group: number) =>
    names
      .filter((_, place) => groups[place] === group)
      .map((name) => JSON.stringify(name))
      .join(', ');
  if (second === undefined) {
    return `no other target won or tied against ${membersOf(first)}, so the difference has no bound`;
  }
  return `no verdict decides between ${membersOf(first)} and ${membersOf(second)}`;
}
