import { holm } from '../adjust-p-values.ts';
import { checkDomain } from '../check-domain.ts';
import { normalQuantile } from '../normal.ts';
import { signFlipTest } from '../paired/sign-flip-test.ts';
import { createRandom } from '../random.ts';
import { drawUnits, percentileLimits, placesByCluster } from '../resampled-limits.ts';
import {
  type BradleyTerry,
  bradleyTerry,
  type BradleyTerryOptions,
  normalDifference,
  priorCaution,
} from './bradley-terry.ts';
import { type FittedStrengths, fitStrengths } from './fit-strengths.ts';
import {
  type PreferenceCounts,
  type PreferenceTable,
  tallyPreferences,
  withPrior,
} from './tally-preferences.ts';

/** Options of {@link rankByPreference}. */
export type PreferenceRankingOptions = Omit<BradleyTerryOptions, 'reference'> & {
  /** The number of resamples; 2,000 by default. */
  readonly resamples?: number;
  /** The seed, 0 by default. The same seed gives the same ranking. */
  readonly seed?: string | number;
};

/** A target with its rank, 1 for the best. */
export type RankedTarget = {
  readonly target: string;
  /** The strength as a logarithm, minus the mean of all targets. */
  readonly strength: number;
  /** The strength on the Elo scale, with the mean of all targets at 1000. */
  readonly elo: number;
  /** One more than the number of targets shown to be better. */
  readonly rank: number;
  /** The last rank that is possible: the number of targets not shown to be worse, itself included. */
  readonly lastRank: number;
};

/** The difference of two targets with its interval, and what it shows. */
export type RankedDifference = {
  readonly a: string;
  readonly b: string;
  /** The strength of A minus the strength of B. */
  readonly estimate: number;
  /** The limits; null where the verdicts set none. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** `normal` where one of the two never won or tied, so that resampling shows no spread. */
  readonly method: 'percentile-bootstrap' | 'normal';
  /**
   * The p-value that the two are alike, corrected for the number of pairs (Holm); null where no prompt compares both of
   * them, with each other or with the same third one.
   */
  readonly pValue: number | null;
  /** The better one when the interval excludes 0, and the p-value is below 1 − confidence where there is one. */
  readonly better: 'a' | 'b' | 'undecided';
};

/** A ranking of targets, or the reason why there is none. */
export type PreferenceRanking = Pick<BradleyTerry, 'n' | 'ties' | 'prior' | 'confidence' | 'caution'> & {
  /** The number of prompts, which are drawn as wholes. */
  readonly prompts: number;
  readonly resamples: number;
  readonly seed: string | number;
} & (
    | {
        readonly status: 'defined';
        /** The targets, best first. */
        readonly targets: readonly RankedTarget[];
        readonly differences: readonly RankedDifference[];
        readonly tieParameter: number | null;
      }
    | {
        readonly status: 'undefined';
        readonly targets: null;
        readonly differences: null;
        readonly tieParameter: null;
        readonly reason: string;
      }
  );

/** The number of prompts below which no bootstrap can be trusted. */
const fewPrompts = 10;

/**
 * Ranks targets by verdicts on pairs of them, with ties where the verdicts decide nothing. A target is shown to be better
 * than another only when the interval of their difference excludes 0; a rank is one more than the number of targets shown
 * to be better. Such differences are not transitive: A may be shown better than C while nothing is shown between A and B,
 * nor between B and C. B then shares its rank with A, and its `lastRank` with C. Each interval has the confidence for
 * itself; a target is called better only if the p-value corrected for all pairs agrees: among equal targets any is called
 * better in at most 1 − confidence of the cases, however few the prompts.
 *
 * Method: strengths by {@link bradleyTerry}; intervals of differences by the percentile bootstrap over prompts. A
 * resample in which wins lead only one way between two targets counts as a difference without bound in that direction.
 * Where all verdicts lead only one way, which needs a prior, the interval is the normal one of {@link bradleyTerry}. The p-value
 * is {@link signFlipTest}'s over prompts: if two targets are alike, they could as well have changed places in any of them.
 *
 * @throws RangeError as {@link bradleyTerry} does, and when `resamples` is not a whole number above 0.
 */
