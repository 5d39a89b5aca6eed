import { z } from 'zod';
import { jsonSchema } from './json.ts';
import { latencySchema, usageSchema } from './usage.ts';

/** One turn of a conversation: what the user said, and all that the target did until the next turn. */
export const turnSchema = z.lazy(() =>
  z.object({
    /** Place in the transcript of what the user said; the turn goes on to the message before the next turn's. */
    from: z.int().nonnegative(),
    /** Which turn of the script it is, from 0. */
    script: z.int().nonnegative().optional(),
    /** How long the target took for this turn. */
    latency: latencySchema.optional(),
    /** Ids of the documents that the target found in this turn, best first. */
    documents: z.array(z.string()).optional(),
    /** Of a turn that is checked for it: the state after it, where the target reported one. */
    state: jsonSchema.optional(),
  }),
);
export type Turn = z.infer<typeof turnSchema>;

/**
 * How a conversation ended. `recorded`: the target gave a whole conversation that was had before. `failed`, `cancelled`
 * and `spoilt` say what the trial says.
 */
export const endingSchema = z.enum([
  'script-over',
  'goal-met',
  'gave-up',
  'turn-limit',
  'recorded',
  'failed',
  'cancelled',
  'spoilt',
]);
export type Ending = z.infer<typeof endingSchema>;

/** One call of the model that played a user. What was asked beside the system prompt follows from the transcript. */
export const userCallSchema = z.lazy(() =>
  z.object({
    /** When it began, ISO 8601. */
    startedAt: z.iso.datetime(),
    /** As it came; null when there was none. */
    reply: z.string().nullable(),
    reasoning: z.string().optional(),
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
    latencyMs: z.number().nonnegative().optional(),
    /** Why the reply is of no use. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
);
export type UserCall = z.infer<typeof userCallSchema>;

/** What playing the user took: never part of what the target took. */
export const playedUserSchema = z.lazy(() =>
  z.object({
    model: z.string(),
    /** What the model was told of its part, with the version of these words. */
    system: z.string(),
    promptVersion: z.int().positive(),
    calls: z.array(userCallSchema),
    /** Of all calls together; a count that one of them did not report is absent. */
    usage: usageSchema.optional(),
    /** In US dollars; absent when unknown. */
    cost: z.number().nonnegative().optional(),
  }),
);
export type PlayedUser = z.infer<typeof playedUserSchema>;

/** How a conversation went. */
export const conversationSchema = z.lazy(() =>
  z.object({
    turns: z.array(turnSchema),
    ended: endingSchema,
    /** Why the user ended it, in the user's own words. */
    reason: z.string().optional(),
    /** Present when a model played the user. */
    user: playedUserSchema.optional(),
  }),
);
/** How a conversation went. */
export type Conversation = z.infer<typeof conversationSchema>;
