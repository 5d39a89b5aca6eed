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
