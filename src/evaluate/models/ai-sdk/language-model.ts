import { z } from 'zod';
import type { Json } from '../../../core/schema/json.ts';

/** The part of an AI SDK language model that is used here; V2, V3 and V4 all have it. */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: object): PromiseLike<unknown>;
  doStream(options: object): PromiseLike<unknown>;
}

/** Returns whether a value is an AI SDK language model. */
export function isLanguageModel(value: unknown): value is LanguageModel {
  const model = value as Partial<LanguageModel> | null | undefined;
  return typeof model?.doGenerate === 'function' && typeof model.modelId === 'string';
}

/** A model object in a config. Files and fingerprints contain only its name, because its inside may contain keys. */
export class HeldModel {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  /** The model object. */
  get model(): LanguageModel {
    return this.#model;
  }

  toJSON(): Json {
    const { specificationVersion, provider, modelId } = this.#model;
    return { specificationVersion, provider, modelId };
  }
}

const count = z.number().nonnegative().nullish();

const usageSchema = z.lazy(() =>
  z.looseObject({
    // V2 has numbers, V3 and V4 have objects.
    inputTokens: z
      .union([z.number(), z.looseObject({ total: count, cacheRead: count, cacheWrite: count })])
      .nullish(),
    outputTokens: z.union([z.number(), z.looseObject({ total: count, reasoning: count })]).nullish(),
    cachedInputTokens: count,
    reasoningTokens: count,
  }),
);
export type WireUsage = z.output<typeof usageSchema>;

const finishSchema = z.union([z.string(), z.looseObject({ unified: z.string() })]);

/** The schema of the result of `doGenerate`. */
export const generatedSchema = z.lazy(() =>
  z.looseObject({
    content: z.array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        toolCallId: z.string().optional(),
        toolName: z.string().optional(),
        input: z.unknown().optional(),
        providerExecuted: z.boolean().optional(),
      }),
    ),
    finishReason: finishSchema,
    usage: usageSchema.nullish(),
    response: z.looseObject({ modelId: z.string().optional() }).nullish(),
  }),
);
export type Generated = z.output<typeof generatedSchema>;
