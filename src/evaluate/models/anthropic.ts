import { z } from 'zod';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import { type Json, amount, nonEmpty, positiveInt } from '../../core/schema/json.ts';
import { kindOf } from '../../core/schema/message.ts';
import { assembleStream } from './anthropic/assemble-stream.ts';
import { readToolCall, splitThinking, toTurns, type Turn } from './conversation.ts';
import { commonOptions } from './http/common-options.ts';
import { createAnthropicBatches } from './batch/anthropic-batches.ts';
import { createHttpModel } from './http/http-model.ts';
import { type JsonObject, readWire, type ReplyParts, type WireRequest } from './http/protocol.ts';
import type { SentPieces } from './sent-files.ts';
import type { BilledUsage } from './pricing/price-list.ts';
import { simplifySchema } from './http/simplify-schema.ts';
import {
  type ChatRequest,
  defineModel,
  takesOption,
  type FinishReason,
  type RequestedToolCall,
  type ToolChoice,
  type ToolSpec,
} from './model.ts';

/** The settings that a request needs besides the conversation. */
interface AnthropicDialect {
  readonly model: string;
  /** The token limit when none is given, since the API requires one. */
  readonly defaultMaxTokens: number;
  readonly structuredOutput: 'output-format' | 'tool';
  readonly extra: JsonObject;
}

/** Writes a Messages request. A seed is not sent, since the API has none. */
function writeRequest(request: ChatRequest, dialect: AnthropicDialect): WireRequest {
  const { temperature, topP, stop, maxTokens, stream, responseSchema } = request;
  const { system, turns } = toTurns(request);
  const format = dialect.structuredOutput === 'output-format' && responseSchema !== undefined;
  const settings = withoutUndefined<Json>({
    system,
    temperature,
    top_p: topP,
    stop_sequences: stop?.length ? [...stop] : undefined,
    ...writeTools(request, dialect),
    // The API refuses a schema with bounds, and is slow with each schema that it has not seen.
    output_config: format
      ? { format: { type: 'json_schema', schema: simplifySchema(responseSchema.schema, { bounds: true }) } }
      : undefined,
    stream: stream ? true : undefined,
  });
  const body = {
    model: dialect.model,
    max_tokens: maxTokens ?? dialect.defaultMaxTokens,
    messages: turns.map(writeTurn),
    ...settings,
    ...dialect.extra,
  };
  return { path: '/messages', body };
}

/** The name of the tool that asks for an answer in JSON when the API has no other way. */
const answerTool = 'give_answer';

function writeTools(
  request: ChatRequest,
  { structuredOutput }: AnthropicDialect,
): { tools?: JsonObject[]; tool_choice?: JsonObject } {
  const { tools = [], toolChoice, responseSchema } = request;
  const isByTool = structuredOutput === 'tool' && responseSchema !== undefined;
  const all: JsonObject[] = [
    ...tools.map(writeTool),
    ...(isByTool
      ? [writeTool({ name: answerTool, description: 'Gives the answer.', parameters: responseSchema.schema })]
      : []),
  ];
  if (all.length === 0) return {};
  const choice =
    isByTool && tools.length === 0 ? { type: 'tool', name: answerTool } : writeToolChoice(toolChoice);
  return { tools: all, tool_choice: choice };
}

function writeTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { name, ...(description && { description }), input_schema: parameters };
}

function writeToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

/** The kinds of files that the API takes. */
const takes = ['image', 'pdf'] as const;

function writePiece(piece: SentPieces[number]): JsonObject {
  if ('text' in piece) return { type: 'text', text: piece.text };
  const { mediaType, base64 } = piece.file;
  const source = { type: 'base64', media_type: mediaType, data: base64 };
  return { type: kindOf(piece.file) === 'pdf' ? 'document' : 'image', source };
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'user') return { role: 'user', content: turn.pieces?.map(writePiece) ?? turn.text };
  if (turn.role === 'tools') {
    const results = turn.results.map(({ id, content, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError && { is_error: true }),
    }));
    return { role: 'user', content: results };
  }
  // Signed thinking must be sent back unchanged, before the tool calls that it led to.
  if (turn.continuation?.protocol === 'anthropic')
    return { role: 'assistant', content: turn.continuation.parts };
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'tool_use',
    id,
    name,
    input: isContainer(args) ? args : {},
  }));
  return { role: 'assistant', content: [...text, ...calls] };
}

