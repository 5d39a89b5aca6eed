import { z } from 'zod';
import { writeOpenaiParts } from '../../core/attachments/openai-parts.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import { type Json, nonEmpty } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { toTurns, type Turn } from './conversation.ts';
import { commonOptions } from './http/common-options.ts';
import { createMistralJobs } from './batch/mistral-jobs.ts';
import { createOpenaiFiles } from './batch/openai-files.ts';
import type { AskingForm, AskingRules } from './http/asking-form.ts';
import type { EndpointSettings } from './http/endpoint.ts';
import { type BatchesOfProvider, createHttpModel } from './http/http-model.ts';
import type { JsonObject, WireRequest } from './http/protocol.ts';
import { type SchemaLimits, simplifySchema } from './http/simplify-schema.ts';
import {
  type ChatModel,
  type ChatRequest,
  defineModel,
  type ModelNeeds,
  takesOption,
  type ToolChoice,
} from './model.ts';
import { assembleStream } from './openai-chat/assemble-stream.ts';
import { readReply } from './openai-chat/read-reply.ts';
import { findProvider, keyVariableOf, type Provider } from './providers/table.ts';

const identity = { name: 'openai-chat', version: 1 };

/** The address of OpenAI's own API. */
const openaiUrl = 'https://api.openai.com/v1';

/** The options of a model behind an OpenAI-compatible API. */
export const openaiOptions = lazily(() =>
  z.strictObject({
    ...commonOptions(),
    baseUrl: z
      .url()
      .default(openaiUrl)
      .describe('Where the API is, up to and including `/v1`: `http://localhost:11434/v1` for Ollama.'),
    apiKeyEnv: nonEmpty()
      .optional()
      .describe(
        'Name of the environment variable with the key. By default, the variable of the provider at this address ' +
          '(OPENAI_API_KEY for OpenAI; `touchstone models` lists them), and no key goes to any other server.',
      ),
    keyHeader: z
      .enum(['authorization', 'api-key'])
      .optional()
      .describe('How the key is sent: as a bearer token, or in `api-key` as Azure wants it.'),
    takes: takesOption(
      attachmentKinds,
      'what the provider at this address takes: image and pdf for OpenAI, else nothing',
    ),
    apiVersion: nonEmpty().optional().describe("Azure's `api-version`; sent in the URL."),
    maxTokensField: z
      .enum(['max_tokens', 'max_completion_tokens'])
      .optional()
      .describe('What the API calls its token limit; by default, the newer name for OpenAI and Azure.'),
    structuredOutput: z
      .enum(['auto', 'json-schema', 'json-object', 'none'])
      .default('auto')
      .describe(
        'How an answer in JSON is asked for: by a schema, as any object, or (`none`) in the prompt only. `auto` begins with the ' +
          'strictest, and where the server refuses it, asks in the next one, for as long as the process runs.',
      ),
  }),
);

/**
 * Any model behind an OpenAI-compatible chat completions API: OpenAI, Azure, Ollama, vLLM, llama.cpp, OpenRouter and
 * many more.
 */
export const openaiChat = defineModel({
  ...identity,
  summary:
    'A model behind any OpenAI-compatible API, at the address in `baseUrl`; by default OpenAI, key in OPENAI_API_KEY.',
  words:
    'OpenAI, GPT, ChatGPT, Azure, Ollama, vLLM, OpenRouter, Groq, Mistral, DeepSeek, Together, LM Studio, llama.cpp, local, compatible API',
  example: { model: 'gpt-5' },
  options: () => openaiOptions(),
  create: (options, needs) => createOpenaiChat(options, needs, findProvider(options.baseUrl)),
});

type OpenaiOptions = z.output<ReturnType<typeof openaiOptions>>;

/**
 * Creates a model behind an OpenAI-compatible API that speaks as a provider does, wherever it is. The key of a provider goes to
 * its own hosts only.
 */
export function createOpenaiChat(
  options: OpenaiOptions,
  needs: ModelNeeds,
  provider: Provider | undefined,
): ChatModel {
  const { model, extra } = options;
  const asking = askingRules(options, provider);
  // The fingerprint belongs to the first way of asking, so that judgements from before stay valid.
  const asked = { ...options, structuredOutput: asking.first.json };
  const { seedField = 'seed', schemaLimits } = provider ?? {};
  const dialect = { model, seedField, extra, schemaLimits };
  return createHttpModel(
    {
      definition: identity,
      options: asked,
      asking,
      batches: batchesOf(provider, options),
      takes: options.takes ?? provider?.takes,
      protocol: {
        write: (request, form = asking.first) => writeRequest(request, { ...dialect, ...form }),
        read: readReply,
        assembleStream,
      },
      endpoint: endpointOf(options, needs, provider),
    },
    needs,
  );
}

