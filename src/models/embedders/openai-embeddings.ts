import { z } from 'zod';
import { hashContent } from '../../lib/content-hash.ts';
import type { Account } from '../account/account.ts';
import { callWithRetries, type Tried } from '../account/call-with-retries.ts';
import { findAccount } from '../account/find-account.ts';
import { defineEmbedder, type Embedder } from '../embedder.ts';
import { connectionOptions } from '../http/common-options.ts';
import { checkEndpoint, type Endpoint, openEndpoint } from '../http/endpoint.ts';
import { post } from '../http/post.ts';
import type { JsonObject } from '../http/protocol.ts';
import { readWire } from '../http/read-wire.ts';
import { ModelFailure } from '../model.ts';
import { findHost } from '../openai-chat/known-hosts.ts';

const identity = { name: 'openai-embeddings', version: 1 };

const replySchema = z.lazy(() =>
  z.looseObject({
    data: z.array(z.looseObject({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()) })),
    usage: z.looseObject({ total_tokens: z.number().optional() }).nullish(),
  }),
);

/** An embedding model behind an OpenAI-compatible API: OpenAI, Ollama, vLLM, llama.cpp and others. */
export const openaiEmbeddings = defineEmbedder({
  ...identity,
  summary: 'An embedding model behind an OpenAI-compatible API.',
  options: () =>
    z.strictObject({
      model: z.string().min(1).describe("The model's name, as the provider calls it."),
      dimensions: z
        .int()
        .positive()
        .optional()
        .describe('Length of the vectors, where the model can be told.'),
      batchSize: z.int().min(1).max(2048).default(64).describe('Most texts in one request.'),
      baseUrl: z
        .url()
        .default('https://api.openai.com/v1')
        .describe('Where the API is, up to and including `/v1`.'),
      apiKeyEnv: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Name of the environment variable that holds the key; chosen as by `openai-chat` when left out.',
        ),
      ...connectionOptions(),
    }),
  create: (options, { environment }): Embedder => {
    const { model, baseUrl, dimensions, batchSize } = options;
    const settings = {
      ...options,
      apiKeyEnv: options.apiKeyEnv ?? findHost(baseUrl)?.apiKeyEnv,
      keyHeaders: (key: string) => ({ authorization: `Bearer ${key}` }),
    };
    checkEndpoint(settings);
    let opened: { readonly endpoint: Endpoint; readonly account: Account } | undefined;
    const open = () => {
      if (opened !== undefined) return opened;
      const endpoint = openEndpoint(settings, environment);
      opened = { endpoint, account: findAccount(endpoint.account, options) };
      return opened;
    };
    return {
      name: model,
      fingerprint: hashContent({ use: identity.name, version: identity.version, baseUrl, model, dimensions }),
      embed: async (texts, { signal }) => {
        const { endpoint, account } = open();
        const embedBatch = async (batch: readonly string[]) => {
          const body = {
            model,
            input: [...batch],
            encoding_format: 'float',
            ...(dimensions && { dimensions }),
          };
          const tryOnce = async (): Promise<Tried<number[][]>> => {
            const tried = await post(
              endpoint,
              { path: '/embeddings', body },
              { signal, timeLimitMs: options.timeLimitMs },
            );
            if (tried.failure !== undefined) return tried;
            return { ...tried, ...readVectors(tried.value.reply, batch.length) };
          };
          const tokens = Math.ceil(batch.join('').length / 4);
          return (await callWithRetries(account, tryOnce, { ...options, signal, tokens })).value;
        };
        const batches = chunk(texts, batchSize);
        return (await Promise.all(batches.map(embedBatch))).flat();
      },
    };
  },
});

/** The vectors in the order of the texts. Throws `ModelFailure` when one is missing or of another length. */
function readVectors(reply: JsonObject, wanted: number): { value: number[][]; tokens: number | undefined } {
  const { data, usage } = readWire(replySchema, reply);
  const vectors: number[][] = [];
  for (const [place, { index, embedding }] of data.entries()) vectors[index ?? place] = embedding;
  const length = vectors[0]?.length ?? 0;
  const isWhole =
    vectors.length === wanted && vectors.filter((vector) => vector.length === length).length === wanted;
  if (isWhole && (length > 0 || wanted === 0)) return { value: vectors, tokens: usage?.total_tokens };
  throw new ModelFailure(
    'invalid-reply',
    `The reply holds ${data.length} vectors for ${wanted} texts, or some of another length.`,
    {
      retryable: true,
    },
  );
}

function chunk<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
