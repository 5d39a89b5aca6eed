import { notMeasured } from '../rules/gate-rule.ts';
import type { ErrorRates, RuleWatch, Standing } from './rule-watch.ts';
import { tellMean } from './tell-mean.ts';
import { createMissedEvidence, createReachedEvidence, type UnitSums } from './unit-evidence.ts';
import type { CaseRange, WatchedMean } from './watched-mean.ts';

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
