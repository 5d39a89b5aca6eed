import type { Baseline } from '../../../core/schema/decision.ts';
import { betterIn } from '../../../core/schema/metric.ts';
import { momentsOf, varianceOf } from '../../../core/stats/moments.ts';
import { collectWeighted } from '../../../core/stats/means/weighted-values.ts';
import { nonInferiority } from '../../../core/stats/paired/equivalence.ts';
import { nonInferioritySampleSize, trialsWithoutFailure } from '../../../core/stats/planning/sample-size.ts';
import type { CaseNumbers } from '../case-numbers.ts';
import { correctPairs } from './correct-pairs.ts';
import { type Bounds, boundsOfShares, evaluateWithGaps, type Scenario } from './evaluate-mean.ts';
import { type Finding, type GateEvidence, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind } from './rule-kind.ts';
import { evaluateOnThese, isOnThese, type NumberedPair, withoutCorrection } from './on-these-questions.ts';
import { findBaselineTarget, findIncomparable, pairWithBaseline } from './pair-with-baseline.ts';
import {
  formatConfidence,
  formatDifference,
  formatNames,
  describeSubject,
  formatCount,
  type Subject,
  subjectOf,
} from '../phrases.ts';
import { watchRegression } from './watch-regression.ts';
import { clustersOf, missingWeightOf, type SelectedCases, weightsOf } from './select-cases.ts';

/**
 * The rule that the run is not worse than its baseline by more than a margin, on the cases that both have. It is not
 * measured when the run lacks a case of the baseline, or has another judge or another version of a metric: such runs
 * cannot be compared.
 */
export const noRegressionRule: GateRuleKind<'no-regression'> = {
  type: 'no-regression',
  reads: 'differences',
  watch: watchRegression,
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
    const better = betterIn(unit);
    if (better === null) {
      return notMeasured(`of ${unit} neither more nor fewer is better, so there is no regression`);
    }
    const margin = unit === undefined ? rule.margin / 100 : rule.margin;
    const level = { margin, confidence: rule.confidence };
    const onThese = isOnThese(rule);
    if (onThese && unit !== undefined)
      return notMeasured(`${unit} have no greatest value: \`on: these-questions\` is for shares`);
    const finding = comparePairs(evidence, {
      baseline,
      subject,
      numbers,
      level,
      isLowerBetter: better === 'lower',
      onThese,
    });
    const correction = unit === undefined ? evidence.correctedSince(subject, evidence) : undefined;
    if (onThese) return { ...withoutCorrection(finding, correction, subject), on: 'these-questions' };
    return correction === undefined
      ? finding
      : correctPairs(finding, { correction, subject, level, name: baseline.name });
  },
};

interface Question {
  readonly baseline: Baseline;
  readonly subject: Subject;
  readonly numbers: CaseNumbers;
  readonly level: MarginLevel;
  readonly isLowerBetter: boolean;
  /** True for the questions of the run alone, false for all of their kind. */
  readonly onThese: boolean;
}

function comparePairs(evidence: GateEvidence, question: Question): Finding {
  const { baseline, subject, numbers, level, isLowerBetter } = question;
  const target = findBaselineTarget(baseline, evidence.run, evidence.target);
  if (target === undefined) return notMeasured(`${baseline.name} has no target ${evidence.target}`);
  const { pairs, lost, added } = pairWithBaseline(target, subject, evidence);
  if (lost.length > 0) {
    const what = `${formatCount(lost.length, 'question')} of ${baseline.name}`;
    return notMeasured(
      `${what} ${lost.length === 1 ? 'is' : 'are'} not in this run, or changed since: ${formatNames(lost)}`,
      { arithmetic: `${pairs.length} of ${target.cases.length} questions of the baseline are paired` },
    );
  }
  const numbered = pairs.flatMap((pair) => {
    const number = numbers.at(pair.each.position);
    return number === undefined ? [] : [{ ...pair, number }];
  });
  if (numbered.length === 0) return notMeasured(`no question is both in this run and in ${baseline.name}`);
  const { minCoverage } = evidence.run.gate;
  const finding = question.onThese
    ? evaluateWithGaps(planGaps(numbered), minCoverage, (scenario) =>
        evaluateOnThese(numbered, scenario, { evidence, before: target, ...question }),
      )
    : evaluateWithGaps(planGaps(numbered), minCoverage, (scenario) =>
        evaluateDifference(pairsInScenario(numbered, scenario, { isLowerBetter, unit: numbers.unit() }), {
          ...level,
          subject,
          unit: numbers.unit(),
          name: baseline.name,
        }),
      );
  if (added === 0) return finding;
  return {
    ...finding,
    arithmetic: `${finding.arithmetic}; ${formatCount(added, 'question')} not in the baseline`,
  };
}

