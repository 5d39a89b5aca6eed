import { z } from 'zod';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import { type Json, amount, nonEmpty } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { createGeminiBatches } from './batch/gemini-batches.ts';
import { assembleStream } from './gemini/assemble-stream.ts';
import { splitThinking, type ToolResult, toTurns, type Turn } from './conversation.ts';
import { commonOptions } from './http/common-options.ts';
import { createHttpModel } from './http/http-model.ts';
import { type JsonObject, readWire, type ReplyParts, type WireRequest } from './http/protocol.ts';
import type { SentPieces } from './sent-files.ts';
import type { BilledUsage } from './pricing/price-list.ts';
import {
  type ChatRequest,
  defineModel,
  takesOption,
  type FinishReason,
  type RequestedToolCall,
  type ToolChoice,
  type ToolSpec,
} from './model.ts';
import { ModelFailure } from './model-failure.ts';

const count = amount().optional();

const partSchema = z.lazy(() =>
  z.looseObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    functionCall: z
      .looseObject({
        id: z.string().optional(),
        name: z.string(),
        args: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
);

const replySchema = z.lazy(() =>
  z.looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z.looseObject({ parts: z.array(partSchema).optional() }).optional(),
          finishReason: z.string().optional(),
        }),
      )
      .optional(),
    promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
    usageMetadata: z
      .looseObject({
        promptTokenCount: count,
        candidatesTokenCount: count,
        cachedContentTokenCount: count,
        thoughtsTokenCount: count,
        toolUsePromptTokenCount: count,
      })
      .optional(),
    modelVersion: z.string().optional(),
  }),
);

type WireReply = z.output<typeof replySchema>;

/** Reads a generateContent reply. Throws `ModelFailure` with the code `invalid-reply`. */
function readReply(reply: JsonObject): ReplyParts {
  const { candidates = [], promptFeedback, usageMetadata, modelVersion } = readWire(replySchema, reply);
  const [candidate] = candidates;
  const blocked = promptFeedback?.blockReason !== undefined;
  if (candidate === undefined && !blocked)
    throw new ModelFailure('invalid-reply', 'The reply contains no candidate.', { retryable: true });
  const parts = candidate?.content?.parts ?? [];
  const { text, reasoning } = readTexts(parts);
  const toolCalls = parts.flatMap(({ functionCall }) => functionCall ?? []).map(readCall);
  return {
    text: text || null,
    reasoning,
    toolCalls,
    ...readEnd(candidate?.finishReason, promptFeedback?.blockReason, toolCalls.length > 0),
    usage: readUsage(usageMetadata),
    model: modelVersion,
    continuation: toolCalls.length > 0 ? { protocol: 'gemini', parts: parts as Json } : undefined,
  };
}

function readCall(
  { id, name, args = {} }: { id?: string; name: string; args?: Record<string, unknown> },
  index: number,
): RequestedToolCall {
  return { id: id ?? `call_${index}`, name, arguments: args as Json };
}

function readTexts(parts: readonly z.output<typeof partSchema>[]): {
  readonly text: string;
  readonly reasoning: string | undefined;
} {
  const { text, reasoning } = splitThinking(
    parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
  );
  const thoughts = parts.map((part) => (part.thought ? (part.text ?? '') : '')).join('');
  const all = [thoughts, reasoning ?? ''].filter((part) => part !== '').join('\n\n');
  return { text, reasoning: all || undefined };
}

/** Reads why the reply ended; a prompt that is blocked has no reply at all. */
function readEnd(
  reason: string | undefined,
  blocked: string | undefined,
  hasToolCalls: boolean,
): Pick<ReplyParts, 'finishReason' | 'finishWord' | 'refused'> {
  if (blocked !== undefined) return { finishReason: 'content-filter', finishWord: blocked, refused: blocked };
  return {
    finishReason: readFinish(reason, hasToolCalls),
    finishWord: reason,
  };
}

