import { z } from 'zod';
import type { Case } from './case.ts';
import { jsonSchema } from './json.ts';
import { type Message, messageSchema, type ToolCall } from './message.ts';

/** A document that the target retrieved, best first. */
export const retrievedDocumentSchema = z.object({
  id: z.string(),
  text: z.string().optional(),
  score: z.number().optional(),
  /** Handed to the target with every question: a source of its answer, but nothing that it found. */
  given: z.literal(true).optional(),
});
export type RetrievedDocument = z.infer<typeof retrievedDocumentSchema>;

/** What the target says it consumed. A count that was not reported is absent, never 0. */
export const usageSchema = z.object({
  inputTokens: z.number().nonnegative().optional(),
  outputTokens: z.number().nonnegative().optional(),
  cachedTokens: z.number().nonnegative().optional(),
  reasoningTokens: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Times of one call in milliseconds, without any waiting of ours. */
export const latencySchema = z.object({
  totalMs: z.number().nonnegative(),
  firstTokenMs: z.number().nonnegative().optional(),
  stepsMs: z.array(z.number().nonnegative()).optional(),
});
export type Latency = z.infer<typeof latencySchema>;

/** Why a trial has no usable answer. Codes are kebab-case: `timeout`, `target-threw`, `process-exited`, … */
export const trialErrorSchema = z.object({ code: z.string(), message: z.string() });
export type TrialError = z.infer<typeof trialErrorSchema>;

/** One try at one case by one target, as it is kept for ever. */
export const trialSchema = z.object({
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
  documents: z.array(retrievedDocumentSchema).optional(),
  state: jsonSchema.optional(),
  usage: usageSchema.optional(),
  /** In US dollars; absent when unknown. */
  cost: z.number().nonnegative().optional(),
  latency: latencySchema.optional(),
  /** Calls made again after a passing fault, beyond the first. */
  retries: z.int().nonnegative(),
  error: trialErrorSchema.optional(),
  /** What the target wrote beside its answer, such as a process's stderr. */
  logs: z.string().optional(),
  /** When the last call began, ISO 8601. */
  startedAt: z.iso.datetime(),
});
export type Trial = z.infer<typeof trialSchema>;

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
