import { z } from 'zod';

/**
 * A configured extension as plain data: which one (`use`), an optional name for it in this run, and its options.
 * The same value in TypeScript, YAML, JSON and the database.
 */
export const useSchema = z.looseObject({ use: z.string().min(1), name: z.string().min(1).optional() });
export type Use = z.infer<typeof useSchema>;
