import { z } from 'zod';
import { attackTraceSchema } from './attacks/attack.ts';
import type { Case } from './case.ts';
import { conversationSchema } from './conversation.ts';
import { amount, jsonSchema, positiveInt, wholeNumber } from './json.ts';
import { type Message, messageSchema, type ToolCall, toolCallSchema } from './message.ts';
import { batchRefSchema, latencySchema, sumKnown, sumUsage, usageSchema } from './usage.ts';

/** The usage and cost of having a model rephrase questions, which are never part of the target's. */
export const rewritingSchema = z.lazy(() =>
  z.object({
    model: z.string(),
    usage: usageSchema.optional(),
    /** Cost in US dollars; absent when unknown. */
    cost: amount().optional(),
  }),
);
export type Rewriting = z.infer<typeof rewritingSchema>;

/** Returns several together; undefined when there is none. A count that one of them lacks is unknown for all. */
export function sumRewritings(all: readonly (Rewriting | undefined)[]): Rewriting | undefined {
  const taken = all.filter((each) => each !== undefined);
  const [first] = taken;
  if (first === undefined || taken.length === 1) return first;
  const usage = sumUsage(taken.map((each) => each.usage));
  const cost = sumKnown(taken.map((each) => each.cost));
  return { model: first.model, ...(usage && { usage }), cost };
}

/** A document that the target retrieved, best first. */
export const retrievedDocumentSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    text: z.string().optional(),
    score: z.number().optional(),
    /** Other names that it was retrieved with, such as the file that a passage belongs to; the nearest first. */
    sources: z.array(z.string()).min(1).optional(),
    /**
     * True when it was given to the target with every question: a source of its answer, but not a document that it
     * found.
     */
    given: z.literal(true).optional(),
  }),
);
export type RetrievedDocument = z.infer<typeof retrievedDocumentSchema>;

/** A member of a reply that nothing reads. */
export const unreadMemberSchema = z.object({
  key: z.string(),
  /** The path of what looks like tool calls in it; absent when nothing does. */
  callsAt: z.string().optional(),
});
export type UnreadMember = z.infer<typeof unreadMemberSchema>;

/**
 * The error because of which a trial has no usable answer. Codes are kebab-case: `timeout`, `target-threw`,
 * `process-exited`, …
 */
export const trialErrorSchema = z.object({ code: z.string(), message: z.string() });
export type TrialError = z.infer<typeof trialErrorSchema>;

/**
 * The reason why a trial says nothing about the target: the simulated user was at fault. Kinds are kebab-case, such
 * as `leaked`.
 */
export const invalidationSchema = z.object({ kind: z.string(), reason: z.string() });
export type Invalidation = z.infer<typeof invalidationSchema>;

/** Traffic of a server of tools that is no call: the listing of its tools, or what leads past the proxy. */
export const toolTrafficSchema = z.lazy(() =>
  z.object({
    server: z.string(),
    /** Such as `tools/list`; `redirect` or `address` for what leads past the proxy. */
    method: z.string(),
    /** The number of requests. */
    count: positiveInt(),
    status: z.int().optional(),
    /** All of them together, in milliseconds. */
    ms: amount(),
    /** The content of both, for a replay; stored once for each process. */
    request: jsonSchema.optional(),
    reply: jsonSchema.optional(),
  }),
);
export type ToolTraffic = z.infer<typeof toolTrafficSchema>;

