import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { needPackage } from '../../core/lib/packages/need-package.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { callWithRetries, cancelledFailure, type Tried } from './account/call-with-retries.ts';
import { processRateLimiter } from './account/rate-limiter.ts';
import { samplingOptions, withDefaults } from './http/common-options.ts';
import { toReply, totalTokens, withRequest } from './http/to-reply.ts';
import { type ChatModel, defineModel } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import type { LlamaPackage } from './node-llama-cpp/llama-package.ts';
import { loadLocalModel, type LocalModel, type LocalReply } from './node-llama-cpp/local-model.ts';
import { nonEmpty, positiveInt } from '../../core/schema/json.ts';

const identity = { name: 'node-llama-cpp', version: 2 };

function sampling() {
  const { model: _model, extra: _extra, ...parts } = samplingOptions();
  return parts;
}

/** A model in a GGUF file on this machine, run in this process by the optional package node-llama-cpp. */
export const nodeLlamaCpp = defineModel({
  ...identity,
  summary: 'A model in a GGUF file on this machine; needs the package node-llama-cpp.',
  words: 'local, GGUF, llama, offline, on this machine, without a key, open weights',
  needs: ['package:node-llama-cpp'],
  example: { path: 'models/qwen.gguf' },
  options: () =>
    z.strictObject({
      path: nonEmpty().describe('The GGUF file, relative to the config file.'),
      contextSize: positiveInt()
        .optional()
        .describe(
          'Most tokens of a conversation with its answer; by default up to 8192, as far as file and memory allow.',
        ),
      gpuLayers: z
        .int()
        .min(0)
        .optional()
        .describe('Layers that go to the graphics card; by default, as many as fit.'),
      threads: z
        .int()
        .min(1)
        .max(1024)
        .optional()
        .describe(
          'Threads that calculate; by default, one less than there are cores. On busy cores, fewer are faster.',
        ),
      maxConcurrency: z
        .int()
        .min(1)
        .max(64)
        .default(1)
        .describe('Conversations that it works on at the same time; each needs memory for its own context.'),
      ...sampling(),
    }),
  create: (options, { folder, rateLimiter = processRateLimiter }): ChatModel => {
    const modelPath = path.resolve(folder, options.path);
    const { maxConcurrency, threads: _threads, ...identifying } = options;
    const account = rateLimiter.findAccount(`node-llama-cpp ${modelPath}`, { maxConcurrency });
    let loading: Promise<LocalModel> | undefined;
    const load = async () => {
      if (!existsSync(modelPath))
        throw new TouchstoneError('model-invalid', `There is no file ${options.path}.`);
      const llamaPackage = await loadPackage(folder);
      return await loadLocalModel(llamaPackage, { ...options, modelPath }).catch((error: unknown) => {
        throw cannotLoad(options.path, error);
      });
    };
    const loadOnce = async () => {
      loading ??= load();
      const mine = loading;
      return await mine.catch((error: unknown) => {
        if (loading === mine) loading = undefined;
        throw error;
      });
    };
    return {
      name: path.basename(options.path),
      fingerprint: hashContent({ use: identity.name, version: identity.version, ...identifying }),
      open: async () => {
        await loadOnce();
      },
      generate: async (given, { signal, onWaiting }) => {
        const request = withDefaults(given, options);
        const shown = parseJson(JSON.stringify(request));
        const model = await loadOnce();
        const tryOnce = async (): Promise<Tried<LocalReply & { firstTokenMs: number | undefined }>> => {
          const sent = performance.now();
          const reply = await model.ask(request, signal).catch((error: unknown) => {
            if (signal.aborted) throw cancelledFailure(signal);
            if (error instanceof ModelFailure) throw error;
            throw new ModelFailure('model-threw', messageOf(error), { cause: error });
          });
          const firstTokenMs = reply.firstTokenAt === undefined ? undefined : reply.firstTokenAt - sent;
          return { value: { ...reply, firstTokenMs }, tokens: totalTokens(reply.parts.usage) };
        };
        const rules = { signal, onWaiting, tokens: 0, maxRetries: 0, maxWaitMs: 0 };
        const record = await callWithRetries(account, tryOnce, rules).catch((error: unknown) => {
          throw withRequest(error, shown);
        });
        const { parts, response, firstTokenMs } = record.value;
        const exchange = { request: shown, reply: parseJson(JSON.stringify(response)) };
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

/** Returns the error for a file that cannot be loaded, with its remedy. */
function cannotLoad(file: string, error: unknown): TouchstoneError {
  const said = messageOf(error);
  if (/no.*binar|binary/i.test(said)) {
    return new TouchstoneError('package-missing', `node-llama-cpp has no binary for this machine: ${said}`, {
      remedy:
        'Install the `@node-llama-cpp/…` package for this platform alongside node-llama-cpp, in the same version.',
      cause: error,
    });
  }
  const isMemory = /memory|vram|context size/i.test(said);
  return new TouchstoneError('model-invalid', `${file} cannot be loaded: ${said}`, {
    remedy: isMemory
      ? 'Set a smaller `contextSize` or `maxConcurrency`, fewer `gpuLayers`, or use a smaller file.'
      : 'Check that it is a whole GGUF file of a chat model that llama.cpp knows.',
    cause: error,
  });
}

/**
 * Imports node-llama-cpp from the config's folder or from where Touchstone is installed. Throws `package-missing` with the command
 * that installs it.
 */
export async function loadPackage(folder: string): Promise<LlamaPackage> {
  return await needPackage('node-llama-cpp', {
    for: 'A local GGUF model',
    load: async (from) =>
      (await import(pathToFileURL(createRequire(from).resolve('node-llama-cpp')).href)) as LlamaPackage,
    folder,
    also: '(0.7 GB with GPU support; with `--omit=optional`, and the `@node-llama-cpp/…` package of your platform, 85 MB).',
  });
}