function readFinish(reason: string | undefined, hasToolCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (/SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR/.test(reason ?? ''))
    return 'content-filter';
  if (hasToolCalls) return 'tool-calls';
  return reason === 'STOP' ? 'stop' : 'other';
}

/** Reads token counts. The API counts thoughts separately from the answer; both are paid for as output. */
function readUsage(usage: WireReply['usageMetadata']): BilledUsage | undefined {
  if (usage === undefined) return undefined;
  const { promptTokenCount: prompt, candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = usage;
  const isCounted = answer !== undefined || thoughts !== undefined;
  const counts = {
    inputTokens: prompt === undefined ? undefined : prompt + (usage.toolUsePromptTokenCount ?? 0),
    outputTokens: isCounted ? (answer ?? 0) + (thoughts ?? 0) : undefined,
    cachedTokens: usage.cachedContentTokenCount,
    reasoningTokens: thoughts,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
}

/** Writes a generateContent request, or a streamGenerateContent one. */
function writeRequest(request: ChatRequest, model: string, extra: JsonObject): WireRequest {
  const { tools = [], toolChoice, stream } = request;
  const { system, turns } = toTurns(request);
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
  return { path: `${pathOf(model)}:${method}`, body };
}

function pathOf(model: string): string {
  const name = model.includes('/') ? model : `models/${model}`;
  return `/${name.split('/').map(encodeURIComponent).join('/')}`;
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

function writePiece(piece: SentPieces[number]): JsonObject {
  if ('text' in piece) return { text: piece.text };
  const { mediaType, base64 } = piece.file;
  return { inlineData: { mimeType: mediaType === 'audio/mpeg' ? 'audio/mp3' : mediaType, data: base64 } };
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'user')
    return { role: 'user', parts: turn.pieces?.map(writePiece) ?? [{ text: turn.text }] };
  if (turn.role === 'tools') return { role: 'user', parts: turn.results.map(writeResult) };
  // Thought signatures must come back with the parts they belong to.
  if (turn.continuation?.protocol === 'gemini') return { role: 'model', parts: turn.continuation.parts };
  const text = turn.pieces?.map(writePiece) ?? (turn.text ? [{ text: turn.text }] : []);
  const calls = turn.toolCalls.map(({ name, arguments: args }) => ({
    functionCall: { name, args: isObject(args) ? args : {} },
  }));
  return { role: 'model', parts: [...text, ...calls] };
}

/** Writes a tool result. The API pairs results with calls by order and name, and by id where it gave one itself. */
function writeResult({ id, name, content, isError }: ToolResult): JsonObject {
  const given: JsonObject = /^call_\d+(_\d+)?$/.test(id) ? {} : { id };
  return { functionResponse: { ...given, name, response: { [isError ? 'error' : 'result']: content } } };
}

function isObject(value: Json | undefined): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

const identity = { name: 'gemini', version: 1 };

/** A model behind Google's generateContent API. */
export const gemini = defineModel({
  ...identity,
  summary: "A model behind Google's generateContent API, key in GEMINI_API_KEY.",
  words: 'Google, Gemini, Vertex, generateContent',
  example: { model: 'gemini-2.5-pro' },
  options: () =>
    z.strictObject({
      ...commonOptions(),
      baseUrl: z
        .url()
        .default('https://generativelanguage.googleapis.com/v1beta')
        .describe('Where the API is, up to and including its version.'),
      takes: takesOption(),
      apiKeyEnv: nonEmpty()
        .default('GEMINI_API_KEY')
        .describe('Name of the environment variable with the key.'),
    }),
  create: (options, needs) =>
    createHttpModel(
      {
        definition: identity,
        options,
        batches: { create: (http) => createGeminiBatches(http, pathOf(options.model)), price: 0.5 },
        takes: options.takes ?? attachmentKinds,
        takesFrom: ['user', 'assistant'],
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
