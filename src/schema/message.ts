import { z } from 'zod';
import { jsonSchema } from './json.ts';

/** One use of a tool by the target: what was asked of it and what came back. */
export const toolCallSchema = z.lazy(() =>
  z.object({
    id: z.string().optional().describe('What ties a call to its result.'),
    name: z.string().describe('The name of the tool.'),
    arguments: jsonSchema.optional().describe('What the tool was given.'),
    result: jsonSchema.optional().describe('What the tool gave back.'),
    error: z.string().optional().describe("The tool's own error message; present only when the call failed."),
    fault: z
      .string()
      .optional()
      .describe('The kind of fault that Touchstone put into this call, in place of what the tool gave back.'),
    withheld: jsonSchema
      .optional()
      .describe('What the tool really gave back, where a fault changed it: the target never saw this.'),
  }),
);
/** One use of a tool by the target: what was asked of it and what came back. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One message of a conversation. */
export const messageSchema = z.lazy(() =>
  z.object({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who speaks.'),
    content: z.string().nullable().describe('What is said; null in a message that only asks for tools.'),
    reasoning: z
      .string()
      .optional()
      .describe('What the speaker thought before it spoke, where that is told; never part of what is said.'),
    toolCalls: z
      .array(toolCallSchema)
      .optional()
      .describe(
        'The tools that an assistant message asked for, with their results where the target reported them.',
      ),
    toolCallId: z.string().optional().describe('In a tool message: the call that this is the result of.'),
    name: z.string().optional().describe('The name of who speaks, where there are several in a role.'),
  }),
);
/** One message of a conversation. */
export type Message = z.infer<typeof messageSchema>;
