import { z } from 'zod';

/** What a target or a model says it consumed. A count that was not reported is absent, never 0. */
export const usageSchema = z.lazy(() =>
  z.object({
    inputTokens: z.number().nonnegative().optional(),
    outputTokens: z.number().nonnegative().optional(),
    cachedTokens: z.number().nonnegative().optional(),
    reasoningTokens: z.number().nonnegative().optional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** Times of one call in milliseconds, without any waiting of ours. */
export const latencySchema = z.lazy(() =>
  z.object({
    totalMs: z.number().nonnegative(),
    firstTokenMs: z.number().nonnegative().optional(),
    stepsMs: z.array(z.number().nonnegative()).optional(),
  }),
);
export type Latency = z.infer<typeof latencySchema>;

const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** What several calls consumed together. A count that one of them did not report is not known of all. */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const known = counts.flatMap((count): [string, number][] => {
    const sum = sumKnown(all.map((usage) => usage?.[count]));
    return sum === undefined ? [] : [[count, sum]];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The sum of amounts; undefined when one of them is not known, or when there are none. */
export function sumKnown(amounts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return amounts.length === 0 ? undefined : sum;
}