/** One try at one case by one target, stored permanently. */
export const trialSchema = () =>
  z.object({
    key: z.string(),
    /** The place in the plan of the run, from 0: ordered by case, then target, then attempt. */
    ordinal: wholeNumber(),
    caseId: z.string(),
    caseHash: z.string(),
    target: z.string(),
    /** Counts from 1. */
    attempt: positiveInt(),
    seed: wholeNumber(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    /** The whole conversation, starting with the case's own messages. */
    transcript: z.array(messageSchema),
    answer: z.string().nullable(),
    /**
     * True when neither the reply nor a recording of it says which tools were used: their absence from the transcript
     * then means nothing.
     */
    toolsUnknown: z.literal(true).optional(),
    /**
     * The calls that the target reported of tools that Touchstone observes; absent when it reported none, or no tool is observed.
     * What it really called is in the transcript.
     */
    reportedCalls: z.array(toolCallSchema).optional(),
    /** The observed calls of earlier tries at a question, which were given up; absent when there were none. */
    tries: z.array(z.object({ toolCalls: z.array(toolCallSchema) })).optional(),
    /** The further traffic of servers of tools; absent when there was none. */
    toolTraffic: z.array(toolTrafficSchema).optional(),
    /** The members of a reply that nothing read; absent when there were none, and in recordings. */
    unread: z.array(unreadMemberSchema).optional(),
    documents: z.array(retrievedDocumentSchema).optional(),
    state: jsonSchema.optional(),
    usage: usageSchema.optional(),
    /** Cost in US dollars; absent when unknown. */
    cost: amount().optional(),
    latency: latencySchema.optional(),
    /** The batch in which it was answered, if it was: then there is no latency. */
    batch: batchRefSchema.optional(),
    /**
     * The reason why the target stopped writing its answer, in its own word or in the words of Touchstone's models: `stop`,
     * `length`, `tool-calls`, `content-filter` or `other`; absent when it was not reported.
     */
    finishReason: z.string().optional(),
    /**
     * The word with which the provider of the model refused to answer, such as `SAFETY` or `content_filter`; absent when it
     * did not refuse. The answer is then null, or the provider's own text of the refusal.
     */
    refused: z.string().optional(),
    /** Number of calls repeated after a temporary fault. */
    retries: wholeNumber(),
    error: trialErrorSchema.optional(),
    /** The course of the conversation; absent from a trial of a single question. */
    conversation: conversationSchema.optional(),
    /** Fields recorded besides an answer, such as a reward, by their names in the file. */
    recorded: z.record(z.string(), jsonSchema).optional(),
    /** Present when the trial does not count against the target, whatever its result. */
    spoilt: invalidationSchema.optional(),
    /**
     * True when the trial was made under a condition that did not take effect: no tool call was changed, or no
     * question was rephrased.
     */
    untouched: z.literal(true).optional(),
    /**
     * The second answer of a target that is said to be deterministic, compared with the first; `usage` and `cost` are of both calls. Absent
     * when it was asked once.
     */
    repeat: z.enum(['equal', 'different', 'failed']).optional(),
    /** Present when the question is an attack. */
    attack: attackTraceSchema.optional(),
    /** Present when a model was called for this trial to rephrase its questions. */
    rewriting: rewritingSchema.optional(),
    /** Output of the target besides its answer, such as a process's stderr. */
    logs: z.string().optional(),
    /** The day on which its texts were erased. Nothing can be scored in it any more. */
    erased: z.iso.date().optional(),
    /** Start of the last call, or of the first turn in a conversation; ISO 8601. */
    startedAt: z.iso.datetime(),
  });
export type Trial = z.infer<ReturnType<typeof trialSchema>>;

/** The error code of a trial that a recording does not contain. */
export const notRecordedCode = 'not-recorded';

/** The error code of a trial that was not made, since its question has pictures or other files that the target does not take. */
export const untakenCode = 'attachments-unsupported';

/** The error code of what no batch has answered. */
export const unansweredCode = 'batch-unanswered';

/** The error code of a trial in which Touchstone's own proxy of tools failed. */
export const proxyFailedCode = 'tool-proxy-failed';

/** The error code of an attack that cannot reach the target, since its tools do not pass through Touchstone. */
export const noWayInCode = 'no-way-in';

/** The error codes of failed trials that say nothing about the target: they were not measured. */
export const unmeasuredCodes: readonly string[] = [
  notRecordedCode,
  untakenCode,
  unansweredCode,
  proxyFailedCode,
  noWayInCode,
];

/**
 * Returns whether a trial ended in an error of the target. A trial that a recording does not contain, or whose question the
 * target does not take, says nothing about it: it was not measured.
 */
export function isTargetError({
  status,
  error,
}: Pick<Trial, 'status'> & { readonly error?: Pick<TrialError, 'code'> }): boolean {
  return status === 'failed' && !unmeasuredCodes.includes(error?.code ?? '');
}

/** Converts a case's input to messages. */
export function inputMessages(input: Case['input']): Message[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

/** Builds the transcript of a single exchange: the case's messages and one answer with its tool calls. */
export function exchange(input: Case['input'], answer: string | null, toolCalls: ToolCall[]): Message[] {
  const reply: Message = { role: 'assistant', content: answer };
  if (toolCalls.length > 0) reply.toolCalls = toolCalls;
  return [...inputMessages(input), reply];
}

/** Adds the files of an answer to its message, the last one of an exchange. */
export function withFiles(messages: Message[], attachments: Message['attachments']): Message[] {
  const last = messages.at(-1);
  if (attachments === undefined || last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, attachments }];
}

/** Returns all tool calls of a conversation in order. */
export function toolCallsOf(transcript: readonly Message[]): ToolCall[] {
  return transcript.flatMap((message) => message.toolCalls ?? []);
}

/** A trial to be made, fixed before anything is called. */
export interface TrialSpec {
  /** Hash of the case's content, the target's fingerprint and the attempt: trials with the same key are the same. */
  readonly key: string;
  readonly case: Case;
  readonly caseHash: string;
  /** The place in the plan, from 0: ordered by case, then target, then attempt. */
  readonly ordinal: number;
  readonly target: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly seed: number;
}
