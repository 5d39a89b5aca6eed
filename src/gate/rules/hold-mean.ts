import { createCompensatedSum } from '../../stats/compensated-sum.ts';
import { trialsWithoutFailure } from '../../stats/planning/trials-without-failure.ts';
import { boundsOfMean, type CaseValues } from './bounds.ts';
import { type Finding, type GateEvidence, notMeasured } from './gate-rule.ts';
import { holdWithGaps, type Supposition } from './hold-with-gaps.ts';
import { sayConfidence, sayNumber, sayPlural, sayThreshold } from './say-number.ts';
import { clustersOf, type SelectedCases, selectCases } from './select-cases.ts';
import { sayOfSubject, type Subject } from './subject.ts';

const tolerance = 1e-9;

/** A mean that is to reach, or not to pass, a threshold. */
export interface MeanRule {
  readonly subject: Subject;
  readonly relation: 'at-least' | 'at-most';
  /** Given the unit of the numbers, undefined for shares in [0, 1]; in the same scale. */
  readonly thresholdIn: (unit: string | undefined) => number;
  /** Holds a one-sided bound against the threshold, in place of the mean. */
  readonly confidence?: number | undefined;
  /** For independent values that are all 0 or 1; exact unless another is named. */
  readonly method?: 'clopper-pearson' | 'wilson' | undefined;
}

/** Decides on the mean over cases of their means over attempts, by the point or by its bound. */
export function holdMean(rule: MeanRule, evidence: GateEvidence): Finding {
  const numbers = evidence.numbersOf(rule.subject);
  if ('reason' in numbers) return notMeasured(numbers.reason);
  const selected = selectCases(evidence.cases, numbers);
  if (selected.cases.length === 0) return notMeasured(`no case has ${sayOfSubject(rule.subject)}`);
  const unit = numbers.unit();
  return holdWithGaps(selected, evidence.run.gate.minCoverage, (supposition) =>
    judge(rule, unit, valuesUnder(selected, supposition)),
  );
}

/** The values of cases under a supposition; without one, of those that were measured. */
function valuesUnder({ cases, numbers }: SelectedCases, supposition: Supposition): CaseValues {
  const part = ({ measured: 'value', worst: 'low', best: 'high' } as const)[supposition];
  const kept = cases.flatMap((each, index) => {
    const value = numbers[index]?.[part] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [{ each, value }];
  });
  return {
    values: kept.map(({ value }) => value),
    clusters: clustersOf(kept.map(({ each }) => each)),
  };
}

function judge(rule: MeanRule, unit: string | undefined, values: CaseValues): Finding {
  const threshold = rule.thresholdIn(unit);
  const value = meanOf(values.values);
  const base = { value, threshold, n: values.values.length };
  const mean = `mean of ${sayPlural(base.n, 'case')} ${sayNumber(value, unit)}`;
  if (!Number.isFinite(value)) return notMeasured('what is missing could be anything', { threshold });
  if (rule.confidence === undefined) return { ...base, ...judgePoint(rule, unit, base), arithmetic: mean };
  const { confidence, method: named, subject } = rule;
  const bounds = boundsOfMean(values, {
    confidence,
    unit,
    method: named,
    isTruth: subject.measure === 'passed',
  });
  const level = `one-sided ${sayConfidence(rule.confidence)}`;
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: mean };
  }
  const { lower, upper, method } = bounds;
  return {
    ...base,
    ...judgeBounds(rule, unit, { ...base, ...bounds }),
    arithmetic: `${mean}; ${level} bounds ${sayNumber(lower, unit)} and ${sayNumber(upper, unit)} (${method})`,
    lower,
    upper,
    confidence: rule.confidence,
  };
}

type Held = { readonly value: number; readonly threshold: number };

function judgePoint(
  { subject, relation }: MeanRule,
  unit: string | undefined,
  { value, threshold }: Held,
): Pick<Finding, 'outcome' | 'reason'> {
  const isMissed = relation === 'at-least' ? value < threshold - tolerance : value > threshold + tolerance;
  const side = relation === 'at-least' ? 'under' : 'over';
  const said = `${sayOfSubject(subject)}, ${sayNumber(value, unit)}, is ${isMissed ? '' : 'not '}${side}`;
  return { outcome: isMissed ? 'fail' : 'pass', reason: `${said} ${sayThreshold(threshold, unit)}` };
}

function judgeBounds(
  rule: MeanRule,
  unit: string | undefined,
  held: Held & { readonly lower: number; readonly upper: number },
): Pick<Finding, 'outcome' | 'reason'> {
  const { subject, relation, confidence = 0 } = rule;
  const { value, threshold, lower, upper } = held;
  const [near, far] = relation === 'at-least' ? [lower, upper] : [-upper, -lower];
  const limit = relation === 'at-least' ? threshold : -threshold;
  const what = sayOfSubject(subject);
  const asked = sayThreshold(threshold, unit);
  const level = sayConfidence(confidence);
  const [isAbove, isBelow] = [near >= limit - tolerance, far < limit - tolerance];
  if (isAbove)
    return { outcome: 'pass', reason: `${what} ${sayAtLeast(relation, asked)} with ${level} confidence` };
  if (isBelow) {
    const opposite = relation === 'at-least' ? 'under' : 'over';
    return { outcome: 'fail', reason: `${what} is ${opposite} ${asked} with ${level} confidence` };
  }
  const range = `could be from ${sayNumber(lower, unit)} to ${sayNumber(upper, unit)}`;
  const isPerfect = unit === undefined && relation === 'at-least' && value >= 1 - tolerance;
  const needed = isPerfect && limit < 1 ? trialsWithoutFailure({ share: 1 - limit, confidence }) : undefined;
  const hint = needed === undefined ? '' : `; it takes ${needed} cases without a fault to show it`;
  return {
    outcome: 'inconclusive',
    reason: `${what}, ${sayNumber(value, unit)}, ${range}: ${asked} is neither shown nor ruled out${hint}`,
  };
}

function sayAtLeast(relation: MeanRule['relation'], asked: string): string {
  return relation === 'at-least' ? `is at least ${asked}` : `is at most ${asked}`;
}

function meanOf(values: readonly number[]): number {
  if (values.some((value) => !Number.isFinite(value))) return Number.NaN;
  const sum = createCompensatedSum();
  for (const value of values) sum.add(value);
  return sum.total() / values.length;
}
