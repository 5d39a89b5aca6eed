import { z } from 'zod';
import { withoutUndefined } from '../lib/without-undefined.ts';
import type { Json } from '../schema/json.ts';
import { type ToolResult, toTurns, type Turn } from './conversation/to-turns.ts';
import { readReply } from './gemini/read-reply.ts';
import { commonOptions } from './http/common-options.ts';
import { createHttpModel } from './http/http-model.ts';
import type { JsonObject, StreamAssembler, WireRequest } from './http/protocol.ts';
import { parseEventData, readWire } from './http/read-wire.ts';
import { reportedFailure } from './http/status-failure.ts';
import { type ChatRequest, defineModel, type ToolChoice, type ToolSpec } from './model.ts';

/** Writes a generateContent request, or a streamGenerateContent one. */
function writeRequest(request: ChatRequest, model: string, extra: JsonObject): WireRequest {
  const { messages, tools = [], toolChoice, stream } = request;
  const { system, turns } = toTurns(messages);
  const { generationConfig: extraConfig, ...extraRest } = extra;
  const generationConfig = { ...writeConfig(request), ...(isObject(extraConfig) && extraConfig) };
  const body: JsonObject = {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents: turns.map(writeTurn),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(writeTool) }] }),
    ...(tools.length > 0 && toolChoice !== undefined && { toolConfig: writeToolChoice(toolChoice) }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...extraRest,
  };
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const name = model.includes('/') ? model : `models/${model}`;
  return { path: `/${name.split('/').map(encodeURIComponent).join('/')}:${method}`, body };
}

function writeConfig({ temperature, topP, seed, stop, maxTokens, responseSchema }: ChatRequest): JsonObject {
  return withoutUndefined<Json>({
    temperature,
    topP,
    seed,
    stopSequences: stop?.length ? [...stop] : undefined,
    maxOutputTokens: maxTokens,
    responseMimeType: responseSchema && 'application/json',
    responseJsonSchema: responseSchema?.schema,
  });
}

function writeTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { name, ...(description && { description }), parametersJsonSchema: parameters };
}

const modes: Readonly<Record<string, string>> = { auto: 'AUTO', none: 'NONE', required: 'ANY' };

function writeToolChoice(choice: ToolChoice): JsonObject {
  const config: JsonObject =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.tool] }
      : { mode: modes[choice] ?? 'AUTO' };
  return { functionCallingConfig: config };
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'user') return { role: 'user', parts: [{ text: turn.text }] };
  if (turn.role === 'tools') return { role: 'user', parts: turn.results.map(writeResult) };
  // Thought signatures must come back with the parts they belong to.
  if (turn.continuation?.protocol === 'gemini') return { role: 'model', parts: turn.continuation.parts };
  const text = turn.text ? [{ text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ name, arguments: given }) => ({
    functionCall: { name, args: isObject(given) ? given : {} },
  }));
  return { role: 'model', parts: [...text, ...calls] };
}

/** The API pairs results with calls by their order and name, and by id where it gave one itself. */
function writeResult({ id, name, content, isError }: ToolResult): JsonObject {
  const given: JsonObject = /^call_\d+(_\d+)?$/.test(id) ? {} : { id };
  return { functionResponse: { ...given, name, response: { [isError ? 'error' : 'result']: content } } };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const record = z.record(z.string(), z.unknown());

const chunkSchema = z.lazy(() =>
  z.looseObject({
    error: z.unknown().optional(),
    candidates: z
      .array(
        z.looseObject({
          content: z.looseObject({ parts: z.array(record).optional() }).optional(),
          finishReason: z.string().optional(),
        }),
      )
      .optional(),
    promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  }),
);

/** Puts the pieces of a streamGenerateContent reply together. Counts of tokens are totals: the last ones count. */
function assembleStream(): StreamAssembler {
  const parts: Record<string, unknown>[] = [];
  let rest: Record<string, unknown> = {};
  let finishReason: string | undefined;
  let isBlocked = false;

  return {
    add: ({ data }) => {
      const chunk = readWire(chunkSchema, parseEventData(data));
      if (chunk.error !== undefined) throw reportedFailure(chunk.error as Json);
      const { candidates = [], ...others } = chunk;
      rest = { ...rest, ...others };
      isBlocked ||= chunk.promptFeedback?.blockReason !== undefined;
      const [candidate] = candidates;
      finishReason = candidate?.finishReason ?? finishReason;
      const added = candidate?.content?.parts ?? [];
      for (const part of added) addPart(parts, part);
      return added.some(({ text }) => text !== '');
    },
    finish: () => {
      if (finishReason === undefined && !isBlocked) return undefined;
      const candidates =
        parts.length > 0 || finishReason !== undefined
          ? [{ content: { role: 'model', parts }, finishReason }]
          : [];
      return JSON.parse(JSON.stringify({ ...rest, candidates })) as JsonObject;
    },
  };
}

/** Pieces of one text are one part; a signature ends it. */
function addPart(parts: Record<string, unknown>[], part: Record<string, unknown>): void {
  const last = parts.at(-1);
  const isMore =
    last !== undefined &&
    typeof last['text'] === 'string' &&
    typeof part['text'] === 'string' &&
    last['thought'] === part['thought'] &&
    last['thoughtSignature'] === undefined;
  if (isMore) Object.assign(last, part, { text: `${String(last['text'])}${String(part['text'])}` });
  else parts.push({ ...part });
}

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
