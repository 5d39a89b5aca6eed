import { z } from 'zod';
import { modelOption } from '../models/model.ts';
import { playUser } from './simulated/play-user.ts';
import { promptVersion } from './simulated/prompt.ts';
import { defineUser, type User } from './user.ts';

/**
 * A user with a goal, played by a model. What the user knows is all that the model is told; what it says is checked before
 * the target hears it.
 */
export const simulatedUser = defineUser({
  name: 'simulated-user',
  version: 1,
  summary:
    'Plays a user with a goal by a model: persona, knowledge, patience, and a check of all that it says.',
  options: () =>
    z.strictObject({
      model: modelOption.describe('The model that plays: `{ use: openai-chat, model: gpt-5-mini }`.'),
      temperature: z
        .number()
        .min(0)
        .max(2)
        .optional()
        .describe("How freely the model chooses words; what the model's own options say when left out."),
      maxTokens: z
        .int()
        .positive()
        .optional()
        .describe(
          "Most tokens of one reply, reasoning included; what the model's own options say when left out.",
        ),
      seed: z
        .boolean()
        .default(true)
        .describe("Whether the trial's seed goes to the model, unless the model's own options hold one."),
    }),
  create: ({ model: use, temperature, maxTokens, seed }, { resolveModel }): User => {
    const model = resolveModel(use);
    const hasOwnSeed = typeof use === 'object' && use['seed'] !== undefined;
    return {
      identity: async () => ({
        model: model.fingerprint,
        promptVersion,
        temperature: temperature ?? null,
        maxTokens: maxTokens ?? null,
        seed,
      }),
      open: async () => await model.open?.(),
      begin: (part) => {
        // A seed has 31 bits: the most that every provider takes.
        const ownSeed = seed && !hasOwnSeed ? part.seed & 0x7fff_ffff : undefined;
        return playUser(part, model, { temperature, maxTokens, seed: ownSeed });
      },
      close: async () => await model.close?.(),
    };
  },
});
