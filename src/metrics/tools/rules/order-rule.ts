import type { ExpectedCall } from '../expected-call.ts';
import { type CallRule, nameCall } from './rule.ts';

/** A rule of `order`, its patterns compiled. */
export interface CompiledOrder {
  readonly call: ExpectedCall;
  readonly after: readonly ExpectedCall[];
  readonly before: readonly ExpectedCall[];
}

/** `order`: every call like `call` has a call like each of `after` earlier, and like each of `before` later. */
export function compileOrder({ call: pattern, after, before }: CompiledOrder): CallRule {
  return ({ calls }) => {
    const firsts = after.map((earlier) => calls.findIndex((call) => earlier.fits(call)));
    const lasts = before.map((later) => calls.findLastIndex((call) => later.fits(call)));
    return calls.flatMap((call, index) => {
      if (!pattern.fits(call)) return [];
      return [
        ...after
          .filter((_, place) => !isBetween(firsts[place], 0, index - 1))
          .map(({ text }) => `${nameCall(call)}, was made before ${text}`),
        ...before
          .filter((_, place) => !isBetween(lasts[place], index + 1, calls.length))
          .map(({ text }) => `${nameCall(call)}, had no ${text} after it`),
      ];
    });
  };
}

function isBetween(place = -1, least: number, most: number): boolean {
  return place >= least && place <= most;
}
