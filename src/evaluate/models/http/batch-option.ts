import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import type { BatchSettings } from '../model.ts';

/** The option of models whose provider has batches. */
export const batchOption = lazily(() =>
  z
    .union([
      z.boolean(),
      z.strictObject({
        atLeast: z.int().positive().default(20).describe('Fewer requests than this are asked one by one.'),
        waitMs: z
          .number()
          .positive()
          .optional()
          .describe('Most milliseconds to wait for a batch; then it is cancelled.'),
        otherwise: z
          .enum(['ask', 'fail'])
          .default('ask')
          .describe('What becomes of requests that no batch has answered: asked one by one, or failed.'),
        price: z
          .number()
          .positive()
          .max(1)
          .optional()
          .describe('Share of the usual price, such as 0.5, where Touchstone does not know it.'),
      }),
    ])
    .optional()
    .describe(
      'Asks in batches, which are answered within a day, mostly within an hour, for half the price: judges, `chat` without tools and `full-context`. `true`, or `{ atLeast: 20, waitMs: 7200000, otherwise: ask }`.',
    ),
);

/** Returns the settings that an option gives; undefined for no batches. */
export function batchSettings(option: z.output<ReturnType<typeof batchOption>>): BatchSettings | undefined {
  if (option === undefined || option === false) return undefined;
  return option === true ? { atLeast: 20, otherwise: 'ask' } : option;
}
