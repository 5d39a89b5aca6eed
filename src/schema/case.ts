import { z } from 'zod';
import { expectedSchema } from './expected.ts';
import { gateMarkSchema } from './gate-mark.ts';
import { jsonSchema } from './json.ts';
import { messageSchema } from './message.ts';
import { userSchema } from './conversation.ts';

export { type Expected, expectedToolName, gradedDocument } from './expected.ts';

/**
 * One row of a dataset: what is put to the target and what a good answer holds.
 * `id` is its name; the hash of its content (see `hashCase`) is its identity.
 */
export const caseSchema = z.object({
  id: z.string().min(1).describe('Its name, once in a dataset; made of its content when left out.'),
  input: z
    .union([z.string().min(1), z.array(messageSchema).min(1)])
    .describe('The question, or a conversation that ends with it.'),
  category: z.string().min(1).optional().describe('The group under which reports count it.'),
  tags: z.array(z.string()).default([]).describe('Words to choose cases by.'),
  expected: expectedSchema.default({}).describe('What a good answer holds.'),
  user: userSchema
    .optional()
    .describe('Who talks to the target, in a case of several turns; `input` is what is said first.'),
  context: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Why the question matters, or background for reviewers and judges. Never sent to the target.'),
  cluster: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Cases that share one (a document, a template, a conversation) are not independent of each other.',
    ),
  gate: gateMarkSchema
    .optional()
    .describe(
      'Whether the gate decides on it: `gate` (as when left out), `watch`, or `quarantine until 2026-12-31`.',
    ),
  metadata: z
    .record(z.string(), jsonSchema)
    .default({})
    .describe('Anything else; kept with the case and handed to the target.'),
});
/**
 * One row of a dataset: what is put to the target and what a good answer holds.
 * `id` is its name; the hash of its content (see `hashCase`) is its identity.
 */
export type Case = z.infer<typeof caseSchema>;

/** The category under which cases without one are reported. */
export const uncategorized = 'uncategorized';

/** The text of a case's question: its input, or the content of its last user message. */
export function questionOf(testCase: Pick<Case, 'input'>): string {
  if (typeof testCase.input === 'string') return testCase.input;
  const question = testCase.input.findLast((message) => message.role === 'user') ?? testCase.input.at(-1);
  return question?.content ?? '';
}
