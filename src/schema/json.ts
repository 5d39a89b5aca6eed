import { z } from 'zod';

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Any JSON value, unchecked on the way in: what reaches a record has gone through `toJson` or `JSON.parse`,
 * and walking it again would cost more than everything else in a row.
 */
export const jsonSchema: z.ZodType<Json> = z.any().meta({ description: 'Any JSON value.' });
