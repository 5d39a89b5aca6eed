import type { ExpectedCall } from './expected-call.ts';
import type { ActualCall } from './read-calls.ts';

/** Room for one call of an expectation. */
export interface CallSlot {
  readonly call: ExpectedCall;
  /** Whether the slot is to be filled; the others may be. */
  readonly isRequired: boolean;
}

/** A slot for each time that each call is expected, where it may be made ever so often as many as there are calls of its tool. */
export function callSlots(expected: readonly ExpectedCall[], calls: readonly ActualCall[]): CallSlot[] {
  return expected.flatMap((call) => {
    const { least, most } = call.times ?? { least: 1, most: 1 };
    const usable = most === least ? least : calls.filter((actual) => call.isOf(actual)).length;
    const count = Math.max(least, Math.min(most, usable));
    return Array.from({ length: count }, (_, index) => ({ call, isRequired: index < least }));
  });
}
