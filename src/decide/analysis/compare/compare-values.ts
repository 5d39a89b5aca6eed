import type { Flip } from '../../../core/schema/run-comparison.ts';
import type { QuestionAttempts } from '../../../core/stats/fixed-questions.ts';
import type { ComparedRun } from './compared-run.ts';
import type { ComparedOutcome, SharedMeasure } from './comparison-measures.ts';
import { createDifferenceTally, type Differences } from './differences.ts';
import { createPairList, type InMean, type ListedPair, type LostPair } from './list-pairs.ts';
import type { PairedCases } from './pair-cases.ts';
import { type CaseReadings, type CaseValues, noAttempts, readCaseValues } from './read-case-values.ts';

/**
 * Compares two runs pair by pair: the older one is loaded as one number for each case and measure, the newer one is
 * streamed. A pair belongs to the category that it has in the newer run.
 */
export async function compareValues(plan: ValuePlan): Promise<ComparedValues> {
  const { newer, cases, measures } = plan;
  const ofOlder = {
    readings: measures.map((measure) => measure.older),
    isPassed: plan.isPassedInOlder,
    hasNames: false,
    isListed: plan.isListed,
  };
  const loaded = await loadValues(plan.older, ofOlder, cases.olderCases);
  const tallies = createPairTallies(plan, loaded);
  const isSeen = new Uint8Array(cases.partners.length);
  const readings = measures.map((measure) => measure.newer);
  await readCaseValues(newer, { readings, isPassed: plan.isPassedInNewer, hasNames: true }, (values) => {
    isSeen[values.position] = 1;
    tallies.add(values);
  });
  // Cases that the newer run has not asked are not measured.
  for (const position of cases.partners.keys()) if (isSeen[position] === 0) tallies.addUnasked(position);
  return tallies.summarize();
}

/** The runs and measures to compare, with the definition of a pass in each run. */
export interface ValuePlan {
  readonly older: ComparedRun;
  readonly newer: ComparedRun;
  readonly cases: PairedCases;
  /** The weights of the newer run's cases by their position; undefined when all weigh the same. */
  readonly weights: Float64Array | undefined;
  readonly measures: readonly SharedMeasure[];
  readonly isPassedInOlder: (outcome: ComparedOutcome) => boolean | undefined;
  readonly isPassedInNewer: (outcome: ComparedOutcome) => boolean | undefined;
  /** Largest number of flipped cases of either change that are returned. */
  readonly mostFlips: number;
  /** True to return the differences of the first measure pair by pair: a list as long as the plan. */
  readonly isListed: boolean;
}

/** The differences between two runs, newer minus older. */
export interface ComparedValues {
  /** The differences in the order of the measures. */
  readonly measured: readonly Differences[];
  /** The differences of the first measure by category. */
  readonly byCategory: ReadonlyMap<string, Differences>;
  /** The first measure pair by pair, where it is wanted: the pairs that both runs measured, and those that some run did not whole. */
  readonly headline: { readonly pairs: readonly ListedPair[]; readonly lost: readonly LostPair[] };
  /** The cases that flipped, by the change from the older to the newer run. */
  readonly flipped: Readonly<Record<Flip['change'], FirstOf<FlippedCase>>>;
  /** Number of pairs in which most attempts passed in both runs, and in which most failed in both. */
  readonly passedInBoth: number;
  readonly failedInBoth: number;
  /** Ids of pairs with a known pass or failure in the older run only, or in the newer only. */
  readonly onlyInOlder: FirstOf<string>;
  readonly onlyInNewer: FirstOf<string>;
}

/** The number of items, and the first of them. */
interface FirstOf<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** Largest number of ids that are listed. */
export const mostIds = 1000;

/** A case that passed in only one run, with the ordinals of attempts with the result of the majority. */
export interface FlippedCase {
  /** The change from the older to the newer run. */
  readonly change: Flip['change'];
  readonly olderAt: number;
  readonly newerAt: number;
  readonly olderShare: number;
  readonly newerShare: number;
}

/** Creates the count of items of which only the first are stored: there may be a million. */
function createFirstOf<Item>(most: number) {
  const kept = { count: 0, first: [] as Item[] };
  return {
    add: (item: Item): void => {
      kept.count += 1;
      if (kept.first.length < most) kept.first.push(item);
    },
    current: (): FirstOf<Item> => kept,
  };
}

