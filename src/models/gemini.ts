import { z } from 'zod';
import { assembleStream } from './gemini/assemble-stream.ts';
import { readReply } from './gemini/read-reply.ts';
import { writeRequest } from './gemini/write-request.ts';
import { commonOptions } from './http/common-options.ts';
import { createHttpModel } from './http/http-model.ts';
import { defineModel } from './model.ts';

const identity = { name: 'gemini', version: 1 };

/** A model behind Google's generateContent API. */
export const gemini = defineModel({
  ...identity,
  summary: "A model behind Google's generateContent API.",
  options: () =>
    z.strictObject({
      ...commonOptions(),
      baseUrl: z
        .url()
        .default('https://generativelanguage.googleapis.com/v1beta')
        .describe('Where the API is, up to and including its version.'),
      apiKeyEnv: z
        .string()
        .min(1)
        .default('GEMINI_API_KEY')
        .describe('Name of the environment variable that holds the key.'),
    }),
  create: (options, needs) =>
    createHttpModel(
      {
        definition: identity,
        options,
        protocol: {
          write: (request) => writeRequest(request, options.model, options.extra),
          read: readReply,
          assembleStream,
        },
        endpoint: { ...options, keyHeaders: (key) => ({ 'x-goog-api-key': key }) },
      },
      needs,
    ),
});
