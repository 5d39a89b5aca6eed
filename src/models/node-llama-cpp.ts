import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { callWithRetries, cancelledFailure, type Tried } from './account/call-with-retries.ts';
import { findAccount } from './account/find-account.ts';
import { samplingOptions, withDefaults } from './http/common-options.ts';
import { toReply, totalTokens, withRequest } from './http/to-reply.ts';
import { type ChatModel, defineModel, ModelFailure } from './model.ts';
import { loadPackage } from './node-llama-cpp/load-package.ts';
import { loadLocalModel, type LocalModel, type LocalReply } from './node-llama-cpp/local-model.ts';

const identity = { name: 'node-llama-cpp', version: 1 };

function sampling() {
  const { model: _model, extra: _extra, ...parts } = samplingOptions();
  return parts;
}

/** A model in a GGUF file on this machine, run in this process by the optional package node-llama-cpp. */
export const nodeLlamaCpp = defineModel({
  ...identity,
  summary: 'A model in a GGUF file on this machine; needs the package node-llama-cpp.',
  options: () =>
    z.strictObject({
      path: z.string().min(1).describe('The GGUF file, relative to the config file.'),
      contextSize: z
        .int()
        .positive()
        .optional()
        .describe('Most tokens of a conversation; as the file says when left out.'),
      gpuLayers: z
        .int()
        .min(0)
        .optional()
        .describe('Layers that go to the graphics card; as many as fit when left out.'),
      maxConcurrency: z
        .int()
        .min(1)
        .max(64)
        .default(1)
        .describe('Conversations that it works on at the same time.'),
      ...sampling(),
    }),
  create: (options, { folder }): ChatModel => {
    const modelPath = path.resolve(folder, options.path);
    const { maxConcurrency, ...identifying } = options;
    const account = findAccount(`node-llama-cpp ${modelPath}`, { maxConcurrency });
    let loading: Promise<LocalModel> | undefined;
    const load = async () => {
      if (!existsSync(modelPath))
        throw new TouchstoneError('model-invalid', `There is no file ${options.path}.`);
      return await loadLocalModel(await loadPackage(folder), { ...options, modelPath });
    };
    return {
      name: path.basename(options.path),
      fingerprint: hashContent({ use: identity.name, version: identity.version, ...identifying }),
      open: async () => {
        await (loading ??= load());
      },
      generate: async (given, { signal, onWaiting }) => {
        const request = withDefaults(given, options);
        const shown = JSON.parse(JSON.stringify(request));
        const model = await (loading ??= load());
        const tryOnce = async (): Promise<Tried<LocalReply & { firstTokenMs: number | undefined }>> => {
          const sent = performance.now();
          const reply = await model.ask(request, signal).catch((error: unknown) => {
            throw signal.aborted
              ? cancelledFailure(signal)
              : new ModelFailure('model-threw', messageOf(error), { cause: error });
          });
          const firstTokenMs = reply.firstTokenAt === undefined ? undefined : reply.firstTokenAt - sent;
          return { value: { ...reply, firstTokenMs }, tokens: totalTokens(reply.parts.usage) };
        };
        const rules = { signal, onWaiting, tokens: 0, maxRetries: 0, maxWaitMs: 0 };
        const record = await callWithRetries(account, tryOnce, rules).catch((error: unknown) => {
          throw withRequest(error, shown);
        });
        const { parts, response, firstTokenMs } = record.value;
        const exchange = { request: shown, reply: JSON.parse(JSON.stringify(response)) };
        return toReply({ ...parts, cost: 0 }, record, { firstTokenMs, exchange });
      },
      priceOf: async () => 0,
      close: async () => {
        const model = await loading?.catch(() => undefined);
        loading = undefined;
        await model?.close();
      },
    };
  },
});
