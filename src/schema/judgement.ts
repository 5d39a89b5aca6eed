import { z } from 'zod';
import { jsonSchema } from './json.ts';
import { usageSchema } from './trial.ts';

const reason = z.string().trim().min(1);

/** A scale from its worst to its best score. */
export const scoreScaleSchema = z.strictObject({ least: z.number(), most: z.number() });
export type ScoreScale = z.infer<typeof scoreScaleSchema>;

/**
 * The answers that a judge can be asked for, by shape. Nothing else is taken for an answer: no numbers in quotes, no score
 * out of range.
 */
export const judgeAnswerSchemas = {
  /** How far something holds, from 0 to 1; `given` is what the judge said where it was asked on another scale. */
  score: z.strictObject({
    reason,
    score: z.number().min(0).max(1),
    given: scoreScaleSchema.extend({ score: z.number() }).optional(),
  }),
  /** Whether something holds. */
  verdict: z.strictObject({ reason, verdict: z.enum(['yes', 'no']) }),
  /** Whether something holds, with the words of the material that show it; an empty quote where there are none. */
  'quoted-verdict': z.strictObject({ reason, quote: z.string(), verdict: z.enum(['yes', 'no']) }),
  /** Which of two is better. */
  preference: z.strictObject({ reason, better: z.enum(['first', 'second', 'tie']) }),
  /** What a text claims, one statement each. */
  claims: z.strictObject({ claims: z.array(z.string().trim().min(1)) }),
  /** Whether each of several claims is supported; numbered from 1. */
  checks: z.strictObject({
    checks: z.array(
      z.strictObject({ claim: z.int().positive(), reason, supported: z.boolean(), passage: z.string() }),
    ),
  }),
} as const;

/** The name of one shape of answers. */
export type AnswerShape = keyof typeof judgeAnswerSchemas;

/** A judge's answer of one shape. */
export type AnswerOf<Shape extends AnswerShape> = z.infer<(typeof judgeAnswerSchemas)[Shape]>;

/** One message to a judge, or from one. */
const promptMessageSchema = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

/** One call of a model by a judge, as it is kept for ever: the whole prompt and all that came back. */
export const judgeCallSchema = z.lazy(() =>
  z.object({
    /** The same in every judgement that the call gave. */
    id: z.string(),
    /** When it began, ISO 8601. */
    startedAt: z.iso.datetime(),
    /** What was asked for, where it was no chat. */
    operation: z.literal('embeddings').optional(),
    /** Of an embedding model, the texts. */
    prompt: z.array(promptMessageSchema),
    /** What was asked for beside the prompt, such as the JSON Schema of the reply. */
    parameters: z.record(z.string(), jsonSchema),
    /** The model that was asked, and the one that says it has answered. */
    model: z.string(),
    answeredBy: z.string().optional(),
    /** As it came, or how many vectors came; null when there was no reply. */
    reply: z.string().nullable(),
    /** What the model thought before it replied, where it says so. */
    reasoning: z.string().optional(),
    finishReason: z.string().optional(),
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
    latencyMs: z.number().nonnegative().optional(),
    /** Every request of the call, with those that were repeated after a passing fault. */
    attempts: z.array(
      z.object({
        startedAt: z.string(),
        waitedMs: z.number().nonnegative(),
        latencyMs: z.number().nonnegative(),
        status: z.int().optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
    /** Why the reply is of no use: what the provider said, or what could not be read. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
);
export type JudgeCall = z.infer<typeof judgeCallSchema>;

/**
 * One question to a judge and all that came of it. The key is made of everything that can change the answer: the
 * question, its material, the judge, the number of the sample. A key that was answered once is not asked again.
 */
export const judgementSchema = z.lazy(() =>
  z.object({
    /** Nothing else has it. */
    id: z.string(),
    key: z.string(),
    judge: z.object({ name: z.string(), fingerprint: z.string() }),
    question: z.object({
      /** Whose question it is, with the version of its words: `relevance@1`. */
      id: z.string(),
      shape: z.enum(Object.keys(judgeAnswerSchemas) as [AnswerShape, ...AnswerShape[]]),
      /** Counts from 1. */
      sample: z.int().positive(),
    }),
    /** The run that paid for it. */
    askedIn: z.string(),
    /** ISO 8601. */
    askedAt: z.iso.datetime(),
    outcome: z.discriminatedUnion('status', [
      z.object({ status: z.literal('answered'), answer: jsonSchema }),
      z.object({ status: z.literal('failed'), code: z.string(), reason: z.string() }),
    ]),
    /** Two when the first reply could not be read. */
    calls: z.array(judgeCallSchema),
  }),
);
/**
 * One question to a judge and all that came of it. The key is made of everything that can change the answer: the
 * question, its material, the judge, the number of the sample. A key that was answered once is not asked again.
 */
export type Judgement = z.infer<typeof judgementSchema>;

/** A judgement before it is known which run it belongs to. */
export type JudgementDraft = Omit<Judgement, 'id' | 'askedIn'>;
