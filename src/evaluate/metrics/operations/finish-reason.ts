import { z } from 'zod';
import { standardFinish } from '../../../core/lib/finish-words.ts';
import { defineMetric } from '../metric.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { passOrFail } from '../verdicts.ts';

/**
 * Checks that the target stopped writing for an expected reason: 1, else 0. `finish_reason: "end_turn"` and `STOP` of
 * different servers are the same reason; a word that is not known is compared as it is, ignoring letter case. Not
 * measured when the target does not report the reason.
 */
export const finishReason = defineMetric({
  name: 'finish-reason',
  family: 'operations',
  version: 1,
  summary: 'The target stopped writing for an expected reason: 1, else 0.',
  words: 'truncated, cut off, max tokens, stopped early, length limit, content filter',
  options: () =>
    z.strictObject({
      value: z
        .union([nonEmpty(), z.array(nonEmpty()).min(1)])
        .default('stop')
        .describe(
          'The expected reason, or several of which one is enough: `stop`, `length`, `tool-calls`, `content-filter`, or any word of the server.',
        ),
    }),
  create: ({ value }) => {
    const wanted = new Set([value].flat().map(standardFinish));
    return {
      score: ({ trial: { finishReason: reported } }) => {
        if (reported === undefined) {
          const reason = 'the target did not report why it stopped';
          return { status: 'failed', code: 'finish-reason-not-recorded', reason };
        }
        const passed = wanted.has(standardFinish(reported));
        const explanation = passed
          ? undefined
          : `it stopped because of ${reported}, not ${[value].flat().join(' or ')}`;
        return passOrFail(passed, { explanation, evidence: { finishReason: reported } });
      },
    };
  },
});
