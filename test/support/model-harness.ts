import { expect } from 'vitest';
import { anthropic } from '../../src/evaluate/models/anthropic.ts';
import { gemini } from '../../src/evaluate/models/gemini.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../src/evaluate/models/model.ts';
import { ModelFailure } from '../../src/evaluate/models/model-failure.ts';
import { openaiChat } from '../../src/evaluate/models/openai-chat.ts';
import { openaiResponses } from '../../src/evaluate/models/openai-responses.ts';
import { type ModelServer, startModelServer } from '../../src/library/testing/model-server/model-server.ts';
import type { ModelScript } from '../../src/library/testing/model-server/script.ts';
import { atFileEnd } from './file-end.ts';

const servers = new Set<ModelServer>();

atFileEnd(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

/** Starts a model server that stops after the tests of the file. */
export async function serve(script: ModelScript = 'yes'): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.add(server);
  return server;
}

const factories = { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic, gemini };

/** A kind of model that speaks HTTP. */
export type HttpKind = keyof typeof factories;
export const httpKinds = Object.keys(factories) as HttpKind[];

/** The header in which each of them sends its key. */
export const keyHeaders: Readonly<Record<HttpKind, string>> = {
  'openai-chat': 'authorization',
  'openai-responses': 'authorization',
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
};

/** Returns the definition of a kind of model, under the options of `openai-chat`. */
export function definitionOf(kind: HttpKind): (typeof openaiChat)['definition'] {
  return factories[kind].definition as unknown as (typeof openaiChat)['definition'];
}

/** The key of every model that `createAt` makes. */
export const modelKey = 'sk-test-0123456789abcdef';
const otherSecret = 'another-secret-value-0123';

/** Creates a model at an address. */
export function createAt(kind: HttpKind, baseUrl: string, options: object = {}): ChatModel {
  const definition = definitionOf(kind);
  const written = { model: 'test-model', baseUrl, apiKeyEnv: 'TEST_MODEL_KEY', ...options };
  const needs = { folder: '.', environment: { TEST_MODEL_KEY: modelKey, OTHER_TOKEN: otherSecret } };
  return definition.create(definition.options.parse(written), needs);
}

/** Creates a model that has had an answer before, so that its pauses are as short as its server is quick. */
export async function createWarm(
  kind: HttpKind,
  script: ModelScript,
  options: object = {},
): Promise<{ model: ChatModel; server: ModelServer }> {
  const server = await serve('warm');
  const model = createAt(kind, server.url, options);
  await ask(model);
  server.play(script);
  return { model, server };
}

/** Asks a model for the rent. */
export async function ask(
  model: ChatModel,
  parts: Partial<ChatRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ChatReply> {
  return await model.generate(
    { messages: [{ role: 'user', content: 'What is the rent?' }], ...parts },
    { signal },
  );
}

/** Returns the failure with which a call ends. */
export async function failureOf(call: Promise<unknown>): Promise<ModelFailure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

/** A tool that a model can call. */
export const weatherTool = {
  name: 'weather',
  description: 'The weather.',
  parameters: { type: 'object', properties: {} },
};
