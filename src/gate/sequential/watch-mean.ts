import { type Finding, notMeasured } from '../rules/gate-rule.ts';
import { sayConfidence, sayPlural } from '../rules/phrases.ts';
import type { ErrorRates, RuleWatch, Standing } from './rule-watch.ts';
import {
  boundsOfUnits,
  createMissedEvidence,
  createReachedEvidence,
  type UnitScope,
  type UnitSums,
} from './unit-evidence.ts';

/** Decides on a mean after every unit, by evidence that may be looked at as often as one likes. */
export function watchMean(mean: WatchedMean, rates: ErrorRates): RuleWatch {
  const { threshold, scope, units: unitScope } = mean;
  const above = createReachedEvidence(threshold, unitScope);
  const below = createMissedEvidence(threshold, unitScope);
  const units: UnitSums[] = [];
  let [isOpen, standing, cases] = [false, 'continue' as Standing, 0];
  let isCertain = false;

  const look = () => {
    const sides = [
      ['pass', above.evidence(), rates.pass],
      ['fail', below.evidence(), rates.fail],
    ] as const;
    const shown = sides.find(([, found, rate]) => found >= 1 / rate);
    if (shown === undefined) return;
    standing = shown[0];
    isCertain = shown[1] === Infinity;
  };

  return {
    advance: (positions) => {
      if (isOpen || standing !== 'continue') return;
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
    standing: () => standing,
    finding: () => {
      if (isOpen) return notMeasured('its numbers have no bounds, so it cannot be decided before the end');
      if (scope.every((isIn) => isIn === 0)) return notMeasured('no case counts');
      return tellMean(mean, { units, cases, standing, isCertain, rates });
    },
  };
}

/** Undefined where no case of the unit is one of the rule's, or where nothing is left to say about the plan. */
function sumUnit(
  { scope, rangeAt, units }: WatchedMean,
  positions: Uint32Array,
): UnitSums | undefined | 'unbounded' {
  const own = positions.filter((position) => scope[position] === 1);
  const ranges = Array.from(own, rangeAt).filter((range) => range !== undefined);
  if (ranges.includes('unbounded')) return 'unbounded';
  const known = ranges as readonly CaseRange[];
  // Of a whole plan, units that the rule does not apply to are a part; of all cases there could be, none.
  if (own.length === 0 || (known.length === 0 && units.population === undefined)) return undefined;
  return {
    cases: known.length,
    low: known.reduce((sum, { low }) => sum + low, 0),
    high: known.reduce((sum, { high }) => sum + high, 0),
  };
}

/** How far a mean was watched. */
interface MeanProgress {
  /** In their order. */
  readonly units: readonly UnitSums[];
  readonly cases: number;
  readonly standing: Standing;
  /** Whether it was decided by what could not change any more. */
  readonly isCertain: boolean;
  readonly rates: ErrorRates;
}

/** What a rule says of a mean: the decision, or that it is open; the bounds hold wherever the run ends. */
function tellMean(mean: WatchedMean, progress: MeanProgress): Finding {
  const { cases, standing, isCertain, rates } = progress;
  const { held, broken } = mean.telling;
  if (cases === 0) return notMeasured('no case was answered in its turn', { threshold: null });
  const numbers = computeNumbers(mean, progress);
  const about = `${sayPlural(cases, 'case')} in random order`;
  const whole = mean.units.population === undefined ? '' : ' in a whole run';
  if (standing === 'continue') {
    const reason = `after ${about} it is not decided yet: the mean${whole} could be ${numbers.range}`;
    return { ...numbers.told, outcome: 'inconclusive', reason };
  }
  const shown = standing === 'pass' ? held : broken;
  const sure = isCertain
    ? 'whatever the other cases would give'
    : `with ${sayConfidence(1 - rates[standing])} confidence`;
  return { ...numbers.told, outcome: standing, reason: `${shown}${whole}, ${sure}: shown by ${about}` };
}

function computeNumbers({ telling, units: scope, threshold }: WatchedMean, progress: MeanProgress) {
  const { units, cases, rates } = progress;
  const { toScale, say } = telling;
  const inScale = (one: number, other: number) => {
    const [first, second] = [toScale(one), toScale(other)];
    return first < second ? ([first, second] as const) : ([second, first] as const);
  };
  const sum = (part: 'low' | 'high') => units.reduce((total, unit) => total + unit[part], 0);
  const [least, most] = inScale(sum('low') / cases, sum('high') / cases);
  const value = most - least < 1e-9 ? least : null;
  const ends = boundsOfUnits(units, scope, { lower: rates.pass, upper: rates.fail });
  const [lower, upper] = inScale(ends.lower, ends.upper);
  const range = `from ${say(lower)} to ${say(upper)}`;
  const found = value === null ? `mean from ${say(least)} to ${say(most)}` : `mean ${say(value)}`;
  const errors = `error ${sayRate(rates.pass)} to pass, ${sayRate(rates.fail)} to fail`;
  const arithmetic = `${sayPlural(cases, 'case')} in random order: ${found}; ${range} at whichever look (betting; ${errors})`;
  const confidence = 1 - rates.pass;
  return {
    range,
    told: { value, threshold: toScale(threshold), n: cases, lower, upper, confidence, arithmetic },
  };
}

function sayRate(rate: number): string {
  return `${Number((rate * 100).toPrecision(3))} %`;
}

/** A case in [0, 1], higher being better: a number, or between which two it would be had all been measured. */
export interface CaseRange {
  readonly low: number;
  readonly high: number;
}

/** A mean that is to reach a threshold, and how it is told. */
interface WatchedMean {
  /** In [0, 1], higher being better. */
  readonly threshold: number;
  /** The cases that the rule is about, by position. */
  readonly scope: Uint8Array;
  readonly units: UnitScope;
  /** Undefined for a case to which the rule does not apply; `unbounded` for one with a number that has no bounds. */
  readonly rangeAt: (position: number) => CaseRange | undefined | 'unbounded';
  readonly telling: Telling;
}

/** How a mean is told. */
interface Telling {
  /** Of a mean in [0, 1], in the scale of the rule. */
  readonly toScale: (mean: number) => number;
  readonly say: (value: number) => string;
  /** What is shown when the rule holds, and when it does not. */
  readonly held: string;
  readonly broken: string;
}
