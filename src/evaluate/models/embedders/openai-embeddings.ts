import { z } from 'zod';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { sumKnown, sumUsage } from '../../../core/schema/usage.ts';
import { callWithRetries, type Tried } from '../account/call-with-retries.ts';
import { processRateLimiter, type RateLimitedAccount } from '../account/rate-limiter.ts';
import { defineEmbedder, type EmbedContext, type Embedder, type EmbedReply } from '../embedder.ts';
import { connectionOptions } from '../http/common-options.ts';
import { agentFor } from '../http/agent-for.ts';
import { checkEndpoint, checkReachable, type Endpoint, openEndpoint } from '../http/endpoint.ts';
import { post } from '../http/post.ts';
import { type JsonObject, readWire } from '../http/protocol.ts';
import { ModelFailure } from '../model-failure.ts';
import { createPriceList } from '../pricing/price-list.ts';
import { findProvider, keyVariableOf } from '../providers/table.ts';
import { amount, nonEmpty, positiveInt, wholeNumber } from '../../../core/schema/json.ts';

const identity = { name: 'openai-embeddings', version: 1 };

const replySchema = z.lazy(() =>
  z.looseObject({
    data: z.array(z.looseObject({ index: wholeNumber().optional(), embedding: z.array(z.number()) })),
    model: z.string().optional(),
    usage: z.looseObject({ total_tokens: amount().optional() }).nullish(),
  }),
);

/** An embedding model behind an OpenAI-compatible API: OpenAI, Ollama, vLLM, llama.cpp and others. */
export const openaiEmbeddings = defineEmbedder({
  ...identity,
  summary: 'An embedding model behind an OpenAI-compatible API.',
  words: 'embeddings, vectors, OpenAI, Ollama, semantic similarity',
  example: { model: 'text-embedding-3-small' },
  options: () => {
    const { batch: _, ...connection } = connectionOptions();
    return z.strictObject({
      model: nonEmpty().describe("The model's name, as the provider calls it."),
      dimensions: positiveInt().optional().describe('Length of the vectors, for models that support it.'),
      batchSize: z.int().min(1).max(2048).default(64).describe('Most texts in one request.'),
      baseUrl: z
        .url()
        .default('https://api.openai.com/v1')
        .describe('Where the API is, up to and including `/v1`.'),
      apiKeyEnv: nonEmpty()
        .optional()
        .describe('Name of the environment variable with the key; by default, chosen as by `openai-chat`.'),
      ...connection,
    });
  },
  create: (options, needs): Embedder => {
    const { environment, folder, rateLimiter = processRateLimiter } = needs;
    const { model, baseUrl, dimensions, batchSize } = options;
    const settings = {
      ...options,
      apiKeyEnv: options.apiKeyEnv ?? keyVariableOf(findProvider(baseUrl), environment),
      keyHeaders: (key: string) => ({ authorization: `Bearer ${key}` }),
    };
    checkEndpoint(settings);
    let opened: { readonly endpoint: Endpoint; readonly account: RateLimitedAccount } | undefined;
    const open = () => {
      if (opened !== undefined) return opened;
      const endpoint = openEndpoint(settings, needs);
      opened = { endpoint, account: rateLimiter.findAccount(endpoint.account, options) };
      return opened;
    };
    const prices = createPriceList({ ...options, folder });

    async function embedBatch(batch: readonly string[], { signal, onWaiting }: EmbedContext) {
      const { endpoint, account } = open();
      const body = { model, input: [...batch], encoding_format: 'float', ...(dimensions && { dimensions }) };
      const tryOnce = async (): Promise<Tried<Batch>> => {
        const limits = { signal, timeLimitMs: options.timeLimitMs };
        const tried = await post(endpoint, { path: '/embeddings', body }, limits);
        if (tried.failure !== undefined) return tried;
        const value = readVectors(tried.value.reply, batch.length);
        return { ...tried, value, tokens: value.usage?.inputTokens };
      };
      const tokens = Math.ceil(batch.join('').length / 4);
      const { value, attempts } = await callWithRetries(account, tryOnce, {
        ...options,
        signal,
        onWaiting,
        tokens,
      });
      return { ...value, attempts, cost: await prices.priceOf(value.usage, value.model, model) };
    }

    return {
      name: model,
      fingerprint: hashContent({ use: identity.name, version: identity.version, baseUrl, model, dimensions }),
      open: async () => {
        const { endpoint } = open();
        const ready = [agentFor(endpoint.account), endpoint.printedKey?.read()];
        await Promise.all([checkReachable(new URL(endpoint.origin)), ...ready]);
      },
      embed: async (texts, { signal, onWaiting }) => {
        const batches = chunk(texts, batchSize);
        const context = { signal, onWaiting: onceAllWait(batches.length, onWaiting) };
        const replies = await Promise.all(batches.map(async (batch) => await embedBatch(batch, context)));
        return {
          vectors: replies.flatMap(({ vectors }) => vectors),
          usage: sumUsage(replies.map(({ usage }) => usage)),
          cost: sumKnown(replies.map(({ cost }) => cost)),
          model: replies[0]?.model,
          attempts: replies.flatMap(({ attempts }) => attempts),
        };
      },
      priceOf: async (usage) => await prices.priceOf(usage, model),
    };
  },
});

/** The vectors of one request. */
interface Batch extends Pick<EmbedReply, 'vectors' | 'model'> {
  /** The token counts; vectors are not output tokens. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: 0 } | undefined;
}

/** Returns the vectors in the order of the texts. Throws `ModelFailure` when one is missing or of another length. */
function readVectors(reply: JsonObject, wanted: number): Batch {
  const { data, model, usage } = readWire(replySchema, reply);
  const vectors: number[][] = [];
  for (const [place, { index, embedding }] of data.entries()) vectors[index ?? place] = embedding;
  const length = vectors[0]?.length ?? 0;
  const isWhole =
    vectors.length === wanted && vectors.filter((vector) => vector.length === length).length === wanted;
  if (isWhole && (length > 0 || wanted === 0)) {
    const tokens = usage?.total_tokens;
    return {
      vectors,
      model,
      usage: tokens === undefined ? undefined : { inputTokens: tokens, outputTokens: 0 },
    };
  }
  throw new ModelFailure(
    'invalid-reply',
    `The reply contains ${data.length} vectors for ${wanted} texts, or some of another length.`,
    { retryable: true },
  );
}

/**
 * Reports waiting only while all requests of a call wait: while one of them is in progress, the call must not be given
 * up.
 */
function onceAllWait(requests: number, onWaiting: EmbedContext['onWaiting']): EmbedContext['onWaiting'] {
  let waits = 0;
  return (isWaiting) => {
    if (!isWaiting && waits === requests) onWaiting?.(false);
    waits += isWaiting ? 1 : -1;
    if (isWaiting && waits === requests) onWaiting?.(true);
  };
}

function chunk<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
