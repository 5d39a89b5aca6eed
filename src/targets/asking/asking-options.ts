import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import type { NamedUse } from '../../lib/define.ts';
import { type ChatRequest, modelOption } from '../../models/model.ts';
import type { TargetRequest } from '../target.ts';

/** The options that all targets which ask a model share. */
export const askingOptions = lazily(() => ({
  model: modelOption.describe('The model that answers: `{ use: openai-chat, model: gpt-5-mini }`.'),
  variables: z
    .record(z.string().min(1), z.union([z.string(), z.strictObject({ path: z.string().min(1) })]))
    .default({})
    .describe('Variables of your own for the prompt: texts, or `{ path }` of the file that holds one.'),
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
}));

/** What of the options goes into every request. */
export interface Sampling {
  readonly model: NamedUse | string;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly seed: boolean;
}

/** The parameters of a request. A seed has 31 bits: the most that every provider takes. */
export function samplingOf(
  { model, temperature, maxTokens, seed }: Sampling,
  request: TargetRequest,
): Pick<ChatRequest, 'temperature' | 'maxTokens' | 'seed'> {
  const hasOwnSeed = typeof model === 'object' && model['seed'] !== undefined;
  return { temperature, maxTokens, seed: seed && !hasOwnSeed ? request.seed & 0x7fff_ffff : undefined };
}
