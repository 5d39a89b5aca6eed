import { z } from 'zod';
import type { Usage } from '../../../core/schema/usage.ts';
import { defineMetric } from '../metric.ts';

/**
 * Counts the tokens of the target's calls for a trial: input and output together, or one kind; also for a trial that
 * failed. Not measured when the target does not report them.
 */
export const tokens = defineMetric({
  name: 'tokens',
  family: 'operations',
  version: 1,
  quantity: { unit: 'tokens', limits: ['max'] },
  summary: 'Tokens that the target used, failures included.',
  words: 'token count, usage, input tokens, output tokens, context size',
  example: { max: 2000 },
  options: () =>
    z.strictObject({
      count: z
        .enum(['all', 'input', 'output', 'cached', 'reasoning'])
        .default('all')
        .describe(
          'The tokens that count. Cached tokens are part of the input, reasoning tokens part of the output.',
        ),
      max: z.int().min(0).optional().describe('The verdict passes up to this many tokens.'),
    }),
  create: ({ count, max }) => ({
    measuresFailures: true,
    score: ({ trial: { usage } }) => {
      const value = countTokens(usage ?? {}, count);
      if (value === undefined) {
        const kind = count === 'all' ? 'tokens' : `number of ${count} tokens`;
        return { status: 'failed', code: 'tokens-unknown', reason: `the target did not report its ${kind}` };
      }
      return {
        status: 'scored',
        value,
        unit: 'tokens',
        passed: max === undefined ? undefined : value <= max,
      };
    },
  }),
});

function countTokens(
  usage: Usage,
  count: 'all' | 'input' | 'output' | 'cached' | 'reasoning',
): number | undefined {
  const { inputTokens, outputTokens } = usage;
  if (count !== 'all') return usage[`${count}Tokens`];
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
}
