import { z } from 'zod';
import { commonOptions } from './http/common-options.ts';
import { createHttpModel } from './http/http-model.ts';
import { defineModel } from './model.ts';
import { assembleStream } from './openai-chat/assemble-stream.ts';
import { findHost } from './openai-chat/known-hosts.ts';
import { readReply } from './openai-chat/read-reply.ts';
import { writeRequest } from './openai-chat/write-request.ts';

const identity = { name: 'openai-chat', version: 1 };

/** Where OpenAI's own API is. */
const openaiUrl = 'https://api.openai.com/v1';

/**
 * Any model behind an OpenAI-compatible chat completions API: OpenAI, Azure, Ollama, vLLM, llama.cpp, OpenRouter and
 * many more.
 */
export const openaiChat = defineModel({
  ...identity,
  summary: 'A model behind an OpenAI-compatible API: OpenAI, Azure, Ollama, vLLM, llama.cpp, OpenRouter, …',
  options: () =>
    z.strictObject({
      ...commonOptions(),
      baseUrl: z
        .url()
        .default(openaiUrl)
        .describe('Where the API is, up to and including `/v1`: `http://localhost:11434/v1` for Ollama.'),
      apiKeyEnv: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Name of the environment variable that holds the key. Left out, it is OPENAI_API_KEY for OpenAI, ' +
            'AZURE_OPENAI_API_KEY for Azure, OPENROUTER_API_KEY for OpenRouter, and no key goes to any other server.',
        ),
      keyHeader: z
        .enum(['authorization', 'api-key'])
        .optional()
        .describe('How the key is sent: as a bearer token, or in `api-key` as Azure wants it.'),
      apiVersion: z.string().min(1).optional().describe("Azure's `api-version`; sent in the URL."),
      maxTokensField: z
        .enum(['max_tokens', 'max_completion_tokens'])
        .optional()
        .describe('What the API calls its token limit; the newer name for OpenAI and Azure when left out.'),
      structuredOutput: z
        .enum(['json-schema', 'json-object', 'none'])
        .default('json-schema')
        .describe('How an answer in JSON is asked for; `none` leaves it to the prompt.'),
    }),
  create: (options, needs) => {
    const { baseUrl, apiVersion, model, extra, structuredOutput } = options;
    const host = findHost(baseUrl);
    const keyHeader = options.keyHeader ?? host?.keyHeader ?? 'authorization';
    const maxTokensField = options.maxTokensField ?? host?.maxTokensField ?? 'max_tokens';
    const dialect = { model, maxTokensField, structuredOutput, extra, schemaLimits: host?.schemaLimits };
    return createHttpModel(
      {
        definition: identity,
        options,
        protocol: { write: (request) => writeRequest(request, dialect), read: readReply, assembleStream },
        endpoint: {
          ...options,
          // A key goes to the provider it belongs to, and nowhere else unless the user says so.
          apiKeyEnv: options.apiKeyEnv ?? host?.apiKeyEnv,
          keyHeaders: (key) => ({ [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
          query: apiVersion === undefined ? undefined : { 'api-version': apiVersion },
        },
      },
      needs,
    );
  },
});
