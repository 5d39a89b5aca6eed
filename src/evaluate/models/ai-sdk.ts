import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { findLiteralSecret } from '../../core/lib/literal-secrets.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import { type Json, jsonSchema } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { loadPackagedModel, variablesIn } from './ai-sdk/load-package.ts';
import { ModelFailure } from './model-failure.ts';
import { callWithRetries, type Tried } from './account/call-with-retries.ts';
import { processRateLimiter, type RateLimitedAccount } from './account/rate-limiter.ts';
import { type Answered, askModel } from './ai-sdk/ask-model.ts';
import { HeldModel, isLanguageModel, type LanguageModel } from './ai-sdk/language-model.ts';
import { readGenerated } from './ai-sdk/read-generated.ts';
import {
  connectionOptions,
  createEnvironmentRedactor,
  samplingOptions,
  withDefaults,
} from './http/common-options.ts';
import { toReply, totalTokens, withRequest } from './http/to-reply.ts';
import {
  type ChatContext,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  defineModel,
  type ModelNeeds,
  takesOption,
} from './model.ts';
import { readFiles } from './sent-files.ts';
import { createPriceList, type PriceList } from './pricing/price-list.ts';

const identity = { name: 'ai-sdk', version: 1 };

const sampling = lazily(() => {
  const { model: _model, extra: _extra, ...parts } = samplingOptions();
  return parts;
});

function limits() {
  const { headers: _, headersFromEnv: __, keyCommand: ___, batch: ____, ...parts } = connectionOptions();
  return parts;
}

/** The name of a package, with or without the version of a subpath: no path and no address. */
const packageName = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/[\w.~-]+)*$/i;

const options = () =>
  z
    .strictObject({
      model: z
        .any()
        .refine(
          (value) => value instanceof HeldModel || (typeof value === 'string' && value !== ''),
          'must be the name of a model of the `package`, or in code a model object: `aiSdk({ model: openai("gpt-5") })`',
        )
        .describe('The name of the model, as its package calls it. In code, the model object itself.'),
      package: z
        .string()
        .regex(packageName, 'must be the name of a package, as in `@ai-sdk/groq`')
        .optional()
        .describe(
          'The package of the provider, which is installed beside the config: `@ai-sdk/groq`. Its code is run.',
        ),
      export: z
        .string()
        .min(1)
        .optional()
        .describe('The name of the provider in the package, where it is not clear: `export: createGroq`.'),
      settings: z
        .record(z.string(), jsonSchema)
        .optional()
        .describe(
          'What the function `create…` of the package gets: `{ region: eu-west-1, apiKey: "{{env.MY_KEY}}" }`. Without it, the ' +
            'provider reads its own variables.',
        ),
      ...sampling(),
      ...limits(),
      takes: takesOption(),
    })
    .superRefine(({ model, package: name, export: exported, settings }, context) => {
      const isHeld = model instanceof HeldModel;
      if (!isHeld && name === undefined) {
        context.addIssue({
          code: 'custom',
          path: ['package'],
          message: 'is missing: the package that the model is from, as in `@ai-sdk/groq`',
        });
      }
      if (isHeld && (name ?? exported ?? settings) !== undefined) {
        const message = 'a model object is from no package: leave out `package`, `export` and `settings`';
        context.addIssue({ code: 'custom', path: ['model'], message });
      }
    });

type Options = z.output<ReturnType<typeof options>>;

/** A model object that is there, or will be once its package is loaded. */
interface Source {
  readonly provider: string;
  readonly modelId: string;
  /** The part of the fingerprint that says which model it is. */
  readonly identity: Readonly<Record<string, Json>>;
  /** The variables with its secrets. */
  readonly variables: readonly string[];
  load(): Promise<LanguageModel>;
}

