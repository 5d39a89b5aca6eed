import { z } from 'zod';
import { jsonSchema } from './json.ts';
import { messageSchema } from './message.ts';

/** A tool that the target is expected to use: its name, or an object with the name and more. */
export const expectedToolSchema = z.union([
  z.string().min(1),
  z.looseObject({ name: z.string().min(1).describe('The name of the tool.') }),
]);
export type ExpectedTool = z.infer<typeof expectedToolSchema>;

/** A document that the target is expected to find: its id, or an object with the id and how relevant it is. */
export const expectedDocumentSchema = z.union([
  z.string().min(1),
  z.looseObject({
    id: z.string().min(1).describe('The id of the document.'),
    relevance: z
      .number()
      .default(1)
      .describe(
        'How relevant it is: more is better; 0 and less, as in some judgement files, is not relevant.',
      ),
  }),
]);
export type ExpectedDocument = z.infer<typeof expectedDocumentSchema>;

/** What a good answer holds. Every part is optional; a metric that needs a missing part says so. */
export const expectedSchema = z.object({
  answer: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('The reference answer, or several acceptable ones.'),
  keywords: z.array(z.string().min(1)).optional().describe('Texts that the answer is to contain.'),
  forbidden: z.array(z.string().min(1)).optional().describe('Texts that must not appear in the answer.'),
  tools: z.array(expectedToolSchema).optional().describe('Tools to use; an empty list when none is needed.'),
  entities: z.array(z.string().min(1)).optional().describe('Names and numbers that the answer is about.'),
  documents: z
    .array(expectedDocumentSchema)
    .optional()
    .describe('Documents to find, by id; with relevance where some matter more.'),
  state: jsonSchema.optional().describe('What the world is to look like after the conversation.'),
  refusal: z.boolean().optional().describe('Whether the target is to decline the question.'),
});
export type Expected = z.infer<typeof expectedSchema>;

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
  metadata: z
    .record(z.string(), jsonSchema)
    .default({})
    .describe('Anything else; kept with the case and handed to the target.'),
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

/** An expected document with its relevance, whichever way it is written; a bare id has relevance 1. */
export function gradedDocument(document: ExpectedDocument): {
  readonly id: string;
  readonly relevance: number;
} {
  return typeof document === 'string' ? { id: document, relevance: 1 } : document;
}
