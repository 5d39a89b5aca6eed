import { type Finding, notMeasured } from '../gate-rule.ts';
import { formatConfidence, formatCount } from '../phrases.ts';
import type { ErrorRates, RuleWatch, RuleStatus } from './rule-watch.ts';
import {
  boundsOfUnits,
  createMissedEvidence,
  createReachedEvidence,
  type UnitScope,
  type UnitSums,
} from './unit-evidence.ts';

/** A mean that should reach a threshold, with the wording of its finding. */
interface WatchedMean {
  /** The threshold in [0, 1], higher being better. */
  readonly threshold: number;
  /** The cases that the rule applies to, by position. */
  readonly scope: Uint8Array;
  readonly units: UnitScope;
  /**
   * Returns the range of a case; undefined when the rule does not apply to it, `unbounded` when its number has no
   * bounds.
   */
  readonly rangeAt: (position: number) => CaseRange | undefined | 'unbounded';
  readonly wording: MeanWording;
}

/** The value of a case in [0, 1], higher being better: its least and greatest possible value. */
export interface CaseRange {
  readonly low: number;
  readonly high: number;
}

/** The wording of a finding about a mean. */
interface MeanWording {
  /** Converts a mean in [0, 1] to the scale of the rule. */
  readonly toScale: (mean: number) => number;
  readonly format: (value: number) => string;
  /** The statements for a rule that passes, and for one that fails. */
  readonly passed: string;
  readonly failed: string;
}

/**
 * Creates a watch that decides on a mean after every unit, by evidence that remains valid however often it is
 * examined.
 */
export function watchMean(mean: WatchedMean, rates: ErrorRates): RuleWatch {
  const { threshold, scope, units: unitScope } = mean;
  const above = createReachedEvidence(threshold, unitScope);
  const below = createMissedEvidence(threshold, unitScope);
  const units: UnitSums[] = [];
  let [isOpen, status, cases] = [false, 'continue' as RuleStatus, 0];
  let isCertain = false;

  const look = () => {
    const sides = [
      ['pass', above.evidence(), rates.pass],
      ['fail', below.evidence(), rates.fail],
    ] as const;
    const shown = sides.find(([, found, rate]) => found >= 1 / rate);
    if (shown === undefined) return;
    status = shown[0];
    isCertain = shown[1] === Infinity;
  };

  return {
    advance: (positions) => {
      if (isOpen || status !== 'continue') return;
      const sums = sumUnit(mean, positions);
      if (sums === 'unbounded') isOpen = true;
      else if (sums !== undefined) {
        units.push(sums);
        cases += sums.cases;
        above.add(sums);
        below.add(sums);
        look();
      }
    },
    status: () => status,
    finding: () => {
      if (isOpen) return notMeasured('its numbers have no bounds, so it cannot be decided before the end');
      if (scope.every((isIn) => isIn === 0)) return notMeasured('no question counts');
      return findingOf(mean, { units, cases, status, isCertain, rates });
    },
  };
}

/**
 * Sums the cases of a unit; returns undefined when the rule applies to none of them, or when they add nothing about
 * the plan.
 */
function sumUnit(
  { scope, rangeAt, units }: WatchedMean,
  positions: Uint32Array,
): UnitSums | undefined | 'unbounded' {
  const own = positions.filter((position) => scope[position] === 1);
  const ranges = Array.from(own, rangeAt).filter((range) => range !== undefined);
  if (ranges.includes('unbounded')) return 'unbounded';
  const known = ranges as readonly CaseRange[];
  // Units to which the rule does not apply belong to a whole plan, but not to the population of all possible cases.
  if (own.length === 0 || (known.length === 0 && units.population === undefined)) return undefined;
  return {
    cases: known.length,
    low: known.reduce((sum, { low }) => sum + low, 0),
    high: known.reduce((sum, { high }) => sum + high, 0),
  };
}

/** The progress of watching a mean. */
interface MeanProgress {
  /** The units in their order. */
  readonly units: readonly UnitSums[];
  readonly cases: number;
  readonly status: RuleStatus;
  /** True when it was decided because no other result was possible. */
  readonly isCertain: boolean;
  readonly rates: ErrorRates;
}

/** Returns the finding about a mean, decided or open; its bounds are valid wherever the run ends. */
function findingOf(mean: WatchedMean, progress: MeanProgress): Finding {
  const { cases, status, isCertain, rates } = progress;
  const { passed, failed } = mean.wording;
  if (cases === 0) return notMeasured('no question was answered in its turn', { threshold: null });
  const numbers = computeNumbers(mean, progress);
  const about = `${formatCount(cases, 'question')} in random order`;
  const whole = mean.units.population === undefined ? '' : ' in a whole run';
  if (status === 'continue') {
    const reason = `after ${about} it is not decided yet: the mean${whole} could be ${numbers.range}`;
    return { ...numbers.parts, outcome: 'inconclusive', reason };
  }
  const shown = status === 'pass' ? passed : failed;
  const sure = isCertain
    ? 'whatever the other questions would give'
    : `with ${formatConfidence(1 - rates[status])} confidence`;
  return { ...numbers.parts, outcome: status, reason: `${shown}${whole}, ${sure}: shown by ${about}` };
}

function computeNumbers({ wording, units: scope, threshold }: WatchedMean, progress: MeanProgress) {
  const { units, cases, rates } = progress;
  const { toScale, format } = wording;
  const inScale = (one: number, other: number) => {
    const [first, second] = [toScale(one), toScale(other)];
    return first < second ? ([first, second] as const) : ([second, first] as const);
  };
  const sum = (part: 'low' | 'high') => units.reduce((total, unit) => total + unit[part], 0);
  const [least, most] = inScale(sum('low') / cases, sum('high') / cases);
  const value = most - least < 1e-9 ? least : null;
  const ends = boundsOfUnits(units, scope, { lower: rates.pass, upper: rates.fail });
  const [lower, upper] = inScale(ends.lower, ends.upper);
  const range = `from ${format(lower)} to ${format(upper)}`;
  const found = value === null ? `mean from ${format(least)} to ${format(most)}` : `mean ${format(value)}`;
  const errors = `error ${formatRate(rates.pass)} to pass, ${formatRate(rates.fail)} to fail`;
  const arithmetic = `${formatCount(cases, 'question')} in random order: ${found}; ${range} at whichever look (betting; ${errors})`;
  const confidence = 1 - rates.pass;
  return {
    range,
    parts: { value, threshold: toScale(threshold), n: cases, lower, upper, confidence, arithmetic },
  };
}

function formatRate(rate: number): string {
  return `${Number((rate * 100).toPrecision(3))} %`;
}
