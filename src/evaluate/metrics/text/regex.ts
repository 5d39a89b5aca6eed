import { z } from 'zod';
import { execPattern } from '../../../core/lib/exec-pattern.ts';
import { defineMetric } from '../metric.ts';

/**
 * Checks that a regular expression matches somewhere in the answer: 1, else 0. A pattern that takes too long leaves the
 * trial unmeasured.
 */
export const regex = defineMetric({
  name: 'regex',
  family: 'content',
  version: 1,
  summary: 'A regular expression matches the answer: 1, else 0.',
  words:
    'regular expression, pattern, regexp, format, phone number, email address, match a pattern, starts with, begins with, ends with, markdown, bullet points, heading, emoji, uppercase, prefix, credit card, address',
  example: { pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  options: () =>
    z
      .strictObject({
        pattern: z.string().min(1).describe('A JavaScript regular expression, without the slashes.'),
        flags: z
          .string()
          .regex(/^[imsuv]*$/, 'only the flags i, m, s, u and v')
          .default('iu')
          .describe('The flags of the expression.'),
      })
      .superRefine(({ pattern, flags }, context) => {
        try {
          new RegExp(pattern, flags);
        } catch (error) {
          context.addIssue({ code: 'custom', path: ['pattern'], message: (error as Error).message });
        }
      }),
  create: ({ pattern, flags }) => {
    const expression = new RegExp(pattern, flags);
    return {
      score: ({ trial }) => {
        const match = execPattern(expression, trial.answer ?? '');
        if (match === null) return { status: 'scored', value: 0, passed: false, explanation: 'no match' };
        return { status: 'scored', value: 1, passed: true, evidence: { match: match[0].slice(0, 200) } };
      },
    };
  },
});
