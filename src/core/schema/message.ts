import { z } from 'zod';
import { isContainer } from '../lib/json/is-container.ts';
import { jsonSchema, positiveInt, wholeNumber } from './json.ts';

/** The source of the result of an observed call. */
const callSourceSchema = z.enum(['tool', 'cassette', 'mock', 'refused']);
/** The source of the result of an observed call. */
export type CallSource = z.infer<typeof callSourceSchema>;

/** The parts of a tool's answer beside its result, with which a replay gives the same bytes. */
const wireSchema = z.lazy(() =>
  z.object({
    status: z.int().optional(),
    contentType: z.string().optional(),
    /** Such as the content of an MCP result that is more than one text. */
    parts: jsonSchema.optional(),
    truncated: z.literal(true).optional(),
  }),
);
/** The parts of a tool's answer beside its result. */
export type Wire = z.infer<typeof wireSchema>;

/** One tool call of the target, with its arguments and its result. */
export const toolCallSchema = z.lazy(() =>
  z.object({
    id: z.string().optional().describe('The id that links a call to its result.'),
    name: z.string().describe('The name of the tool.'),
    arguments: jsonSchema.optional().describe('The arguments of the call.'),
    result: jsonSchema.optional().describe('The result that the target received.'),
    error: z.string().optional().describe("The tool's own error message; present only when the call failed."),
    fault: z
      .string()
      .optional()
      .describe('The kind of fault that Touchstone injected into this call in place of the real result.'),
    withheld: jsonSchema
      .optional()
      .describe('The real result of the tool, if a fault changed it: the target never saw this.'),
    server: z.string().optional().describe('The server of the tool, as `tools.servers` names it.'),
    from: callSourceSchema
      .optional()
      .describe(
        'Where the result came from, for a call that Touchstone saw: the tool, a recording, a mock, or a refusal.',
      ),
    observed: z
      .literal(true)
      .optional()
      .describe('True when Touchstone itself saw the call; otherwise the target reported it.'),
    readOnly: z.literal(true).optional().describe('True for a tool that says that it changes nothing.'),
    startMs: z
      .number()
      .optional()
      .describe('When the call began, in milliseconds from the start of the attempt.'),
    durationMs: z.number().optional().describe('How long the call took, in milliseconds.'),
    afterAnswer: z
      .literal(true)
      .optional()
      .describe('True for a call that was made between an answer and the next question.'),
    wire: wireSchema.optional().describe('What of an answer over MCP or HTTP a result cannot express.'),
  }),
);
/** One tool call of the target, with its arguments and its result. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/** The kinds of files that stand in a message. */
export const attachmentKinds = ['image', 'pdf', 'audio'] as const;
/** A kind of file in a message. */
export type AttachmentKind = (typeof attachmentKinds)[number];

/** The types of files that stand in a message, as their first bytes show. */
const mediaTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'audio/wav',
  'audio/mpeg',
] as const;

/** A picture, a PDF or a sound in a message. Its bytes are stored separately, under their hash. */
export const attachmentSchema = z.lazy(() =>
  z.object({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('The SHA-256 of its bytes.'),
    mediaType: z.enum(mediaTypes).describe('What its first bytes are.'),
    bytes: positiveInt().describe('Its size.'),
    name: z.string().optional().describe('The name of its file.'),
    at: wholeNumber().describe('Its place in the content, in UTF-16 units.'),
  }),
);
/** A picture, a PDF or a sound in a message. Its bytes are stored separately, under their hash. */
export type Attachment = z.infer<typeof attachmentSchema>;

/** Returns the kind of a file. */
export function kindOf({ mediaType }: Pick<Attachment, 'mediaType'>): AttachmentKind {
  if (mediaType === 'application/pdf') return 'pdf';
  return mediaType.startsWith('audio/') ? 'audio' : 'image';
}

/** Anything with files: a message, or a part of the material of a judge. */
interface Attached {
  readonly role?: Role;
  readonly attachments?: readonly Attachment[];
}

type Role = 'system' | 'user' | 'assistant' | 'tool';

/** The files that somebody takes. */
export interface Taking {
  /** The kinds of files that it takes in messages; none by default. */
  readonly takes?: readonly AttachmentKind[];
  /** The roles in whose messages it takes them; all by default. */
  readonly takesFrom?: readonly Role[];
}

