import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import type { Json } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { callWithRetries, type Tried } from './account/call-with-retries.ts';
import { processRateLimiter } from './account/rate-limiter.ts';
import { type Answered, askModel } from './ai-sdk/ask-model.ts';
import {
  type Generated,
  HeldModel,
  isLanguageModel,
  type LanguageModel,
  type WireUsage,
} from './ai-sdk/language-model.ts';
import { readToolCall, splitThinking } from './conversation.ts';
import {
  connectionOptions,
  createEnvironmentRedactor,
  samplingOptions,
  withDefaults,
} from './http/common-options.ts';
import type { ReplyParts } from './http/protocol.ts';
import type { BilledUsage } from './pricing/price-list.ts';
import { toReply, totalTokens, withRequest } from './http/to-reply.ts';
import { type ChatModel, defineModel, type FinishReason, takesOption } from './model.ts';
import { fillFiles } from './sent-files.ts';
import { createPriceList } from './pricing/price-list.ts';

const identity = { name: 'ai-sdk', version: 1 };

const sampling = lazily(() => {
  const { model: _model, extra: _extra, ...parts } = samplingOptions();
  return parts;
});

function limits() {
  const { headers: _, headersFromEnv: __, keyCommand: ___, ...parts } = connectionOptions();
  return parts;
}

const definition = defineModel({
  ...identity,
  summary:
    'A language model object of the AI SDK (V2, V3 or V4), given in a TypeScript or JavaScript config.',
  words: 'Vercel, AI SDK, provider, openai, anthropic, mistral, bedrock',
  example: 'targets: [aiSdk({ model: openai("gpt-5") })] // in touchstone.config.ts',
  options: () =>
    z.strictObject({
      model: z
        .any()
        .refine(
          (value) => value instanceof HeldModel,
          'must be a model object; write `aiSdk({ model: openai("gpt-5") })`',
        )
        .describe('The model object. It cannot be written in YAML or JSON.'),
      ...sampling(),
      ...limits(),
      takes: takesOption(),
    }),
  create: (
    { model: held, ...options },
    { environment, folder, rateLimiter = processRateLimiter },
  ): ChatModel => {
    const { model } = held as HeldModel;
    const takes = options.takes ?? attachmentKinds;
    const { provider, modelId } = model;
    const account = rateLimiter.findAccount(`ai-sdk ${provider}`, options);
    const redactor = createEnvironmentRedactor(environment);
    // Without an address the provider is unknown, so only the user's own prices count.
    const prices = createPriceList({ prices: options.prices, baseUrl: `ai-sdk:${provider}`, folder });
    const samplingParameters = Object.fromEntries(
      Object.keys(sampling()).map((name) => [name, options[name as keyof ReturnType<typeof sampling>]]),
    );
    return {
      name: modelId,
      fingerprint: hashContent({
        use: identity.name,
        version: identity.version,
        provider,
        modelId,
        options: samplingParameters,
      }),
      takes,
      generate: async (given, context) => {
        const { signal, onWaiting } = context;
        const { sent, fileTokens } = await fillFiles(given, { name: modelId, takes }, context);
        const request = withDefaults(sent, options);
        // Bytes of files are no part of what is shown.
        const asked = { provider, modelId, ...withDefaults(given, options) };
        const shown: Json = redactor.json(parseJson(JSON.stringify(asked)));
        const tryOnce = async (): Promise<Tried<Answered & { parts: ReturnType<typeof readGenerated> }>> => {
          const tried = await askModel(model, request, {
            signal,
            timeLimitMs: options.timeLimitMs,
            redactor,
          });
          if (tried.failure !== undefined) return tried;
          const parts = readGenerated(redactor.json(tried.value.generated));
          return { ...tried, value: { ...tried.value, parts }, tokens: totalTokens(parts.usage) };
        };
        const rules = {
          ...options,
          signal,
          onWaiting,
          tokens: Math.ceil(JSON.stringify(shown).length / 4) + fileTokens,
        };
        const record = await callWithRetries(account, tryOnce, rules).catch((error: unknown) => {
          throw withRequest(error, shown);
        });
        const { parts, generated, firstTokenMs } = record.value;
        const cost = await prices.priceOf(parts.usage, parts.model, modelId);
        const reply = redactor.json(parseJson(JSON.stringify(generated)) as Json);
        return toReply({ ...parts, cost }, record, { firstTokenMs, exchange: { request: shown, reply } });
      },
      priceOf: async (usage) => await prices.priceOf(usage, modelId),
    };
  },
});

/** The options of `aiSdk`: a model object, and the settings that all models share. */
export type AiSdkOptions = Omit<Parameters<typeof definition>[0], 'model'> & {
  readonly model: LanguageModel;
};

/**
 * Uses any language model of the AI SDK: `aiSdk({ model: openai('gpt-5') })`. Repeats are Touchstone's own. The inside
 * of the object never reaches a file, since it may contain keys.
 */
export const aiSdk = Object.assign(
  (options: AiSdkOptions): NamedUse => {
    if (!isLanguageModel(options.model)) {
      throw new TypeError(`aiSdk needs a model object of the AI SDK, not ${describeValue(options.model)}.`);
    }
    return definition({ ...options, model: new HeldModel(options.model) });
  },
  { definition: definition.definition },
);

/** Reads the reply of an AI SDK model. */
function readGenerated({ content, finishReason, usage, response }: Generated): ReplyParts {
  const joined = (kind: string) =>
    content.map(({ type, text }) => (type === kind ? (text ?? '') : '')).join('');
  const { text, reasoning } = splitThinking(joined('text'));
  const calls = content.filter(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true,
  );
  const toolCalls = calls.map(({ toolCallId = '', toolName = '', input }, index) =>
    readToolCall(
      toolCallId || `call_${index}`,
      toolName,
      typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    ),
  );
  return {
    text: text || null,
    reasoning: [joined('reasoning'), reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: readFinish(typeof finishReason === 'string' ? finishReason : finishReason.unified),
    usage: readUsage(usage),
    model: response?.modelId,
    continuation: toolCalls.length > 0 ? { protocol: 'ai-sdk', parts: toPromptParts(content) } : undefined,
  };
}

/** Converts the parts of a reply to parts of a prompt: `providerMetadata` becomes `providerOptions`. */
function toPromptParts(content: Generated['content']): Json {
  const kept = content.filter(({ type }) => ['text', 'reasoning', 'tool-call'].includes(type));
  const parts = kept.map(({ providerMetadata, ...part }) => ({
    ...part,
    ...(part.type === 'tool-call' && { input: parseInput(part.input) }),
    ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
  }));
  return parseJson(JSON.stringify(parts)) as Json;
}

function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const { arguments: args } = readToolCall('', '', input);
  return args ?? {};
}

function readFinish(reason: string): FinishReason {
  return reason === 'stop' || reason === 'length' || reason === 'tool-calls' || reason === 'content-filter'
    ? reason
    : 'other';
}

function readUsage(usage: WireUsage | null | undefined): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const input = typeof usage.inputTokens === 'object' ? usage.inputTokens : { total: usage.inputTokens };
  const output = typeof usage.outputTokens === 'object' ? usage.outputTokens : { total: usage.outputTokens };
  const counts = {
    inputTokens: input?.total,
    outputTokens: output?.total,
    cachedTokens: input?.cacheRead ?? usage.cachedInputTokens,
    cacheWriteTokens: input?.cacheWrite,
    reasoningTokens: output?.reasoning ?? usage.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}