function remedy({ name, run }: Baseline): string {
  return `score its answers by the current rules, \`touchstone rescore ${run.id}\`, then \`touchstone baseline set ${name} latest\``;
}

/** The direction that is better, and the scale. */
interface PairScale {
  readonly isLowerBetter: boolean;
  readonly unit: string | undefined;
}

/** Counts the missing trials of the pairs; all trials of a pair are missing if the baseline did not measure it. */
function planGaps(
  pairs: readonly NumberedPair[],
): Pick<SelectedCases, 'planned' | 'missing' | 'missingWeight'> {
  const trials = pairs.map(({ number: { measured, missing }, before }) =>
    Number.isNaN(before) ? { measured: 0, missing: measured + missing } : { measured, missing },
  );
  const missing = trials.reduce((sum, each) => sum + each.missing, 0);
  const planned = trials.reduce((sum, each) => sum + each.measured, missing);
  return {
    planned,
    missing,
    missingWeight: missingWeightOf(
      pairs.map(({ each }) => each),
      trials,
    ),
  };
}

/**
 * Returns the values of pairs in a scenario, oriented so that higher is better. In the worst one, the run has the
 * worst possible value where it was not measured and the baseline the best; in the best one, vice versa.
 */
function pairsInScenario(
  pairs: readonly NumberedPair[],
  scenario: Scenario,
  { isLowerBetter, unit }: PairScale,
): PairedCases {
  const isWorst = scenario === 'worst';
  const sign = isLowerBetter ? -1 : 1;
  const limit = unit === undefined ? 1 : Infinity;
  const unknownBefore = isWorst ? limit : unit === undefined ? 0 : -Infinity;
  const kept = pairs
    .map(({ each, before, number }) => {
      if (scenario === 'measured') return { each, now: sign * number.value, before: sign * before };
      const now = isWorst === isLowerBetter ? number.high : number.low;
      return { each, now: sign * now, before: Number.isNaN(before) ? unknownBefore : sign * before };
    })
    .filter(({ now, before }) => !Number.isNaN(now) && !Number.isNaN(before));
  return {
    now: kept.map(({ now }) => now),
    before: kept.map(({ before }) => before),
    clusters: clustersOf(kept.map(({ each }) => each)),
    weights: weightsOf(kept.map(({ each }) => each)),
  };
}

/** The margin for differences, with the names for messages. */
interface DifferenceRule extends MarginLevel {
  readonly subject: Subject;
  readonly unit: string | undefined;
  /** The name of the baseline. */
  readonly name: string;
}

/**
 * Evaluates paired differences: passes when the one-sided lower bound of now minus before lies above −margin, fails
 * when the upper one lies below it. See non-inferiority tests (Piaggio et al., JAMA 308 (2012)).
 */
