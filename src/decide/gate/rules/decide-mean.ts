import type { CorrectedMean } from '../../certificates/corrected-mean.ts';
import type { RuleDecision } from '../../../core/schema/decision.ts';
import {
  compareBounds,
  evaluateValues,
  evaluateWithGaps,
  type MeanRule,
  type Scenario,
} from './evaluate-mean.ts';
import { type Finding, type GateCase, type GateEvidence, notMeasured } from '../gate-rule.ts';
import { describeSubject, formatConfidence, formatCount, formatShare } from '../phrases.ts';
import { type CaseValues, eachClusterOnce, noClusters, withoutCorrection } from './clusters-once.ts';
import { clustersOf, selectCases, type SelectedCases, weightsOf } from './select-cases.ts';

/**
 * Evaluates a rule about the mean over cases, each of which is a mean over attempts: by the mean itself or by its
 * bound.
 */
export function evaluateMean(rule: MeanRule, evidence: GateEvidence): Finding {
  const numbers = evidence.numbersOf(rule.subject);
  if ('reason' in numbers) return notMeasured(numbers.reason);
  const selected = selectCases(evidence.cases, numbers);
  if (selected.cases.length === 0) return notMeasured(`no question has ${describeSubject(rule.subject)}`);
  const unit = numbers.unit();
  const { minCoverage } = evidence.run.gate;
  if (rule.isOfClusters === true) return evaluateClusters(rule, selected, { unit, minCoverage, evidence });
  const found = evaluateWithGaps(selected, minCoverage, (scenario) =>
    evaluateValues(rule, unit, valuesInScenario(selected, scenario)),
  );
  const correction = unit === undefined ? evidence.correctionOf(rule.subject, evidence) : undefined;
  return correction === undefined
    ? found
    : correctFinding(rule, found, { correction, cases: evidence.cases });
}

interface ClusteredRule {
  readonly unit: string | undefined;
  readonly minCoverage: number;
  readonly evidence: GateEvidence;
}

/** Evaluates a rule about the mean over clusters, of which each counts once. */
function evaluateClusters(
  rule: MeanRule,
  selected: SelectedCases,
  { unit, minCoverage, evidence }: ClusteredRule,
): Finding {
  const found = evaluateWithGaps(selected, minCoverage, (scenario) => {
    const each = eachClusterOnce(valuesInScenario(selected, scenario));
    return each === undefined ? notMeasured(noClusters) : evaluateValues(rule, unit, each);
  });
  const correction = unit === undefined ? evidence.correctionOf(rule.subject, evidence) : undefined;
  return withoutCorrection(found, correction, { subject: rule.subject, option: 'mean: clusters' });
}

/** Returns the values of cases in a scenario; in `measured`, only those that were measured. */
function valuesInScenario({ cases, numbers }: SelectedCases, scenario: Scenario): CaseValues {
  const part = ({ measured: 'value', worst: 'low', best: 'high' } as const)[scenario];
  const kept = cases.flatMap((each, index) => {
    const value = numbers[index]?.[part] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [{ each, value }];
  });
  return {
    values: kept.map(({ value }) => value),
    clusters: clustersOf(kept.map(({ each }) => each)),
    weights: weightsOf(kept.map(({ each }) => each)),
  };
}

/** The correction of a mean, with the cases that the rule is about. */
export interface FindingCorrection {
  readonly correction: CorrectedMean | { readonly reason: string };
  readonly cases: readonly GateCase[];
}

/** The confidence of the limits of a rule that sets none: what people would say is then known to them only. */
const usualConfidence = 0.95;

/**
 * Returns the finding by the rate that people would give, in place of the judge's rate. A rule with a confidence is about all
 * such questions; one without is about these answers, of which only the errors of the judge are uncertain. Where no correction
 * holds, it is inconclusive: the number of the judge alone decides nothing once its errors are known.
 */
export function correctFinding(
  rule: MeanRule,
  found: Finding,
  { correction, cases }: FindingCorrection,
): Finding {
  if (found.outcome === 'not-measured' || found.value === null) return found;
  const what = describeSubject(rule.subject);
  const said = `as the judge says, it is ${formatShare(found.value)}`;
  const open = (why: string): Finding => ({
    ...found,
    outcome: 'inconclusive',
    reason: `${what} rests on a judge with a certificate, and cannot be corrected: ${why}; ${said}`,
  });
  if ('reason' in correction) return open(correction.reason);
  const corrected = findCorrected(rule, correction, cases);
  if ('why' in corrected) return open(corrected.why);
  const { method, labels } = correction;
  return withGaps(found, {
    ...corrected,
    reason: `${corrected.reason} (corrected; ${said})`,
    correction: { said: correction.said, method, labels },
  });
}

/** A rule that was decided whatever the missing results stays so only if the corrected rate says the same. */
function withGaps(found: Finding, corrected: Finding): Finding {
  const isByGaps = found.reason.includes('whatever their results');
  if (!isByGaps || corrected.outcome === found.outcome) return corrected;
  const reason = `${found.reason}; corrected: ${corrected.reason}`;
  return { ...corrected, outcome: 'inconclusive', reason };
}

function findCorrected(
  rule: MeanRule,
  correction: CorrectedMean,
  cases: readonly GateCase[],
): Finding | { readonly why: string } {
  const { exact, labels, said } = correction;
  const by = `corrected by ${formatCount(labels, 'label')} (${methodNames[correction.method]}); the judge says ${formatShare(said)}`;
  if (exact !== undefined) {
    const kept = cases.filter(({ position }) => exact.has(position));
    const values = kept.map(({ position }) => exact.get(position) as number);
    const found = evaluateValues(rule, undefined, {
      values,
      clusters: clustersOf(kept),
      weights: weightsOf(kept),
    });
    return { ...found, arithmetic: `${found.arithmetic}; ${by}` };
  }
  const confidence = rule.confidence ?? usualConfidence;
  const limits = correction.limitsAt(confidence, rule.confidence === undefined);
  if ('reason' in limits) return { why: limits.reason };
  if (limits.caution === 'too-few-labels')
    return { why: 'too few labels for limits that keep their promise' };
  const { value, lower, upper } = limits;
  const threshold = rule.thresholdIn(undefined);
  const ends = `one-sided ${formatConfidence(confidence)} bounds ${formatShare(lower)} and ${formatShare(upper)}`;
  return {
    ...compareBounds({ ...rule, confidence }, undefined, { value, threshold, lower, upper }),
    arithmetic: `${formatShare(value)}, ${ends}: ${by}`,
    value,
    threshold,
    lower,
    upper,
    confidence,
    n: cases.length,
  };
}

/** The names of the methods of correction. */
const methodNames: Readonly<Record<NonNullable<RuleDecision['correction']>['method'], string>> = {
  ppi: 'PPI++',
  stratified: 'by stratum',
  'weighted-ppi': 'PPI, weighted',
  'rogan-gladen': 'Rogan-Gladen',
  'people-alone': 'people alone',
};
