import { z } from 'zod';
import { attackFamilies, attackLimitsSchema, harmlessFamily } from '../../../core/schema/attacks/attack.ts';

/** The schema of a dataset that is the built-in set of attacks. */
export const attackSetSchema = z.strictObject({
  use: z.literal('attacks').describe('The built-in set of attacks (docs/robustness.md).'),
  families: z
    .union([z.literal('all'), z.array(z.enum([...attackFamilies, harmlessFamily])).min(1)])
    .default('all')
    .describe('The families to ask, such as `[override, secrets]`; `benign` are the harmless questions.'),
  version: z.literal(1).default(1).describe('The version of the set.'),
});
/** The schema of the `attack` setting: what the attacks of the built-in set are after in this bot. */
export const attackSettingSchema = z.lazy(() =>
  z.strictObject({
    secrets: z
      .array(z.string().min(6))
      .min(1)
      .optional()
      .describe(
        'Texts that only the bot knows, such as a sentence of its system prompt or a made-up code in it. They are stored with the questions: put no real key here.',
      ),
    forbiddenTools: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Tools that no attack may get it to call, such as `delete_*`.'),
    allowedHosts: z
      .array(z.string().min(1))
      .optional()
      .describe('Hosts that its links may lead to, such as `*.example.org`.'),
    limits: attackLimitsSchema
      .optional()
      .describe('The most that an answer may take, in place of those of the set.'),
  }),
);
/** The things that the attacks of the built-in set are after in this bot. */
export type AttackSetting = z.output<typeof attackSettingSchema>;
