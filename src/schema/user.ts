import { z } from 'zod';
import { strictShape } from './call-pattern.ts';
import { expectedSchema } from './expected.ts';

/** One turn of a script: what the user says, and what a good answer to it holds. */
export const userTurnSchema = z.lazy(() =>
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