export function rankByPreference(options: PreferenceRankingOptions): PreferenceRanking {
  const { preferences, ties = 'half', prior = 0, resamples = 2000, seed = 0 } = options;
  checkDomain(Number.isInteger(resamples) && resamples > 0, 'resamples', resamples, 'a whole number above 0');
  const whole = bradleyTerry(options);
  const labels = preferences.map(({ prompt }, place) => prompt ?? `\0${place}`);
  const prompts = placesByCluster(preferences.length, labels);
  const few = prompts.length < fewPrompts ? `only ${prompts.length} prompts: too few for a bootstrap` : null;
  const { n, confidence } = whole;
  // Not the correlation of the strengths, which is about their standard errors: the intervals here come from resampling.
  const added = prior > 0 ? priorCaution(prior) : null;
  const caution = [added, few].filter((text) => text !== null).join('; ') || null;
  const basis = { n, ties, prior, confidence, caution, prompts: prompts.length, resamples, seed };
  if (whole.status === 'undefined') {
    const { reason } = whole;
    return { ...basis, status: 'undefined', targets: null, differences: null, tieParameter: null, reason };
  }
  const table = tallyPreferences(preferences);
  const fits = drawFits(options, {
    table,
    prompts,
    fit: (drawn) => fitStrengths(withPrior(drawn, prior), ties),
  });
  const sources = { raw: fitStrengths(table, ties), fit: fitStrengths(withPrior(table, prior), ties), fits };
  const differences = differencesOf(table.names, {
    ...sources,
    confidence,
    pValues: pValuesOf(preferences, table.names, { prompts, seed }),
  });
  const targets = rank(whole.targets, differences);
  return { ...basis, status: 'defined', targets, differences, tieParameter: whole.tieParameter };
}

type Drawing = {
  readonly table: PreferenceTable;
  readonly prompts: readonly (readonly number[])[];
  readonly fit: (drawn: PreferenceTable) => FittedStrengths;
};

/** Fits every resample. */
function drawFits(
  { preferences, resamples = 2000, seed = 0 }: PreferenceRankingOptions,
  { table: { names }, prompts, fit }: Drawing,
): FittedStrengths[] {
  const random = createRandom(seed);
  const parts = prompts.map((places) =>
    sparse(
      tallyPreferences(
        places.map((place) => preferences[place] as PreferenceCounts),
        names,
      ),
    ),
  );
  return Array.from({ length: resamples }, () => {
    const counts = new Float64Array((3 * names.length * (names.length - 1)) / 2);
    for (const part of drawUnits(parts, random)) {
      for (const [place, count] of part) counts[place] = (counts[place] as number) + count;
    }
    return fit({ names, counts });
  });
}

/** Returns the counts of a table other than 0, with their places. */
function sparse({ counts }: PreferenceTable): [place: number, count: number][] {
  return Array.from(counts.entries()).filter(([, count]) => count !== 0);
}

type Sources = {
  /** The fit without the prior, which shows whether verdicts lead both ways. */
  readonly raw: FittedStrengths;
  readonly fit: FittedStrengths;
  readonly fits: readonly FittedStrengths[];
  readonly confidence: number;
  /** The corrected p-values of two targets by their places. */
  readonly pValues: (i: number, j: number) => number | null;
};

/**
 * Tests every two targets: for each prompt that compares both, the score of one minus the score of the other, over their verdicts on each
 * other and on the same third ones. Returns the p-values, corrected by Holm's method for all pairs.
 */
