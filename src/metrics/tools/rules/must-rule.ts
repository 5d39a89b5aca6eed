import type { ExpectedCall } from '../expected-call.ts';
import { type CallRule, countTimes, describeMissing, describeTimes } from './rule.ts';

const atLeastOnce = { least: 1, most: Number.POSITIVE_INFINITY };

/** `must`: each expected call was made, as often as it says; one call may be what several of them ask for. */
export function compileMust(expected: readonly ExpectedCall[]): CallRule {
  return ({ calls }) =>
    expected.flatMap((call) => {
      const times = call.times ?? atLeastOnce;
      const count = calls.filter((actual) => call.fits(actual)).length;
      if (count >= times.least && count <= times.most) return [];
      if (count === 0) return [describeMissing(call, calls)];
      return [`${call.text} was called ${countTimes(count)}, expected ${describeTimes(times)}`];
    });
}
