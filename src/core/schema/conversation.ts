import { z } from 'zod';
import { strictShape } from './expected-calls.ts';
import { expectedSchema } from './expected.ts';
import { amount, jsonSchema, nonEmpty, positiveInt, wholeNumber } from './json.ts';
import { latencySchema, usageSchema } from './usage.ts';

/** One turn of a script: what the user says, and what a good answer to it contains. */
const userTurnSchema = z.lazy(() =>
  strictShape({
    say: nonEmpty().describe('What the user says.'),
    when: nonEmpty()
      .refine(isCondition, 'a text, or a `/pattern/flags` that is a regular expression')
      .optional()
      .describe(
        'Said only when the last answer contains this text (letter case is ignored) or matches this `/pattern/flags`; otherwise the ' +
          'turn is skipped.',
      ),
    expected: strictShape(expectedSchema.omit({ behavior: true }).shape)
      .optional()
      .describe('What a good answer to this turn contains; read by the metric `turn-checks`.'),
  }),
);

/** Largest number of turns of a conversation whose user sets none. */
export const defaultTurnLimit = 20;

const ofGoal = ['persona', 'knowledge', 'secrets', 'patience', 'language', 'opens', 'turnLimit'] as const;

/** The user of a case of several turns: one with a script, or one with a goal who is played by a model. */
export const userSchema = z.lazy(() =>
  strictShape({
    script: z
      .array(userTurnSchema)
      .min(1)
      .optional()
      .describe('Everything the user says, turn by turn; the first turn is also the input of the question.'),
    goal: nonEmpty()
      .optional()
      .describe('What the user wants to achieve, for a user who is played by a model.'),
    persona: nonEmpty().optional().describe('Who the user is and how they talk.'),
    knowledge: z
      .array(nonEmpty())
      .optional()
      .describe('Facts that the user knows and may mention; the user knows nothing else.'),
    secrets: z
      .array(nonEmpty())
      .optional()
      .describe(
        'Texts that the user cannot know, such as parts of the solution. The simulated user never sees them; a ' +
          'conversation in which the user says one before the target does is invalid.',
      ),
    patience: z
      .union([z.int().min(1), nonEmpty()])
      .optional()
      .describe(
        'Turns without progress after which the user gives up, or a description of how they react to setbacks.',
      ),
    language: nonEmpty().optional().describe('The language that the user speaks, such as `Swiss German`.'),
    opens: z
      .boolean()
      .optional()
      .describe(
        'True when the user chooses their own first message; otherwise it is the input of the question.',
      ),
    turnLimit: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `Turns after which the conversation ends, whatever its state; ${defaultTurnLimit} by default.`,
      ),
  }).superRefine((user, context) => {
    const refuse = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    if ((user.script === undefined) === (user.goal === undefined)) {
      refuse('either a `script` or a `goal`');
    }
    const misplaced = user.script === undefined ? [] : ofGoal.filter((name) => user[name] !== undefined);
    for (const name of misplaced)
      refuse('no such setting with a `script`, since it goes with a `goal`', name);
  }),
);
/** The user of a case of several turns: one with a script, or one with a goal who is played by a model. */
export type CaseUser = z.infer<typeof userSchema>;

/**
 * Compiles the condition `when` of a turn to a pattern that the last answer must match. Throws `SyntaxError` for an
 * invalid regular expression.
 */
export function compileCondition(when: string): RegExp {
  const [, source, flags] = /^\/(.+)\/([dimsuv]*)$/s.exec(when) ?? [];
  return source === undefined
    ? new RegExp(when.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'iu')
    : new RegExp(source, flags);
}

function isCondition(when: string): boolean {
  try {
    compileCondition(when);
    return true;
  } catch {
    return false;
  }
}

/** One turn of a conversation: the user's message, and everything the target did until the next turn. */
export const turnSchema = z.lazy(() =>
  z.object({
    /** Place of the user's message in the transcript; the turn ends before the message of the next turn. */
    from: wholeNumber(),
    /** The turn of the script that this is, from 0. */
    script: wholeNumber().optional(),
    /** Time that the target took for this turn. */
    latency: latencySchema.optional(),
    /** Ids of the documents that the target found in this turn, best first. */
    documents: z.array(z.string()).optional(),
    /** The state after the turn, if a metric checks it and the target reported one. */
    state: jsonSchema.optional(),
  }),
);
export type Turn = z.infer<typeof turnSchema>;

/**
 * The reason why a conversation ended. `recorded`: the target returned a whole conversation that took place earlier.
 * `failed`, `cancelled` and `spoilt` repeat what the trial records.
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

/** One call of the model that played a user. Its input, apart from the system prompt, follows from the transcript. */
export const userCallSchema = z.lazy(() =>
  z.object({
    /** Start of the call, ISO 8601. */
    startedAt: z.iso.datetime(),
    /** The reply as received; null when there was none. */
    reply: z.string().nullable(),
    reasoning: z.string().optional(),
    usage: usageSchema.optional(),
    /** Cost in US dollars; absent when unknown. */
    cost: amount().optional(),
    latencyMs: amount().optional(),
    /** The reason why the reply cannot be used. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
);
export type UserCall = z.infer<typeof userCallSchema>;

/** The cost and usage of playing the user, which are never part of the target's. */
export const playedUserSchema = z.lazy(() =>
  z.object({
    model: z.string(),
    /** The system prompt that the model received, with the version of its wording. */
    system: z.string(),
    promptVersion: positiveInt(),
    calls: z.array(userCallSchema),
    /** The usage of all calls together; a count that one of them did not report is absent. */
    usage: usageSchema.optional(),
    /** Cost in US dollars; absent when unknown. */
    cost: amount().optional(),
  }),
);
export type PlayedUser = z.infer<typeof playedUserSchema>;

/** The course of a conversation. */
export const conversationSchema = z.lazy(() =>
  z.object({
    turns: z.array(turnSchema),
    ended: endingSchema,
    /** The user's own reason for ending it. */
    reason: z.string().optional(),
    /** Present when a model played the user. */
    user: playedUserSchema.optional(),
  }),
);
/** The course of a conversation. */
export type Conversation = z.infer<typeof conversationSchema>;
