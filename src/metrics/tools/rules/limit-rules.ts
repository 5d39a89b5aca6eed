import type { ExpectedCall } from '../expected-call.ts';
import { type CallRule, nameCall } from './rule.ts';

/** `mustNot`: no call is like one of these. */
export function compileMustNot(unwanted: readonly ExpectedCall[]): CallRule {
  return ({ calls }) =>
    calls
      .filter((call) => unwanted.some((pattern) => pattern.fits(call)))
      .map((call) => `${nameCall(call)}, was not to be made`);
}

/** `only`: every call is like one of these. */
export function compileOnly(allowed: readonly ExpectedCall[]): CallRule {
  const list = allowed.map(({ text }) => text).join(', ');
  return ({ calls }) =>
    calls
      .filter((call) => !allowed.some((pattern) => pattern.fits(call)))
      .map((call) => `${nameCall(call)}, is not among those allowed: ${list}`);
}

/** `none`: there is no call. */
export const checkNone: CallRule = ({ calls }) =>
  calls.map((call) => `${nameCall(call)}, was made where no tool was to be called`);
