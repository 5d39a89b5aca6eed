import type { Baseline } from '../../schema/decision.ts';
import { momentsOf, varianceOf } from '../../stats/moments.ts';
import { nonInferiority } from '../../stats/paired/equivalence.ts';
import { nonInferioritySampleSize, trialsWithoutFailure } from '../../stats/planning/sample-size.ts';
import type { CaseNumber, CaseNumbers } from './case-numbers.ts';
import { type Bounds, boundsOfShares, holdWithGaps, type Supposition } from './evaluate-mean.ts';
import { type Finding, type GateEvidence, type GateRuleKind, notMeasured } from './gate-rule.ts';
import {
  type BaselinePair,
  findBaselineTarget,
  findIncomparable,
  pairWithBaseline,
} from './pair-with-baseline.ts';
import {
  sayConfidence,
  sayDifference,
  sayNames,
  sayOfSubject,
  sayPlural,
  type Subject,
  subjectOf,
} from './phrases.ts';
import { clustersOf, type SelectedCases } from './select-cases.ts';

/**
 * The run is shown not to be worse than its baseline by more than a margin, on the cases that both have. A case of the
 * baseline that the run lacks, another judge or another rule leave it open: such runs cannot be compared.
 */
export const noRegressionRule: GateRuleKind<'no-regression'> = {
  type: 'no-regression',
  decide: (rule, evidence) => {
    const { baseline: found, run } = evidence;
    if ('reason' in found) return notMeasured(found.reason);
    const { baseline } = found;
    const subject = subjectOf(rule) ?? { measure: 'score' };
    const numbers = evidence.numbersOf(subject);
    if ('reason' in numbers) return notMeasured(numbers.reason);
    const difference = findIncomparable(baseline, run, subject);
    if (difference !== undefined)
      return notMeasured(`${difference} than in ${baseline.name}: ${remedy(baseline)}`);
    const unit = numbers.unit();
    const isLowerBetter = unit !== undefined && ['ms', 'USD', 'tokens'].includes(unit);
    if (unit !== undefined && !isLowerBetter) {
      return notMeasured(`of ${unit} neither more nor fewer is better, so there is no regression`);
    }
    const margin = unit === undefined ? rule.margin / 100 : rule.margin;
    const level = { margin, confidence: rule.confidence };
    return comparePairs(evidence, { baseline, subject, numbers, level, isLowerBetter });
  },
};

interface Question {
  readonly baseline: Baseline;
  readonly subject: Subject;
  readonly numbers: CaseNumbers;
  readonly level: MarginLevel;
  readonly isLowerBetter: boolean;
}

function comparePairs(evidence: GateEvidence, question: Question): Finding {
  const { baseline, subject, numbers, level, isLowerBetter } = question;
  const target = findBaselineTarget(baseline, evidence.run, evidence.target);
  if (target === undefined) return notMeasured(`${baseline.name} has no target ${evidence.target}`);
  const { pairs, lost, added } = pairWithBaseline(target, subject, evidence);
  if (lost.length > 0) {
    const what = `${sayPlural(lost.length, 'case')} of ${baseline.name}`;
    return notMeasured(
      `${what} ${lost.length === 1 ? 'is' : 'are'} not in this run, or changed since: ${sayNames(lost)}`,
      { arithmetic: `${pairs.length} of ${target.cases.length} cases of the baseline are paired` },
    );
  }
  const numbered = pairs.flatMap((pair) => {
    const number = numbers.at(pair.each.position);
    return number === undefined ? [] : [{ ...pair, number }];
  });
  if (numbered.length === 0) return notMeasured(`no case is both in this run and in ${baseline.name}`);
  const finding = holdWithGaps(planGaps(numbered), evidence.run.gate.minCoverage, (supposition) =>
    judgeDifference(suppose(numbered, supposition, { isLowerBetter, unit: numbers.unit() }), {
      ...level,
      subject,
      unit: numbers.unit(),
      name: baseline.name,
    }),
  );
  if (added === 0) return finding;
  return { ...finding, arithmetic: `${finding.arithmetic}; ${sayPlural(added, 'case')} not in the baseline` };
}

function remedy({ name, run }: Baseline): string {
  return `score its answers by the rules of now, \`touchstone rescore ${run.id}\`, then \`touchstone baseline set ${name} latest\``;
}

/** A pair with the number that the run has of it. */
interface NumberedPair extends BaselinePair {
  readonly number: CaseNumber;
}

/** Which way is better, and on what scale. */
interface PairScale {
  readonly isLowerBetter: boolean;
  readonly unit: string | undefined;
}

/** How many trials of the pairs are missing; of a pair that the baseline did not measure, all are. */
function planGaps(pairs: readonly NumberedPair[]): Pick<SelectedCases, 'planned' | 'missing'> {
  let [planned, missing] = [0, 0];
  for (const { number, before } of pairs) {
    const all = number.measured + number.missing;
    planned += all;
    missing += Number.isNaN(before) ? all : number.missing;
  }
  return { planned, missing };
}

/**
 * The values of pairs, turned so that higher is better. At worst, the run did as badly as it could where it was not
 * measured and the baseline as well as it could; at best, the other way round.
 */
