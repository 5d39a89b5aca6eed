import { z } from 'zod';
import { type ExactNumber, isNumber } from '../lib/json/exact-number.ts';

/** Any value that JSON can hold. A number with more digits than a double holds is an {@link ExactNumber}. */
export type Json = null | boolean | number | ExactNumber | string | Json[] | { [key: string]: Json };

/**
 * Any JSON value, unchecked on the way in: what reaches a record has gone through `toJson` or `parseJson`,
 * and walking it again would cost more than everything else in a row.
 */
export const jsonSchema: z.ZodType<Json> = z.any().meta({ description: 'Any JSON value.' });

/** A number with all its digits: a double, or an {@link ExactNumber} where a double would lose some. */
export const numberSchema: z.ZodType<number | ExactNumber> = z
  .any()
  .superRefine((value: unknown, context) => {
    if (isNumber(value) && !Number.isNaN(value)) return;
    context.addIssue({ code: 'invalid_type', expected: 'number', input: value });
  })
  .meta({ type: 'number' });

/** Returns the schema of a whole number that is not negative, such as a count or a place in a list. */
export function wholeNumber() {
  return z.int().nonnegative();
}

/** Returns the schema of a whole number of at least 1. */
export function positiveInt() {
  return z.int().positive();
}

/** Returns the schema of a number that is not negative, such as milliseconds or dollars. */
export function amount() {
  return z.number().nonnegative();
}

/** Returns the schema of a share, from 0 to 1. */
export function share() {
  return z.number().min(0).max(1);
}

/** Returns the schema of a text that is not empty. */
export function nonEmpty() {
  return z.string().min(1);
}
