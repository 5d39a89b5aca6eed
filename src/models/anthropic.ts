import { z } from 'zod';
import { assembleStream } from './anthropic/assemble-stream.ts';
import { readReply } from './anthropic/read-reply.ts';
import { writeRequest } from './anthropic/write-request.ts';
import { commonOptions } from './http/common-options.ts';
import { createHttpModel } from './http/http-model.ts';
import { defineModel } from './model.ts';

const identity = { name: 'anthropic', version: 1 };

/** A model behind Anthropic's Messages API. */
export const anthropic = defineModel({
  ...identity,
  summary: "A model behind Anthropic's Messages API.",
  options: () =>
    z.strictObject({
      ...commonOptions(),
      baseUrl: z
        .url()
        .default('https://api.anthropic.com/v1')
        .describe('Where the API is, up to and including `/v1`.'),
      apiKeyEnv: z
        .string()
        .min(1)
        .default('ANTHROPIC_API_KEY')
        .describe('Name of the environment variable that holds the key.'),
      apiVersion: z.string().min(1).default('2023-06-01').describe('The `anthropic-version` header.'),
      defaultMaxTokens: z
        .int()
        .positive()
        .default(8192)
        .describe('Most tokens that it may write when nothing else says so: the API wants a limit.'),
      structuredOutput: z
        .enum(['output-format', 'tool'])
        .default('output-format')
        .describe('How an answer in JSON is asked for; `tool` for models that know no output format.'),
    }),
  create: (options, needs) =>
    createHttpModel(
      {
        definition: identity,
        options,
        protocol: { write: (request) => writeRequest(request, options), read: readReply, assembleStream },
        endpoint: {
          ...options,
          headers: { 'anthropic-version': options.apiVersion, ...options.headers },
          keyHeaders: (key) => ({ 'x-api-key': key }),
        },
      },
      needs,
    ),
});
