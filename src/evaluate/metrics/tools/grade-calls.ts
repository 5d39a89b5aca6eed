import { limitSteps } from '../../../core/lib/compute-within.ts';
import { assign } from '../matching/assign.ts';
import type { ExpectedCall } from './expected-call.ts';
import type { ActualCall } from './read-calls.ts';

/**
 * The credit for a call of the right tool with wrong arguments: a share of 1, or the share of its arguments that are
 * right.
 */
export type PartialCredit = number | 'arguments';

/** An actual call in the place of an expected one, with its credit above 0 and at most 1. */
export interface CallPair {
  readonly slot: CallSlot;
  readonly call: ActualCall;
  readonly credit: number;
}

/** A one-to-one pairing of expected and actual calls with the largest possible sum of credits. */
export interface CallGrades {
  readonly pairs: readonly CallPair[];
  /** The required calls without a partner. */
  readonly missing: readonly ExpectedCall[];
  /** The actual calls without a partner. */
  readonly extra: readonly ActualCall[];
  /** The number of calls that were required, and the number that were made. */
  readonly required: number;
  readonly made: number;
}

// The preference, between pairings with equal credits, for the one that fills more required calls.
const preference = 1e-6;

/** Pairs expected and actual calls. */
export function gradeCalls(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  partialCredit: PartialCredit,
): CallGrades {
  const slots = callSlots(expected, calls);
  const credits = slots.map((slot) => calls.map((call) => creditOf(slot.call, call, partialCredit)));
  const weights = credits.map((row, index) =>
    row.map((credit) => (slots[index]?.isRequired === true ? credit * (1 + preference) : credit)),
  );
  const paired = assign(weights);
  const partners = new Set(paired);
  const pairs = slots.flatMap((slot, row): CallPair[] => {
    const call = calls[paired[row] ?? -1];
    return call === undefined ? [] : [{ slot, call, credit: credits[row]?.[paired[row] ?? -1] ?? 0 }];
  });
  return {
    pairs,
    missing: slots
      .filter(({ isRequired }, row) => isRequired && paired[row] === null)
      .map(({ call }) => call),
    extra: calls.filter((_, index) => !partners.has(index)),
    required: slots.filter(({ isRequired }) => isRequired).length,
    made: calls.length,
  };
}

function creditOf(expected: ExpectedCall, call: ActualCall, partialCredit: PartialCredit): number {
  if (!expected.isOf(call) || !expected.hasStatus(call)) return 0;
  if (expected.fits(call)) return 1;
  if (partialCredit !== 'arguments') return partialCredit;
  const { right, total } = expected.countArguments(call) ?? { right: 0, total: 0 };
  return total === 0 ? 0 : right / total;
}

/** Returns the share of the calls made that were expected; null when none was made. */
export function precisionOf({ pairs, made }: CallGrades): number | null {
  return made === 0 ? null : sumCredits(pairs) / made;
}

/** Returns the share of the required calls that were made; null when none is required. */
export function recallOf({ pairs, required }: CallGrades): number | null {
  return required === 0 ? null : sumCredits(pairs.filter(({ slot }) => slot.isRequired)) / required;
}

/** Returns the harmonic mean of precision and recall, or the one that is defined; null when neither is. */
export function f1Of(grades: CallGrades): number | null {
  const [precision, recall] = [precisionOf(grades), recallOf(grades)];
  if (precision === null || recall === null) return precision ?? recall;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function sumCredits(pairs: readonly CallPair[]): number {
  return pairs.reduce((sum, { credit }) => sum + credit, 0);
}

/** A place for one call of an expectation. */
export interface CallSlot {
  readonly call: ExpectedCall;
  /** True when the place must be filled; otherwise it may be. */
  readonly isRequired: boolean;
}

/** The most pairs that are weighed. */
const mostPairs = 2e6;

/**
 * Returns one slot for each time that each call is expected; for an open number, as many as there are calls of its
 * tool. Throws `UnmeasurableError` (`too-long`) when slots and calls make too many pairs.
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
