import { z } from 'zod';
import { amount, jsonSchema, nonEmpty, positiveInt, share } from './json.ts';
import { attachmentSchema } from './message.ts';
import { batchRefSchema, usageSchema } from './usage.ts';

const reason = z.string().trim().min(1);

/** A scale from its worst to its best score. */
export const scoreScaleSchema = z.strictObject({ least: z.number(), most: z.number() });
export type ScoreScale = z.infer<typeof scoreScaleSchema>;

/**
 * The shapes of answer that a judge can be asked for. Nothing else counts as an answer: no numbers in quotes, no
 * score out of range.
 */
export const judgeAnswerSchemas = {
  /** A degree, from 0 to 1; `given` is the judge's own score when the question used another scale. */
  score: z.strictObject({
    reason,
    score: share(),
    given: scoreScaleSchema.extend({ score: z.number() }).optional(),
  }),
  /** A yes or no. */
  verdict: z.strictObject({ reason, verdict: z.enum(['yes', 'no']) }),
  /** A yes or no, with a quote from the material that supports it; the quote is empty when there is none. */
  'quoted-verdict': z.strictObject({ reason, quote: z.string(), verdict: z.enum(['yes', 'no']) }),
  /** One of the labels of the question. */
  label: z.strictObject({ reason, label: nonEmpty() }),
  /** The better one of two. */
  preference: z.strictObject({ reason, better: z.enum(['first', 'second', 'tie']) }),
  /** The claims of a text, one statement each. */
  claims: z.strictObject({ claims: z.array(z.string().trim().min(1)) }),
  /** A check of each of several claims against the material; claims are numbered from 1. */
  checks: z.strictObject({
    checks: z.array(
      z.strictObject({ claim: positiveInt(), reason, supported: z.boolean(), passage: z.string() }),
    ),
  }),
} as const;

/** The name of an answer shape. */
export type AnswerShape = keyof typeof judgeAnswerSchemas;

/** A judge's answer of one shape. */
export type AnswerOf<Shape extends AnswerShape> = z.infer<(typeof judgeAnswerSchemas)[Shape]>;

/** One message to or from a judge. */
const promptMessageSchema = z.lazy(() =>
  z.object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string(),
    /** The pictures and other files that were sent with it. */
    attachments: z.array(attachmentSchema).optional(),
  }),
);

/** One call of a model by a judge, stored permanently: the whole prompt and everything that was returned. */
export const judgeCallSchema = z.lazy(() =>
  z.object({
    /** The id of the call, the same in every judgement that it produced. */
    id: z.string(),
    /** Start of the call, ISO 8601. */
    startedAt: z.iso.datetime(),
    /** The operation, if it was not a chat. */
    operation: z.literal('embeddings').optional(),
    /** The messages; for an embedding model, the texts. */
    prompt: z.array(promptMessageSchema),
    /** Request parameters besides the prompt, such as the JSON Schema of the reply. */
    parameters: z.record(z.string(), jsonSchema),
    /** The requested model, and the model that the reply names. */
    model: z.string(),
    answeredBy: z.string().optional(),
    /** The reply as received, or the number of vectors received; null when there was no reply. */
    reply: z.string().nullable(),
    /** The model's reasoning before its reply, where the provider returns it. */
    reasoning: z.string().optional(),
    finishReason: z.string().optional(),
    usage: usageSchema.optional(),
    /** Cost in US dollars; absent when unknown. */
    cost: amount().optional(),
    latencyMs: amount().optional(),
    /** The batch that answered it, if one did: then there is no latency. */
    batch: batchRefSchema.optional(),
    /** Every request of the call, including retries after a temporary fault. */
    attempts: z.array(
      z.object({
        startedAt: z.string(),
        waitedMs: amount(),
        latencyMs: amount(),
        status: z.int().optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
    /** The reason why the reply cannot be used: the provider's error, or what could not be parsed. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
);
export type JudgeCall = z.infer<typeof judgeCallSchema>;

/**
 * One question to a judge with its outcome. The key is derived from everything that can change the answer: the
 * question, its material, the judge, the number of the sample. A key that was answered once is not asked again.
 */
export const judgementSchema = z.lazy(() =>
  z.object({
    /** The unique id of the judgement. */
    id: z.string(),
    key: z.string(),
    judge: z.object({ name: z.string(), fingerprint: z.string() }),
    question: z.object({
      /** The author of the question with the version of its wording: `relevance@1`. */
      id: z.string(),
      /** `object` is a reply in a form of its own, such as the questions of a draft. */
      shape: z.enum([...(Object.keys(judgeAnswerSchemas) as AnswerShape[]), 'object']),
      /** The number of the sample, from 1. */
      sample: positiveInt(),
    }),
    /** The run that paid for it; `draft` or `draft:` and the id of a trace for the replies of a draft. */
    askedIn: z.string(),
    /** ISO 8601. */
    askedAt: z.iso.datetime(),
    outcome: z.discriminatedUnion('status', [
      z.object({ status: z.literal('answered'), answer: jsonSchema }),
      z.object({ status: z.literal('failed'), code: z.string(), reason: z.string() }),
    ]),
    /** The calls; two when the first reply could not be parsed. */
    calls: z.array(judgeCallSchema),
  }),
);
/**
 * One question to a judge with its outcome. The key is derived from everything that can change the answer: the
 * question, its material, the judge, the number of the sample. A key that was answered once is not asked again.
 */
export type Judgement = z.infer<typeof judgementSchema>;

/** The names under which the replies of a draft are stored, in place of a run. Those about a trace are erased with it. */
export const draftOfDocuments = 'draft';
export function draftOfTrace(traceId: string): string {
  return `${draftOfDocuments}:${traceId}`;
}

/** A judgement that is not assigned to a run yet. */
export type JudgementDraft = Omit<Judgement, 'id' | 'askedIn'>;

/** Returns the models that replied to a judgement, as they name themselves. */
export function modelsOf({ calls }: Pick<Judgement, 'calls'>): string[] {
  return calls.flatMap(({ answeredBy, reply }) =>
    answeredBy === undefined || reply === null ? [] : [answeredBy],
  );
}

/** The id of the question which of two answers is better, with the version of its wording. */
export const preferenceQuestion = 'prefer@1';

/**
 * Returns whether a judgement compares answers of several targets. It belongs to no verdict of the run that it is stored
 * under, and its cost does not belong to the run.
 */
export function isPreference({ question }: Pick<Judgement, 'question'>): boolean {
  return question.id === preferenceQuestion;
}