export function evaluateDifference(pairs: PairedCases, rule: DifferenceRule): Finding {
  const { margin, confidence, subject, unit, name } = rule;
  const all = [...pairs.now, ...pairs.before];
  if (!all.every(Number.isFinite)) return notMeasured('the missing values could be anything');
  const n = pairs.now.length;
  const value = meanDifference(pairs);
  const level = `one-sided ${formatConfidence(confidence)}`;
  const lost = formatDifference(margin, unit).replace('+', '');
  const base = { value, threshold: -margin, n, confidence };
  const weighted = pairs.weights === undefined ? 'mean' : 'weighted mean';
  const changed = `${formatCount(n, 'pair')}: ${weighted} difference ${formatDifference(value, unit)}`;
  const bounds = boundsOfDifference(pairs, rule, unit === undefined);
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: changed };
  }
  const { lower, upper, method } = bounds;
  const ends = `${formatDifference(lower, unit)} and ${formatDifference(upper, unit)}`;
  const arithmetic = `${changed}; ${level} bounds ${ends} (${method}); margin ${lost}`;
  const what = describeSubject(subject);
  const sure = `with ${formatConfidence(confidence)} confidence`;
  const known = { ...base, lower, upper, arithmetic };
  if (lower > -margin) {
    return {
      ...known,
      outcome: 'pass',
      reason: `${what} is not worse than ${name} by ${lost} or more, ${sure}, for questions of this kind`,
    };
  }
  if (upper < -margin) {
    return {
      ...known,
      outcome: 'fail',
      reason: `${what} is worse than ${name} by more than ${lost}, ${sure}`,
    };
  }
  const needed = casesToShow(pairs, rule, unit === undefined);
  const hint = needed === undefined || needed <= n ? '' : `; about ${needed} questions would show it`;
  const range = `could have changed by ${formatDifference(lower, unit)} to ${formatDifference(upper, unit)}`;
  const reason = `${what} ${range} since ${name}: a loss of ${lost} is neither shown nor ruled out${hint}`;
  return { ...known, outcome: 'inconclusive', reason };
}

/** The values of paired cases, oriented so that higher is better. */
interface PairedCases {
  readonly now: readonly number[];
  readonly before: readonly number[];
  /** The clusters at the same positions; undefined when the cases are independent. */
  readonly clusters: readonly string[] | undefined;
  /** The weights of the cases in the run; undefined when all weigh the same. */
  readonly weights?: readonly number[];
}

/** The acceptable loss, and the confidence of its test. */
interface MarginLevel {
  readonly margin: number;
  /** The confidence of each one-sided bound. */
  readonly confidence: number;
}

/**
 * Computes one-sided bounds of the mean difference, now minus before. Differences of shares lie in [−1, 1], see
 * `boundsOfShares`; bounds of quantities use Student's t, cluster-robust when cases share clusters.
 */
function boundsOfDifference(
  { now, before, clusters, weights }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): Bounds {
  const differences = differencesOf(now, before);
  if (isShare) return boundsOfShares({ values: differences, clusters, weights }, [-1, 1], confidence);
  const tested = nonInferiority({
    differences,
    clusters,
    weights,
    margin,
    confidence,
  });
  return tested.status === 'defined' ? tested : { reason: tested.reason };
}

/**
 * Returns the number of cases needed to show the margin with a power of 80 %, if nothing changed and differences vary
 * as in these pairs; undefined when it cannot be computed.
 */
function casesToShow(
  { now, before, clusters, weights }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): number | undefined {
  const standardDeviation = Math.sqrt(varianceOf(momentsOf(differencesOf(now, before))));
  if (clusters !== undefined || weights !== undefined || margin === 0 || !(standardDeviation > 0))
    return undefined;
  const planned = nonInferioritySampleSize({ standardDeviation, margin, confidence }).n;
  if (!isShare || margin >= 1) return planned;
  // The bound of shares includes one more case that lost everything: a loss of about 1 / n.
  const withUnseen = ((Math.sqrt(planned) + Math.sqrt(planned + 4 / margin)) / 2) ** 2;
  return Math.max(Math.ceil(withUnseen), trialsWithoutFailure({ share: margin, confidence }));
}

/** Returns the mean of now minus before, weighted where the cases have different weights. */
function meanDifference({ now, before, weights }: PairedCases): number {
  const weighted =
    weights &&
    collectWeighted({ values: differencesOf(now, before), weights })
      .current()
      ?.moments();
  return weighted?.mean ?? momentsOf(now).mean - momentsOf(before).mean;
}

function differencesOf(now: readonly number[], before: readonly number[]): number[] {
  return now.map((value, place) => value - (before[place] ?? Number.NaN));
}
