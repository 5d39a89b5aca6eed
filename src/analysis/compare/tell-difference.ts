import type { Estimate } from '../../schema/estimate.ts';
import type { RunDifference, Sensitivity } from '../../schema/run-comparison.ts';
import { minimumDetectableDifference, pairedSampleSize } from '../../stats/planning/paired-sample-size.ts';
import { confidence, rangeOfDifference, withCautions, withinRange } from '../summary/to-estimate.ts';
import type { Differences } from './difference-tally.ts';
import { testDifferences } from './test-differences.ts';

/** What a row of a comparison is about. */
export interface RowSubject extends Pick<RunDifference, 'measure' | 'name' | 'better'> {
  readonly unit: string | undefined;
  readonly isRuleChanged: boolean;
  /** Whether B is the newer run: differences are of newer and older, and told as B minus A. */
  readonly isForward: boolean;
}

const power = 0.8;
/** Differences of shares that people ask about; of those that were too small to be seen, the largest are planned for. */
const askedFor: readonly number[] = [0.1, 0.05, 0.02, 0.01, 0.005];

/** A row of a comparison. What it finds is said later, when all rows are there to be corrected together. */
export function tellDifference(differences: Differences, subject: RowSubject): RunDifference {
  const { isForward, isRuleChanged, unit, ...named } = subject;
  const { pValue, standardDeviation, ...tested } = testDifferences(differences);
  const estimate = withCautions(withinRange(tested.estimate, rangeOfDifference(unit)), {}, unit);
  const { n } = differences.moments;
  const meanOf = (sum: number) => (n === 0 ? null : sum / n);
  const newer = { mean: meanOf(differences.sumNewer), only: differences.onlyNewer };
  const older = { mean: meanOf(differences.sumOlder), only: differences.onlyOlder };
  const [a, b] = isForward ? [older, newer] : [newer, older];
  const { higher, lower } = differences;
  return {
    ...named,
    ...(unit === undefined ? {} : { unit }),
    meanA: a.mean,
    meanB: b.mean,
    difference: isForward ? estimate : mirrored(estimate),
    pValue,
    adjustedPValue: null,
    higher: isForward ? higher : lower,
    lower: isForward ? lower : higher,
    equal: differences.equal,
    pairs: differences.pairs,
    onlyA: a.only,
    onlyB: b.only,
    neither: differences.neither,
    finding: 'too-few',
    sensitivity: standardDeviation === null ? null : sensitivityOf(standardDeviation, n, unit === undefined),
    ...(isRuleChanged ? { isRuleChanged } : {}),
  };
}

/** The same estimate of the opposite difference. */
export function mirrored({ value, lower, upper, ...rest }: Estimate): Estimate {
  return { value: negated(value), lower: negated(upper), upper: negated(lower), ...rest };
}

/** 0 − x, so that no difference is told as −0. */
function negated(value: number | null): number | null {
  return value === null ? null : 0 - value;
}

function sensitivityOf(standardDeviation: number, n: number, isShare: boolean): Sensitivity {
  const { value: detectable } = minimumDetectableDifference({ standardDeviation, n, power, confidence });
  const missed = isShare ? askedFor.filter((difference) => difference < detectable).slice(0, 2) : [];
  const wanted = missed.length === 0 ? [detectable / 2] : missed;
  const plans = wanted.map((difference) => ({
    difference,
    questions: pairedSampleSize({ difference, standardDeviation, power, confidence }).n,
  }));
  return { detectable, power, confidence, plans };
}