function createPairTallies(
  { cases, weights, measures, older, newer, mostFlips, isListed }: ValuePlan,
  loaded: LoadedValues,
) {
  const isRepeated = older.run.attempts > 1 || newer.run.attempts > 1;
  const tallies = measures.map(() => createDifferenceTally(isRepeated));
  const byCategory = new Map<string, ReturnType<typeof createDifferenceTally>>();
  const { headline, list } = createPairList();
  const flipped = {
    worse: createFirstOf<FlippedCase>(mostFlips),
    better: createFirstOf<FlippedCase>(mostFlips),
  };
  let [passedInBoth, failedInBoth] = [0, 0];
  const [onlyInOlder, onlyInNewer] = [createFirstOf<string>(mostIds), createFirstOf<string>(mostIds)];
  const unasked = new Float64Array(measures.length).fill(Number.NaN);

  const inMeanAt = (position: number): InMean => ({
    cluster: cases.clusters?.[position],
    weight: weights?.[position],
  });

  function addAll(partner: number, means: Float64Array, inMean: InMean): void {
    for (let place = 0; place < tallies.length; place += 1) {
      const older = loaded.meanAt(place, partner);
      tallies[place]?.add([older, means[place] as number], inMean.cluster, inMean.weight);
    }
  }

  return {
    add: (values: CaseValues): void => {
      const { position, category, means } = values;
      const partner = cases.partners[position] ?? -1;
      if (partner === -1) return;
      const inMean = inMeanAt(position);
      addAll(partner, means, inMean);
      const [before, after] = [loaded.meanAt(0, partner), means[0] as number];
      let ofCategory = byCategory.get(category);
      if (ofCategory === undefined) {
        ofCategory = createDifferenceTally(isRepeated);
        byCategory.set(category, ofCategory);
      }
      ofCategory.add([before, after], inMean.cluster, inMean.weight);
      if (isListed)
        list(
          { mean: before, gap: loaded.gapAt(partner), attempts: loaded.attemptsAt(partner) },
          { mean: after, gap: values.gap, attempts: values.attempts },
          inMean,
        );
      const passes = loaded.passesAt(partner);
      const [isInOlder, isInNewer] = [!Number.isNaN(passes.passShare), !Number.isNaN(values.passShare)];
      if (isInOlder !== isInNewer) (isInOlder ? onlyInOlder : onlyInNewer).add(values.caseId);
      const flip = flipOf(passes, values);
      if (flip !== undefined) flipped[flip.change].add(flip);
      if (passes.passShare > 0.5 && values.passShare > 0.5) passedInBoth += 1;
      if (passes.passShare < 0.5 && values.passShare < 0.5) failedInBoth += 1;
    },
    addUnasked: (position: number): void => {
      const partner = cases.partners[position] ?? -1;
      if (partner === -1) return;
      const inMean = inMeanAt(position);
      addAll(partner, unasked, inMean);
      if (!isListed) return;
      const mean = loaded.meanAt(0, partner);
      list(
        { mean, gap: loaded.gapAt(partner), attempts: loaded.attemptsAt(partner) },
        { mean: Number.NaN, gap: 1, attempts: noAttempts },
        inMean,
      );
    },
    summarize: (): ComparedValues => ({
      measured: tallies.map((tally) => tally.summarize()),
      byCategory: new Map(Array.from(byCategory, ([name, tally]) => [name, tally.summarize()])),
      headline,
      flipped: { worse: flipped.worse.current(), better: flipped.better.current() },
      passedInBoth,
      failedInBoth,
      onlyInOlder: onlyInOlder.current(),
      onlyInNewer: onlyInNewer.current(),
    }),
  };
}

/**
 * Returns the flip of a case: in one run most attempts passed, in the other most failed. Returns undefined if there
 * is none.
 */
function flipOf(older: Passes, newer: Passes): FlippedCase | undefined {
  const isWorse = older.passShare > 0.5 && newer.passShare < 0.5;
  if (!isWorse && !(older.passShare < 0.5 && newer.passShare > 0.5)) return undefined;
  return {
    change: isWorse ? 'worse' : 'better',
    olderAt: isWorse ? older.passedAt : older.failedAt,
    newerAt: isWorse ? newer.failedAt : newer.passedAt,
    olderShare: older.passShare,
    newerShare: newer.passShare,
  };
}

/** The passes of the attempts at a case. */
type Passes = Pick<CaseValues, 'passShare' | 'passedAt' | 'failedAt'>;

/** The numbers of a run by position. */
interface LoadedValues {
  /** Returns the share of attempts that should have the first number and do not. */
  gapAt(position: number): number;
  /** Returns the mean of a reading, by its place among them; NaN where there is no number. */
  meanAt(place: number, position: number): number;
  passesAt(position: number): Passes;
  attemptsAt(position: number): QuestionAttempts;
}

/** Loads the numbers of a target, in 8 bytes for each case and reading. */
async function loadValues(
  run: ComparedRun,
  how: CaseReadings & { readonly isListed: boolean },
  cases: number,
): Promise<LoadedValues> {
  const attempts: QuestionAttempts[] = [];
  // A reading without any number takes no memory.
  const means: (Float64Array | undefined)[] = how.readings.map(() => undefined);
  const shares = new Float64Array(cases).fill(Number.NaN);
  const [passedAt, failedAt] = [new Int32Array(cases).fill(-1), new Int32Array(cases).fill(-1)];
  // A case that was not asked is missing.
  const gaps = new Float64Array(cases).fill(1);
  await readCaseValues(run, how, (values) => {
    const { position } = values;
    for (let place = 0; place < means.length; place += 1) {
      const mean = values.means[place] as number;
      if (Number.isNaN(mean)) continue;
      const column = means[place] ?? new Float64Array(cases).fill(Number.NaN);
      column[position] = mean;
      means[place] = column;
    }
    shares[position] = values.passShare;
    gaps[position] = values.gap;
    if (how.isListed) attempts[position] = values.attempts;
    passedAt[position] = values.passedAt;
    failedAt[position] = values.failedAt;
  });
  return {
    gapAt: (position) => gaps[position] ?? 1,
    attemptsAt: (position) => attempts[position] ?? noAttempts,
    meanAt: (place, position) => means[place]?.[position] ?? Number.NaN,
    passesAt: (position) => ({
      passShare: shares[position] as number,
      passedAt: passedAt[position] as number,
      failedAt: failedAt[position] as number,
    }),
  };
}
