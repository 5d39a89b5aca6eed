import { limitSteps } from '../../lib/step-limit.ts';
import type { ExpectedCall } from './expected-call.ts';
import type { ActualCall } from './read-calls.ts';

/** Room for one call of an expectation. */
export interface CallSlot {
  readonly call: ExpectedCall;
  /** Whether the slot is to be filled; the others may be. */
  readonly isRequired: boolean;
}

/** Pairs that are weighed at most. */
const mostPairs = 2e6;

/**
 * A slot for each time that each call is expected, where it may be made ever so often as many as there are calls of its
 * tool. Throws `UnmeasurableError` (`too-long`) for slots and calls that make too many pairs.
 */
export function callSlots(expected: readonly ExpectedCall[], calls: readonly ActualCall[]): CallSlot[] {
  const count = limitSteps(
    mostPairs,
    `${calls.length} tool calls are too many to be paired with expected ones`,
  );
  return expected.flatMap((call) => {
    const { least, most } = call.times ?? { least: 1, most: 1 };
    const usable = most === least ? least : calls.filter((actual) => call.isOf(actual)).length;
    const slots = Math.max(least, Math.min(most, usable));
    count(slots * calls.length);
    return Array.from({ length: slots }, (_, index) => ({ call, isRequired: index < least }));
  });
}
