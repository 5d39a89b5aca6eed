import type { CorrectedDifference } from '../../certificates/corrected-difference.ts';
import type { Baseline } from '../../../core/schema/decision.ts';
import { betterIn } from '../../../core/schema/metric.ts';
import type { CaseNumbers } from '../case-numbers.ts';
import { noClusters, withoutCorrection } from './clusters-once.ts';
import {
  clusterPairs,
  concludeDifference,
  evaluateDifference,
  type MarginLevel,
  type PairedCases,
} from './evaluate-difference.ts';
import { evaluateWithGaps, type Scenario } from './evaluate-mean.ts';
import { type Finding, type GateEvidence, type NoCorrection, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind } from './rule-kind.ts';
import { evaluateOnThese, isOnThese, type NumberedPair } from './on-these-questions.ts';
import { findBaselineTarget, findIncomparable, pairWithBaseline } from './pair-with-baseline.ts';
import {
  describeSubject,
  formatConfidence,
  formatCount,
  formatDifference,
  formatNames,
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
    const correction = unit === undefined ? evidence.correctedSince(subject, evidence) : undefined;
    const finding = comparePairs(evidence, {
      baseline,
      subject,
      numbers,
      level,
      isLowerBetter: better === 'lower',
      onThese,
      isOfClusters: rule.mean === 'clusters',
      correction,
    });
    if (onThese) return { ...finding, on: 'these-questions' };
    if (rule.mean === 'clusters')
      return withoutCorrection(finding, correction, { subject, option: 'mean: clusters' });
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
  /** True when each cluster counts once. */
  readonly isOfClusters: boolean;
  readonly correction: CorrectedDifference | NoCorrection | undefined;
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
    : evaluateWithGaps(planGaps(numbered), minCoverage, (scenario) => {
        const unit = numbers.unit();
        const each = pairsInScenario(numbered, scenario, { isLowerBetter, unit });
        const compared = question.isOfClusters ? clusterPairs(each) : each;
        if (compared === undefined) return notMeasured(noClusters);
        return evaluateDifference(compared, { ...level, subject, unit, name: baseline.name });
      });
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

/** The correction of a difference from a baseline, with the rule. */
interface DifferenceCorrection {
  readonly correction: CorrectedDifference | NoCorrection;
  readonly subject: Subject;
  readonly level: { readonly margin: number; readonly confidence: number };
  readonly name: string;
}

/** Returns the finding by the difference that people would see, in place of the difference that the judge sees. */
function correctPairs(found: Finding, { correction, subject, level, name }: DifferenceCorrection): Finding {
  if (found.outcome === 'not-measured' || found.value === null) return found;
  const what = describeSubject(subject);
  const said = `as the judge says, ${formatDifference(found.value, undefined)}`;
  const open = (why: string): Finding => ({
    ...found,
    outcome: 'inconclusive',
    reason: `${what} rests on a judge with a certificate, and its change since ${name} cannot be corrected: ${why}; ${said}`,
  });
  if ('reason' in correction && correction.isUnknown === true) {
    const reason = `${what} rests on a judge whose error rates on ${name} are not known: ${correction.reason}; ${said}`;
    return { ...found, outcome: 'not-measured', reason };
  }
  if ('reason' in correction) return open(correction.reason);
  const { margin, confidence } = level;
  const { status, estimate, lower, upper, caution, n } = correction.at(2 * confidence - 1);
  if (status === 'undefined' || estimate === null || lower === null || upper === null)
    return open('its limits are not known');
  if (caution === 'too-few-labels') return open('too few labels for limits that keep their promise');
  const lost = formatDifference(margin, undefined).replace('+', '');
  const ends = `${formatDifference(lower, undefined)} and ${formatDifference(upper, undefined)}`;
  const labels = correction.labels[0] + correction.labels[1];
  const arithmetic = `corrected mean difference ${formatDifference(estimate, undefined)}; one-sided ${formatConfidence(confidence)} bounds ${ends} (${correction.method === 'ppi' ? 'PPI++' : 'Rogan-Gladen'}, ${formatCount(correction.labels[0], 'label')} before and ${correction.labels[1]} now); margin ${lost}`;
  const corrected = {
    ...found,
    value: estimate,
    lower,
    upper,
    n,
    confidence,
    arithmetic: `${arithmetic}; ${said}`,
    correction: { said: found.value, method: correction.method, labels },
  };
  return concludeDifference(corrected, { ...level, subject, unit: undefined, name }, ` (corrected; ${said})`);
}