function suppose(
  pairs: readonly NumberedPair[],
  supposition: Supposition,
  { isLowerBetter, unit }: PairScale,
): PairedCases {
  const isWorst = supposition === 'worst';
  const sign = isLowerBetter ? -1 : 1;
  const limit = unit === undefined ? 1 : Infinity;
  const unknownBefore = isWorst ? limit : unit === undefined ? 0 : -Infinity;
  const kept = pairs
    .map(({ each, before, number }) => {
      if (supposition === 'measured') return { each, now: sign * number.value, before: sign * before };
      const now = isWorst === isLowerBetter ? number.high : number.low;
      return { each, now: sign * now, before: Number.isNaN(before) ? unknownBefore : sign * before };
    })
    .filter(({ now, before }) => !Number.isNaN(now) && !Number.isNaN(before));
  return {
    now: kept.map(({ now }) => now),
    before: kept.map(({ before }) => before),
    clusters: clustersOf(kept.map(({ each }) => each)),
  };
}

/** What differences are held against, and how they are told. */
interface DifferenceRule extends MarginLevel {
  readonly subject: Subject;
  readonly unit: string | undefined;
  /** Of the baseline. */
  readonly name: string;
}

/**
 * Passes when the one-sided lower bound of now minus before lies above −margin, fails when the upper one lies below it;
 * see statistics of non-inferiority (Piaggio et al., JAMA 308 (2012)).
 */
export function judgeDifference(pairs: PairedCases, rule: DifferenceRule): Finding {
  const { margin, confidence, subject, unit, name } = rule;
  const all = [...pairs.now, ...pairs.before];
  if (!all.every(Number.isFinite)) return notMeasured('what is missing could be anything');
  const n = pairs.now.length;
  const value = momentsOf(pairs.now).mean - momentsOf(pairs.before).mean;
  const level = `one-sided ${sayConfidence(confidence)}`;
  const lost = sayDifference(margin, unit).replace('+', '');
  const base = { value, threshold: -margin, n, confidence };
  const changed = `${sayPlural(n, 'pair')}: mean difference ${sayDifference(value, unit)}`;
  const bounds = boundsOfDifference(pairs, rule, unit === undefined);
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: changed };
  }
  const { lower, upper, method } = bounds;
  const ends = `${sayDifference(lower, unit)} and ${sayDifference(upper, unit)}`;
  const arithmetic = `${changed}; ${level} bounds ${ends} (${method}); margin ${lost}`;
  const what = sayOfSubject(subject);
  const sure = `with ${sayConfidence(confidence)} confidence`;
  const told = { ...base, lower, upper, arithmetic };
  if (lower > -margin) {
    return {
      ...told,
      outcome: 'pass',
      reason: `${what} is not worse than ${name} by ${lost} or more, ${sure}`,
    };
  }
  if (upper < -margin) {
    return {
      ...told,
      outcome: 'fail',
      reason: `${what} is worse than ${name} by more than ${lost}, ${sure}`,
    };
  }
  const needed = casesToShow(pairs, rule, unit === undefined);
  const hint = needed === undefined || needed <= n ? '' : `; about ${needed} cases would show it`;
  const range = `could have changed by ${sayDifference(lower, unit)} to ${sayDifference(upper, unit)}`;
  const reason = `${what} ${range} since ${name}: a loss of ${lost} is neither shown nor ruled out${hint}`;
  return { ...told, outcome: 'inconclusive', reason };
}

/** The values of paired cases, such that higher is better. */
interface PairedCases {
  readonly now: readonly number[];
  readonly before: readonly number[];
  /** At the same positions; undefined when the cases do not depend on each other. */
  readonly clusters: readonly string[] | undefined;
}

/** The loss that would not matter, and how sure it is to be. */
interface MarginLevel {
  readonly margin: number;
  /** Of each one-sided bound. */
  readonly confidence: number;
}

/**
 * One-sided bounds of the mean difference, now minus before. Differences of shares lie in [−1, 1], see `boundsOfShares`; those of
 * quantities have Student's t, cluster-robust where cases share clusters.
 */
function boundsOfDifference(
  { now, before, clusters }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): Bounds {
  const differences = differencesOf(now, before);
  if (isShare) return boundsOfShares({ values: differences, clusters }, [-1, 1], confidence);
  const tested = nonInferiority({
    differences,
    ...(clusters !== undefined && { clusters }),
    margin,
    confidence,
  });
  return tested.status === 'defined' ? tested : { reason: tested.reason };
}

/**
 * How many cases it takes to show the margin with a chance of 80 %, if nothing changed and differences vary as they do
 * here; undefined when that cannot be said.
 */
function casesToShow(
  { now, before, clusters }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): number | undefined {
  const standardDeviation = Math.sqrt(varianceOf(momentsOf(differencesOf(now, before))));
  if (clusters !== undefined || margin === 0 || !(standardDeviation > 0)) return undefined;
  const planned = nonInferioritySampleSize({ standardDeviation, margin, confidence }).n;
  if (!isShare || margin >= 1) return planned;
  // The bound of shares reckons with one more case, which lost everything: a loss of about 1 / n.
  const withUnseen = ((Math.sqrt(planned) + Math.sqrt(planned + 4 / margin)) / 2) ** 2;
  return Math.max(Math.ceil(withUnseen), trialsWithoutFailure({ share: margin, confidence }));
}

function differencesOf(now: readonly number[], before: readonly number[]): number[] {
  return now.map((value, place) => value - (before[place] ?? Number.NaN));
}
