import { z } from 'zod';
import { strictShape } from './expected-calls.ts';
import { expectedSchema } from './expected.ts';
import { jsonSchema } from './json.ts';
import { latencySchema, usageSchema } from './usage.ts';

/** One turn of a script: what the user says, and what a good answer to it holds. */
const userTurnSchema = z.lazy(() =>
  strictShape({
    say: z.string().min(1).describe('What the user says.'),
    when: z
      .string()
      .min(1)
      .refine(isCondition, 'a text, or a `/pattern/flags` that is a regular expression')
      .optional()
      .describe(
        'Said only when the last answer holds this text, in whatever case, or matches this `/pattern/flags`; else the ' +
          'turn is left out.',
      ),
    expected: strictShape(expectedSchema.shape)
      .optional()
      .describe('What a good answer to this turn holds; read by the metric `turn-checks`.'),
  }),
);
export type UserTurn = z.infer<typeof userTurnSchema>;

/** Most turns of a conversation whose user does not say how many. */
export const defaultTurnLimit = 20;

const ofGoal = ['persona', 'knowledge', 'secrets', 'patience', 'language', 'opens', 'turnLimit'] as const;

/** Who talks to the target in a case of several turns: one with a script, or one who is played by a model and has a goal. */
export const userSchema = z.lazy(() =>
  strictShape({
    script: z
      .array(userTurnSchema)
      .min(1)
      .optional()
      .describe('All that the user says, turn by turn; the first turn is also the input of the case.'),
    goal: z
      .string()
      .min(1)
      .optional()
      .describe('What the user wants to get done, for a user who is played by a model.'),
    persona: z.string().min(1).optional().describe('Who the user is and how they talk.'),
    knowledge: z
      .array(z.string().min(1))
      .optional()
      .describe('Facts that the user knows and may tell; nothing else is known.'),
    secrets: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Texts that the user cannot know, such as parts of the solution. The simulated user does not get them; a ' +
          'conversation in which the user says one before the target did is spoilt.',
      ),
    patience: z
      .union([z.int().min(1), z.string().min(1)])
      .optional()
      .describe('Turns without progress after which the user gives up, or in words how they take setbacks.'),
    language: z
      .string()
      .min(1)
      .optional()
      .describe('The language that the user speaks, such as `Swiss German`.'),
    opens: z
      .boolean()
      .optional()
      .describe(
        'Whether the user finds their own first words; else the input of the case is what they say first.',
      ),
    turnLimit: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `Turns after which the conversation is over, whatever its state; ${defaultTurnLimit} when left out.`,
      ),
  }).superRefine((user, context) => {
    const refuse = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    if ((user.script === undefined) === (user.goal === undefined)) {
      refuse('either a `script` or a `goal`');
    }
    const misplaced = user.script === undefined ? [] : ofGoal.filter((name) => user[name] !== undefined);
    for (const name of misplaced) refuse('nothing beside a `script`, since it goes with a `goal`', name);
  }),
);
/** Who talks to the target in a case of several turns: one with a script, or one who is played by a model and has a goal. */
export type CaseUser = z.infer<typeof userSchema>;

/** What an answer has to hold for a turn to be said. Throws `SyntaxError` for a pattern that is none. */
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