const count = amount().nullish();

const replySchema = z.lazy(() =>
  z.looseObject({
    model: z.string().nullish(),
    content: z.array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        thinking: z.string().optional(),
        id: z.string().optional(),
        name: z.string().optional(),
        input: z.unknown().optional(),
      }),
    ),
    stop_reason: z.string().nullish(),
    usage: z
      .looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
        cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish(),
        output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
      })
      .nullish(),
  }),
);

type WireReply = z.output<typeof replySchema>;
type Block = WireReply['content'][number];

/** Reads a Messages reply. Throws `ModelFailure` with the code `invalid-reply`. */
function readReply(reply: JsonObject): ReplyParts {
  const { content, model, usage, stop_reason: reason } = readWire(replySchema, reply);
  const answer = content.find(({ type, name }) => type === 'tool_use' && name === answerTool);
  const written = content.map(({ text }) => text ?? '').join('');
  const { text, reasoning } = splitThinking(answer === undefined ? written : JSON.stringify(answer.input));
  const thoughts = content.flatMap(({ type, thinking }) =>
    type === 'thinking' && thinking ? [thinking] : [],
  );
  const toolCalls = content.filter((block) => block.type === 'tool_use' && block !== answer).map(readCall);
  return {
    text: text || null,
    reasoning: [...thoughts, reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: readFinish(reason, answer !== undefined && toolCalls.length === 0),
    ...(reason && { finishWord: reason }),
    // What was written before a refusal is not to be used.
    ...(reason === 'refusal' && { refused: reason }),
    usage: readUsage(usage),
    model: model ?? undefined,
    continuation: toolCalls.length > 0 ? { protocol: 'anthropic', parts: content as Json } : undefined,
  };
}

/** Reads a tool call. A stream that was cut off within the arguments leaves them as a text. */
function readCall({ id = '', name = '', input }: Block): RequestedToolCall {
  return readToolCall(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}));
}

function readFinish(reason: string | null | undefined, isAnswerByTool: boolean): FinishReason {
  if (reason === 'tool_use') return isAnswerByTool ? 'stop' : 'tool-calls';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'content-filter';
  return reason === 'end_turn' || reason === 'stop_sequence' ? 'stop' : 'other';
}

/** Reads token counts. The API counts cached input separately; here it is part of the input. */
function readUsage(usage: WireReply['usage']): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const counts = {
    inputTokens: typeof fresh === 'number' ? fresh + (read ?? 0) + (written ?? 0) : undefined,
    outputTokens: usage.output_tokens,
    cachedTokens: read,
    cacheWriteTokens: written,
    longCacheWriteTokens: usage.cache_creation?.ephemeral_1h_input_tokens,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}

const identity = { name: 'anthropic', version: 1 };

/** A model behind Anthropic's Messages API. */
export const anthropic = defineModel({
  ...identity,
  summary: "A model behind Anthropic's Messages API, key in ANTHROPIC_API_KEY.",
  words: 'Claude, Sonnet, Opus, Haiku, messages API',
  example: { model: 'claude-sonnet-4-5' },
  options: () =>
    z.strictObject({
      ...commonOptions(),
      baseUrl: z
        .url()
        .default('https://api.anthropic.com/v1')
        .describe('Where the API is, up to and including `/v1`.'),
      apiKeyEnv: nonEmpty()
        .default('ANTHROPIC_API_KEY')
        .describe('Name of the environment variable with the key.'),
      takes: takesOption(takes, 'image and pdf'),
      apiVersion: nonEmpty().default('2023-06-01').describe('The `anthropic-version` header.'),
      defaultMaxTokens: positiveInt()
        .default(8192)
        .describe('Most tokens that it may write when nothing else says so: the API wants a limit.'),
      structuredOutput: z
        .enum(['output-format', 'tool'])
        .default('output-format')
        .describe('How an answer in JSON is asked for; `tool` for models without an output format.'),
    }),
  create: (options, needs) =>
    createHttpModel(
      {
        definition: identity,
        options,
        batches: { create: createAnthropicBatches, price: 0.5 },
        takes: options.takes ?? takes,
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
