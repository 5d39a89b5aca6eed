import { z } from 'zod';
import type { Case } from './case.ts';
import { conversationSchema } from './conversation.ts';
import { jsonSchema } from './json.ts';
import { type Message, messageSchema, type ToolCall } from './message.ts';
import { latencySchema, sumKnown, sumUsage, usageSchema } from './usage.ts';

/** What it took to have a model put questions in other words: never part of what the target took. */
export const rewritingSchema = z.lazy(() =>
  z.object({
    model: z.string(),
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
  }),
);
export type Rewriting = z.infer<typeof rewritingSchema>;

/** Several together; undefined where there was none. A count that one of them does not have is not known of all. */
export function sumRewritings(all: readonly (Rewriting | undefined)[]): Rewriting | undefined {
  const taken = all.filter((each) => each !== undefined);
  const [first] = taken;
  if (first === undefined || taken.length === 1) return first;
  const usage = sumUsage(taken.map((each) => each.usage));
  const cost = sumKnown(taken.map((each) => each.cost));
  return { model: first.model, ...(usage && { usage }), ...(cost !== undefined && { cost }) };
}

export { type Latency, latencySchema, type Usage, usageSchema } from './usage.ts';

/** A document that the target retrieved, best first. */
export const retrievedDocumentSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    text: z.string().optional(),
    score: z.number().optional(),
    /** Handed to the target with every question: a source of its answer, but nothing that it found. */
    given: z.literal(true).optional(),
  }),
);
export type RetrievedDocument = z.infer<typeof retrievedDocumentSchema>;

/** Why a trial has no usable answer. Codes are kebab-case: `timeout`, `target-threw`, `process-exited`, … */
export const trialErrorSchema = z.object({ code: z.string(), message: z.string() });
/** One try at one case by one target, as it is kept for ever. */
export type TrialError = z.infer<typeof trialErrorSchema>;

/** Why a trial says nothing of the target: the simulated user was at fault. Kinds are kebab-case, such as `leaked`. */
export const spoiltSchema = z.object({ kind: z.string(), reason: z.string() });
export type Spoilt = z.infer<typeof spoiltSchema>;

/** One try at one case by one target, as it is kept for ever. */
export const trialSchema = () =>
  z.object({
    key: z.string(),
    /** Place in the plan of its run, from 0: case by case, then target, then attempt. */
    ordinal: z.int().nonnegative(),
    caseId: z.string(),
    caseHash: z.string(),
    target: z.string(),
    /** Counts from 1. */
    attempt: z.int().positive(),
    seed: z.int().nonnegative(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    /** The whole conversation, the case's own messages first. */
    transcript: z.array(messageSchema),
    answer: z.string().nullable(),
    /** The recording does not say which tools were used: that there is no call in the transcript means nothing. */
    toolsUnknown: z.literal(true).optional(),
    documents: z.array(retrievedDocumentSchema).optional(),
    state: jsonSchema.optional(),
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
    latency: latencySchema.optional(),
    /** Calls made again after a passing fault, beyond the first. */
    retries: z.int().nonnegative(),
    error: trialErrorSchema.optional(),
    /** How the turns went; absent from a trial of a single question. */
    conversation: conversationSchema.optional(),
    /** What was written down beside a recorded answer, such as a reward; by the name it has in its file. */
    recorded: z.record(z.string(), jsonSchema).optional(),
    /** Present when the trial is not to be held against the target, whatever became of it. */
    spoilt: spoiltSchema.optional(),
    /** Made under a condition that did not come to bear: no tool was hit by a fault, no question put in another way. */
    untouched: z.literal(true).optional(),
    /** Present when a model was asked, for this trial, to put its questions in other words. */
    rewriting: rewritingSchema.optional(),
    /** What the target wrote beside its answer, such as a process's stderr. */
    logs: z.string().optional(),
    /** When the last call began, in a conversation that of its first turn; ISO 8601. */
    startedAt: z.iso.datetime(),
  });
export type Trial = z.infer<ReturnType<typeof trialSchema>>;

/** The code of a trial that a recording does not hold. */
export const notRecordedCode = 'not-recorded';

/**
 * Whether a trial ended in an error of its target's. That a recording does not hold it says nothing of the target: it was
 * not measured.
 */
export function isTargetError({
  status,
  error,
}: Pick<Trial, 'status'> & { readonly error?: Pick<TrialError, 'code'> | undefined }): boolean {
  return status === 'failed' && error?.code !== notRecordedCode;
}

/** A case's input as messages. */
export function inputMessages(input: Case['input']): Message[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

/** The transcript of a single exchange: the case's messages and one answer with the tools it used. */
export function exchange(input: Case['input'], answer: string | null, toolCalls: ToolCall[]): Message[] {
  const reply: Message = { role: 'assistant', content: answer };
  if (toolCalls.length > 0) reply.toolCalls = toolCalls;
  return [...inputMessages(input), reply];
}

/** All tool calls of a conversation in the order they were made. */
export function toolCallsOf(transcript: readonly Message[]): ToolCall[] {
  return transcript.flatMap((message) => message.toolCalls ?? []);
}

/** One trial to be made, frozen before anything is called. */
export interface TrialSpec {
  /** Hash of the case's content, the target's fingerprint and the attempt: the same key is the same trial. */
  readonly key: string;
  readonly case: Case;
  readonly caseHash: string;
  /** Place in the plan, from 0: case by case, then target, then attempt. */
  readonly ordinal: number;
  readonly target: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
}