/** Returns the kinds of files that stand in messages, each once. */
export function kindsIn(messages: readonly Attached[]): AttachmentKind[] {
  const present = new Set(messages.flatMap(({ attachments = [] }) => attachments.map(kindOf)));
  return attachmentKinds.filter((kind) => present.has(kind));
}

/** Returns the kinds of files in messages that are not taken, or not there. */
export function untakenKinds(
  messages: readonly Attached[],
  { takes = [], takesFrom }: Taking,
): AttachmentKind[] {
  const elsewhere = takesFrom
    ? kindsIn(messages.filter(({ role }) => role !== undefined && !takesFrom.includes(role)))
    : [];
  return kindsIn(messages).filter((kind) => !takes.includes(kind) || elsewhere.includes(kind));
}

/** Returns the words for where kinds are not taken that are taken elsewhere; empty for kinds that are not taken at all. */
export function placeOf(untaken: readonly AttachmentKind[], { takes = [] }: Taking): string {
  return untaken.every((kind) => takes.includes(kind)) ? " outside the user's messages" : '';
}

const kindWords: Readonly<Record<AttachmentKind, string>> = {
  image: 'pictures',
  pdf: 'PDFs',
  audio: 'sounds',
};

/** Returns kinds in words: `pictures and PDFs`. */
export function wordsOfKinds(kinds: readonly AttachmentKind[]): string {
  const words = kinds.map((kind) => kindWords[kind]);
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** One message of a conversation. */
export const messageSchema = z.lazy(() =>
  z.object({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('The role of the speaker.'),
    content: z
      .string()
      .nullable()
      .describe('The text of the message; null in a message that only calls tools.'),
    reasoning: z
      .string()
      .optional()
      .describe('The reasoning before the message, where the target reports it; never part of the text.'),
    toolCalls: z
      .array(toolCallSchema)
      .optional()
      .describe('The tool calls of an assistant message, with their results where the target reported them.'),
    toolCallId: z.string().optional().describe('In a tool message, the id of the call that it answers.'),
    name: z.string().optional().describe('The name of the speaker, where a role has several.'),
    attachments: z
      .array(attachmentSchema)
      .optional()
      .describe('Pictures, PDFs and sounds in the message, in the order in which they stand.'),
  }),
);
/** One message of a conversation. */
export type Message = z.infer<typeof messageSchema>;

/** A file of a reply. Its bytes come with it in base64 until they are stored; without them, it is one that a store may have. */
export interface ReplyFile extends Attachment {
  readonly base64?: string;
}

/** Anything of a reply that may have files: a message, or the answer. */
export interface WithFiles {
  readonly attachments?: ReplyFile[];
  /** The reasons why its files are not stored, a clause for each. */
  readonly unkept?: string[];
}

/** The attributes of a piece of work by name, with lists and objects as in JSON. */
export type Attributes = Readonly<Record<string, unknown>>;

/** An event at one moment of a span, or a log record written within it. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly timeMs?: number;
  readonly attributes: Attributes;
}

/** One piece of work in a trace, as OpenTelemetry records it. */
export interface Span {
  /** The place of the span in its file, for messages. */
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly traceId: string;
  /** The id of the span; absent when the file has none. */
  readonly spanId?: string;
  /** The id of the parent span; absent from the first span of a trace. */
  readonly parentId?: string;
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs?: number;
  readonly endMs?: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Present when the work failed; empty when the trace gives no reason. */
  readonly error?: string;
  /** The agent or service that did the work. */
  readonly resource: Attributes;
}

/** All spans of a file that belong to one trace, or to one conversation of several traces. */
export interface RecordedTrace {
  /** The id of the conversation that the spans name. */
  readonly conversationId?: string;
  /** The spans in the order of the file, at least one. */
  readonly spans: readonly Span[];
}

/** Returns whether a value is a trace in the form that the trace reader produces. */
export function isRecordedTrace(value: object): value is RecordedTrace {
  const { spans } = value as Partial<Record<'spans', unknown>>;
  return Array.isArray(spans) && spans.length > 0 && spans.every(isSpan);
}

function isSpan(value: unknown): boolean {
  if (!isContainer(value)) return false;
  return ['place', 'traceId', 'attributes', 'events', 'resource'].every((part) => part in value);
}
