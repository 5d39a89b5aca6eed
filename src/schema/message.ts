import { z } from 'zod';
import { jsonSchema } from './json.ts';

/** One use of a tool by the target: what was asked of it and what came back. */
export const toolCallSchema = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: jsonSchema.optional(),
  result: jsonSchema.optional(),
  /** The tool's own error message; present only when the call failed. */
  error: z.string().optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One message of a conversation. */
export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullable(),
  /** The tools that an assistant message asked for, with their results where the target reported them. */
  toolCalls: z.array(toolCallSchema).optional(),
  /** In a tool message: the call that this is the result of. */
  toolCallId: z.string().optional(),
  name: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;
