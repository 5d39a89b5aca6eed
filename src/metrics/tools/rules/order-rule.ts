import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { type CallRule, nameCall } from './rule.ts';

/** A rule of `order`, its patterns compiled. */
export interface CompiledOrder {
  readonly call: ExpectedCall;
  readonly after: readonly ExpectedCall[];
  readonly before: readonly ExpectedCall[];
}

/** `order`: every call like `call` has a call like each of `after` earlier, and like each of `before` later. */
export function compileOrder({ call: pattern, after, before }: CompiledOrder): CallRule {
  return ({ calls }) =>
    calls.flatMap((call, index) => {
      if (!pattern.fits(call)) return [];
      return [
        ...lacking(after, calls.slice(0, index)).map((text) => `${nameCall(call)}, was made before ${text}`),
        ...lacking(before, calls.slice(index + 1)).map(
          (text) => `${nameCall(call)}, had no ${text} after it`,
        ),
      ];
    });
}

function lacking(expected: readonly ExpectedCall[], calls: readonly ActualCall[]): string[] {
  return expected.filter((pattern) => !calls.some((call) => pattern.fits(call))).map(({ text }) => text);
}
