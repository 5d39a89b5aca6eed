import { z } from 'zod';
import { jsonSchema } from './json.ts';
import { messageSchema } from './message.ts';

/** A tool that the target is expected to use: its name, or an object with the name and more. */
export const expectedToolSchema = z.union([z.string().min(1), z.looseObject({ name: z.string().min(1) })]);
export type ExpectedTool = z.infer<typeof expectedToolSchema>;

/** What a good answer holds. Every part is optional; a metric that needs a missing part says so. */
export const expectedSchema = z.object({
  /** The reference answer, or several acceptable ones. */
  answer: z.union([z.string(), z.array(z.string())]).optional(),
  keywords: z.array(z.string().min(1)).optional(),
  /** Text that must not appear in the answer. */
  forbidden: z.array(z.string().min(1)).optional(),
  tools: z.array(expectedToolSchema).optional(),
  entities: z.array(z.string().min(1)).optional(),
  documents: z.array(z.string().min(1)).optional(),
  state: jsonSchema.optional(),
  refusal: z.boolean().optional(),
});
export type Expected = z.infer<typeof expectedSchema>;

/**
 * One row of a dataset: what is put to the target and what a good answer holds.
 * `id` is its name; the hash of its content (see `hashCase`) is its identity.
 */
export const caseSchema = z.object({
  id: z.string().min(1),
  input: z.union([z.string().min(1), z.array(messageSchema).min(1)]),
  category: z.string().min(1).optional(),
  tags: z.array(z.string()).default([]),
  expected: expectedSchema.default({}),
  /** Why the question matters, or background for reviewers and judges. Never sent to the target. */
  context: z.union([z.string(), z.array(z.string())]).optional(),
  /** Cases that share a cluster (a document, a template, a conversation) are not independent of each other. */
  cluster: z.string().min(1).optional(),
  metadata: z.record(z.string(), jsonSchema).default({}),
});
export type Case = z.infer<typeof caseSchema>;

/** The category under which cases without one are reported. */
export const uncategorized = 'uncategorized';

/** The text of a case's question: its input, or the content of its last user message. */
export function questionOf(testCase: Pick<Case, 'input'>): string {
  if (typeof testCase.input === 'string') return testCase.input;
  const question = testCase.input.findLast((message) => message.role === 'user') ?? testCase.input.at(-1);
  return question?.content ?? '';
}

/** The name of an expected tool, whichever way it is written. */
export function expectedToolName(tool: ExpectedTool): string {
  return typeof tool === 'string' ? tool : tool.name;
}