function pValuesOf(
  preferences: readonly PreferenceCounts[],
  names: readonly string[],
  { prompts, seed }: Pick<Drawing, 'prompts'> & Required<Pick<PreferenceRankingOptions, 'seed'>>,
): Sources['pValues'] {
  const places = new Map(names.map((name, place) => [name, place]));
  const nets = prompts.map((rows) => {
    const net = names.map(() => new Map<number, number>());
    for (const row of rows) {
      const { a, b, aWins, bWins } = preferences[row] as PreferenceCounts;
      const [i, j] = [places.get(a) as number, places.get(b) as number];
      net[i]?.set(j, (net[i].get(j) ?? 0) + aWins - bWins);
      net[j]?.set(i, (net[j].get(i) ?? 0) + bWins - aWins);
    }
    return net;
  });
  const pairs = names.flatMap((_, i) =>
    names.slice(i + 1).map((_other, offset) => [i, i + 1 + offset] as const),
  );
  const tested = pairs.map(([i, j]) => {
    const differences = nets.flatMap((net) => {
      const [ofFirst, ofSecond] = [net[i], net[j]];
      if (ofFirst === undefined || ofSecond === undefined) return [];
      const shared = [...ofFirst.keys()].filter((third) => ofSecond.has(third));
      if (shared.length === 0 && !ofFirst.has(j)) return [];
      const byThird = shared.reduce(
        (sum, third) => sum + (ofFirst.get(third) ?? 0) - (ofSecond.get(third) ?? 0),
        0,
      );
      // Verdicts on each other count for one of the two and against the other.
      return [byThird + 2 * (ofFirst.get(j) ?? 0)];
    });
    return differences.length === 0 ? null : signFlipTest({ differences, seed }).pValue;
  });
  const known = tested.map((pValue) => pValue ?? 1);
  const { adjusted } = holm({ pValues: known });
  return (i, j) => {
    const at = pairs.findIndex(([first, second]) => first === i && second === j);
    return tested[at] === null ? null : (adjusted[at] ?? null);
  };
}

function differencesOf(
  names: readonly string[],
  { raw, fit, fits, confidence, pValues }: Sources,
): RankedDifference[] {
  const z = -normalQuantile((1 - confidence) / 2);
  const limitsOf = (i: number, j: number) => {
    if (!Number.isFinite(raw.difference(i, j)))
      return { ...normalDifference(fit, [i, j], z), method: 'normal' } as const;
    const drawn = Float64Array.from(fits, (drawnFit) => drawnFit.difference(i, j));
    return { ...percentileLimits(drawn, confidence), method: 'percentile-bootstrap' } as const;
  };
  return names.flatMap((a, i) =>
    names.slice(i + 1).map((b, offset) => {
      const j = i + 1 + offset;
      const { lower, upper, method } = limitsOf(i, j);
      const pValue = pValues(i, j);
      const isBeyond = pValue === null || pValue < 1 - confidence;
      const ofB = isBeyond && upper !== null && upper < 0 ? 'b' : 'undecided';
      const better = isBeyond && lower !== null && lower > 0 ? 'a' : ofB;
      return { a, b, estimate: fit.difference(i, j), lower, upper, method, pValue, better };
    }),
  );
}

function rank(
  strengths: readonly { readonly target: string; readonly strength: number; readonly elo: number }[],
  differences: readonly RankedDifference[],
): RankedTarget[] {
  const mean = strengths.reduce((sum, { strength }) => sum + strength, 0) / strengths.length;
  const meanElo = strengths.reduce((sum, { elo }) => sum + elo, 0) / strengths.length;
  const shown = differences.flatMap(({ a, b, better }) => {
    if (better === 'undecided') return [];
    return [better === 'a' ? { winner: a, loser: b } : { winner: b, loser: a }];
  });
  return strengths
    .map(({ target, strength, elo }) => ({
      target,
      strength: strength - mean,
      elo: elo - meanElo + 1000,
      rank: 1 + shown.filter(({ loser }) => loser === target).length,
      lastRank: strengths.length - shown.filter(({ winner }) => winner === target).length,
    }))
    .sort((a, b) => a.rank - b.rank || b.strength - a.strength);
}
