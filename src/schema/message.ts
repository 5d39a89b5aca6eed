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

/** Names and values that describe a piece of work, with lists and objects as JSON has them. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Something that happened at one moment of a span, or a log record that was written within it. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly timeMs?: number | undefined;
  readonly attributes: Attributes;
}

/** One piece of work in a trace, as OpenTelemetry records it. */
export interface Span {
  /** Where it stands in its file, for messages. */
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly traceId: string;
  /** Absent from a span that was written down without one. */
  readonly spanId?: string | undefined;
  /** Absent from the first span of a trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Present when the work failed; empty when nothing is said of why. */
  readonly error?: string | undefined;
  /** The agent or service that did the work. */
  readonly resource: Attributes;
}

/** Everything that a file holds of one trace, or of one conversation that several traces are of. */
export interface RecordedTrace {
  /** The name of the conversation that the spans say they belong to. */
  readonly conversationId?: string | undefined;
  /** At least one, in the order of the file. */
  readonly spans: readonly Span[];
}

/** Whether a value is a trace as the reader of traces gives it. */
export function isRecordedTrace(value: object): value is RecordedTrace {
  const { spans } = value as Partial<Record<'spans', unknown>>;
  return Array.isArray(spans) && spans.length > 0 && spans.every(isSpan);
}

function isSpan(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['place', 'traceId', 'attributes', 'events', 'resource'].every((part) => part in value);
}