/** Returns the address of an API and how its key is sent: to the provider that it belongs to, unless the user writes otherwise. */
export function endpointOf(
  options: Omit<OpenaiOptions, 'maxTokensField' | 'seed' | 'stop'>,
  { environment }: ModelNeeds,
  provider: Provider | undefined,
): EndpointSettings {
  const { baseUrl, apiVersion, keyCommand } = options;
  // What a command prints is a token, also for Azure, where only keys have a header of their own.
  const ofProvider = keyCommand === undefined ? provider?.keyHeader : undefined;
  const keyHeader = options.keyHeader ?? ofProvider ?? 'authorization';
  return {
    ...options,
    apiKeyEnv: options.apiKeyEnv ?? keyVariableOf(findProvider(baseUrl), environment),
    keyHeaders: (key) => ({ [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
    query: apiVersion === undefined ? undefined : { 'api-version': apiVersion },
  };
}

/** Returns the rules of asking a server: where the user wrote nothing, what it refuses is omitted. */
export function askingRules(
  { model, baseUrl, seed, extra, maxTokensField, structuredOutput }: OpenaiOptions,
  provider: Provider | undefined,
): AskingRules {
  const { jsonModes = ['json-schema', 'json-object', 'none'] } = provider ?? {};
  const modes = structuredOutput === 'auto' ? jsonModes : [structuredOutput];
  const written = new Set(Object.keys(extra));
  if (seed !== undefined) written.add('seed');
  if (maxTokensField !== undefined) written.add('max_tokens');
  return {
    first: {
      json: modes[0] ?? 'none',
      maxTokensField: maxTokensField ?? provider?.maxTokensField ?? 'max_tokens',
      without: [],
    },
    jsonModes: modes,
    added: ['seed', 'stream_options'],
    written,
    name: `${provider?.name ?? new URL(baseUrl).host}, ${model}`,
  };
}

/**
 * Returns the batches at an address: the batches of a provider that has some, or what an unknown server may have. The old addresses of
 * Azure, with a version, have none.
 */
function batchesOf(
  provider: Provider | undefined,
  { apiVersion, model }: OpenaiOptions,
): BatchesOfProvider | undefined {
  if (apiVersion !== undefined) return undefined;
  if (provider !== undefined && provider.batch === undefined) return undefined;
  return {
    create: (http) =>
      provider?.batch === 'mistral-jobs'
        ? createMistralJobs(http, model)
        : createOpenaiFiles(http, '/v1/chat/completions'),
    price: provider?.batchPrice ?? 1,
  };
}

/** The differences of an API from OpenAI's own, and the form that its server takes. */
interface OpenaiDialect extends AskingForm {
  readonly model: string;
  readonly seedField: string;
  /** Set when the server compiles schemas and caches them. */
  readonly schemaLimits?: SchemaLimits;
  readonly extra: JsonObject;
}

/** Writes a chat completion request. */
function writeRequest(request: ChatRequest, dialect: OpenaiDialect): WireRequest {
  const { temperature, topP, seed, stop, maxTokens, stream, tools = [], toolChoice } = request;
  const settings = withoutUndefined<Json>({
    temperature,
    top_p: topP,
    [dialect.seedField]: dialect.without.includes('seed') ? undefined : seed,
    stop: stop?.length ? [...stop] : undefined,
    [dialect.maxTokensField]: maxTokens,
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(toolChoice) : undefined,
    response_format: writeFormat(request.responseSchema, dialect),
    stream: stream ? true : undefined,
    stream_options:
      stream && !dialect.without.includes('stream_options') ? { include_usage: true } : undefined,
  });
  const body = { model: dialect.model, messages: writeMessages(request), ...settings, ...dialect.extra };
  return { path: '/chat/completions', body };
}

function writeMessages(request: ChatRequest): JsonObject[] {
  const { system, turns } = toTurns(request);
  const first: JsonObject[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...first, ...turns.flatMap(writeTurn)];
}

function writeTurn(turn: Turn): JsonObject[] {
  if (turn.role === 'user')
    return [{ role: 'user', content: turn.pieces ? writeOpenaiParts(turn.pieces) : turn.text }];
  if (turn.role === 'tools') {
    return turn.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  }
  const calls = turn.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  if (calls.length === 0) return [{ role: 'assistant', content: turn.text ?? '' }];
  const thoughts =
    turn.continuation?.protocol === 'openai-chat' ? (turn.continuation.parts as JsonObject) : {};
  return [{ role: 'assistant', content: turn.text, tool_calls: calls, ...thoughts }];
}

function writeTool({ name, description, parameters }: NonNullable<ChatRequest['tools']>[number]): JsonObject {
  return { type: 'function', function: { name, ...(description && { description }), parameters } };
}

function writeToolChoice(choice: ToolChoice | undefined): Json | undefined {
  if (typeof choice !== 'object') return choice;
  return { type: 'function', function: { name: choice.tool } };
}

function writeFormat(
  wanted: ChatRequest['responseSchema'],
  { json, schemaLimits }: OpenaiDialect,
): JsonObject | undefined {
  if (wanted === undefined || json === 'none') return undefined;
  if (json === 'json-object') return { type: 'json_object' };
  const { name } = wanted;
  const schema = schemaLimits === undefined ? wanted.schema : simplifySchema(wanted.schema, schemaLimits);
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrictSchema(schema) } };
}

/**
 * Returns whether OpenAI accepts a JSON Schema as strict: every object lists all its properties as required and allows
 * no others. A request that calls any other schema strict is refused.
 */
export function isStrictSchema(schema: Json): boolean {
  if (!isContainer(schema)) return true;
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  const { properties } = schema;
  if (isRecord(properties)) {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    if (schema['additionalProperties'] !== false) return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every(isStrictSchema)) return false;
  } else if (schema['type'] === 'object') return false;
  return Object.entries(schema).every(([key, value]) => key === 'properties' || isStrictSchema(value));
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}