/** Returns where the model of these options is from. Throws `model-invalid` for a secret that is written out. */
function sourceOf({ model, settings, ...named }: Options, needs: ModelNeeds): Source {
  if (model instanceof HeldModel) {
    const { provider, modelId } = model.model;
    return {
      provider,
      modelId,
      identity: { provider, modelId },
      variables: [],
      load: async () => model.model,
    };
  }
  const { package: name = '', export: exported } = named;
  const written = findLiteralSecret(settings ?? {}, 'settings');
  if (written !== undefined) {
    throw new TouchstoneError(
      'model-invalid',
      `\`${written}\` of the model is a secret that is written out.`,
      {
        remedy: 'Keep it in an environment variable, and write `{{env.NAME}}` in its place.',
      },
    );
  }
  const packaged = { package: name, model: String(model), ...(exported && { export: exported }), settings };
  const load = lazily(async () => await loadPackagedModel(packaged, needs));
  const identity = withoutUndefined<Json>({
    package: name,
    model: String(model),
    export: exported,
    settings,
  });
  return { provider: name, modelId: String(model), identity, variables: variablesIn(settings ?? {}), load };
}

const definition = defineModel({
  ...identity,
  summary:
    'A model of any provider of the AI SDK: of a package by its name, or in code a model object (V2, V3 or V4).',
  words: 'Vercel, AI SDK, provider, openai, anthropic, mistral, bedrock, vertex, groq, cohere, package, npm',
  example: { package: '@ai-sdk/groq', model: 'openai/gpt-oss-120b' },
  options,
  create: (given, needs): ChatModel => {
    const { environment, folder, rateLimiter = processRateLimiter } = needs;
    const source = sourceOf(given, needs);
    const { provider, modelId } = source;
    const account = rateLimiter.findAccount(`ai-sdk ${provider}`, given);
    const redactor = createEnvironmentRedactor(environment, source.variables);
    // Without an address the provider is unknown, so only the user's own prices count.
    const prices = createPriceList({ prices: given.prices, baseUrl: `ai-sdk:${provider}`, folder });
    const samplingParameters = Object.fromEntries(
      Object.keys(sampling()).map((name) => [name, given[name as keyof ReturnType<typeof sampling>]]),
    );
    return {
      name: modelId,
      fingerprint: hashContent({
        use: identity.name,
        version: identity.version,
        ...source.identity,
        options: samplingParameters,
      }),
      open: async () => void (await source.load()),
      takes: given.takes ?? attachmentKinds,
      takesFrom,
      generate: async (request, context) =>
        await generate(request, context, { options: given, source, account, redactor, prices }),
      priceOf: async (usage) => await prices.priceOf(usage, modelId),
    };
  },
});

/** Packages of providers pass over files in messages of the assistant without a word. */
const takesFrom = ['user'] as const;

/** All that a call of a model needs besides its request. */
interface Session {
  readonly options: Options;
  readonly source: Source;
  readonly account: RateLimitedAccount;
  readonly redactor: SecretRedactor;
  readonly prices: PriceList;
}

async function generate(
  given: ChatRequest,
  context: ChatContext,
  { options: limitsOfCall, source, account, redactor, prices }: Session,
): Promise<ChatReply> {
  const { signal, onWaiting } = context;
  const { provider, modelId, load } = source;
  const { takes = attachmentKinds } = limitsOfCall;
  const { sent, fileTokens } = await readFiles(given, { name: modelId, takes, takesFrom }, context);
  const request = withDefaults(sent, limitsOfCall);
  // Bytes of files are no part of what is shown.
  const asked = { provider, modelId, ...withDefaults(given, limitsOfCall) };
  const shown: Json = redactor.json(parseJson(JSON.stringify(asked)));
  const model = await load().catch((error: unknown) => {
    throw withRequest(
      new ModelFailure('model-threw', redactor.text(messageOf(error)), { cause: error }),
      shown,
    );
  });
  const tryOnce = async (): Promise<Tried<Answered & { parts: ReturnType<typeof readGenerated> }>> => {
    const { timeLimitMs } = limitsOfCall;
    const tried = await askModel(model, request, { signal, timeLimitMs, redactor });
    if (tried.failure !== undefined) return tried;
    const parts = readGenerated(redactor.json(tried.value.generated));
    return { ...tried, value: { ...tried.value, parts }, tokens: totalTokens(parts.usage) };
  };
  const rules = {
    ...limitsOfCall,
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
}

/** The options of `aiSdk`: a model object, and the settings that all models share. */
export type AiSdkOptions = Omit<
  Parameters<typeof definition>[0],
  'model' | 'package' | 'export' | 'settings'
> & {
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
