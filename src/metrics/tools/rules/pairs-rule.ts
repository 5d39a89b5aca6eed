import { assign } from '../../matching/assign.ts';
import { type CallSlot, callSlots } from '../call-slots.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { type CallRule, countTimes, describeMissing, describeTimes, nameCall, nearestCall } from './rule.ts';

/** What may differ where order does not matter. */
export interface PairsOptions {
  /** Whether expected calls may be missing, as in the mode `subset`. */
  readonly allowsMissing: boolean;
  /** Whether there may be calls beside the expected ones, as in the mode `superset`. */
  readonly allowsExtra: boolean;
}

/**
 * The modes `unordered`, `superset` and `subset`: expected and actual calls are paired one to one, so that what needs a
 * partner has one where that is possible. An actual call that an expectation with `times` is about needs one even where
 * extra calls are allowed: without, it is one too many.
 */
export function compilePairs(
  expected: readonly ExpectedCall[],
  { allowsMissing, allowsExtra }: PairsOptions,
): CallRule {
  const limited = expected.filter(({ times }) => times !== undefined);
  return ({ calls }) => {
    const slots = callSlots(expected, calls);
    const needs = calls.map((call) => Number(!allowsExtra || limited.some((pattern) => pattern.fits(call))));
    const weights = slots.map(({ call: pattern, isRequired }) =>
      calls.map((call, column) =>
        pattern.fits(call) ? Number(isRequired && !allowsMissing) + (needs[column] ?? 0) : 0,
      ),
    );
    const paired = assign(weights);
    const partners = new Set(paired);
    const left = calls.filter((_, column) => !partners.has(column));
    const missing = slots.filter(({ isRequired }, row) => isRequired && paired[row] === null);
    if (allowsMissing) return describeLeft(left, expected, allowsExtra);
    const filled = slots.filter((_, row) => paired[row] !== null);
    const near = missing.map(({ call }) => takeNearest(call, left));
    return [
      ...new Set(missing.map(({ call }, index) => describeUnfilled(call, filled, near[index]))),
      ...describeLeft(left, expected, allowsExtra),
    ];
  };
}

/** The call that is nearest to an expected one, taken out of those left: it is told of once. */
function takeNearest(expected: ExpectedCall, left: ActualCall[]): ActualCall[] {
  const nearest = nearestCall(expected, left);
  return nearest === undefined ? [] : left.splice(left.indexOf(nearest), 1);
}

function describeUnfilled(
  call: ExpectedCall,
  filled: readonly CallSlot[],
  near: readonly ActualCall[] = [],
): string {
  const count = filled.filter((slot) => slot.call === call).length;
  if (near.length > 0 || count === 0 || call.times === undefined) return describeMissing(call, near);
  return `${call.text} was called ${countTimes(count)}, expected ${describeTimes(call.times)}`;
}

function describeLeft(
  left: readonly ActualCall[],
  expected: readonly ExpectedCall[],
  allowsExtra: boolean,
): string[] {
  return left.flatMap((call) => {
    const times = expected.find((pattern) => pattern.times !== undefined && pattern.fits(call))?.times;
    if (times !== undefined) return [`${nameCall(call)}, is one too many: expected ${describeTimes(times)}`];
    return allowsExtra ? [] : [`${nameCall(call)}, was not expected`];
  });
}
