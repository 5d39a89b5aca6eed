import { z } from 'zod';
import { dataUrlOf, nameOf } from '../../core/attachments/openai-parts.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import type { Json } from '../../core/schema/json.ts';
import { kindOf } from '../../core/schema/message.ts';
import type { SentPieces } from './sent-files.ts';
import { readToolCall, splitThinking, toTurns, type Turn } from './conversation.ts';
import type { AskingForm } from './http/asking-form.ts';
import { createHttpModel } from './http/http-model.ts';
import {
  type JsonObject,
  readWire,
  type ReplyParts,
  type StreamAssembler,
  type WireRequest,
} from './http/protocol.ts';
import { reportedFailure } from './http/status-failure.ts';
import {
  type ChatRequest,
  defineModel,
  type FinishReason,
  takesOption,
  type ToolChoice,
  type ToolSpec,
} from './model.ts';
import { askingRules, endpointOf, isStrictSchema, openaiOptions } from './openai-chat.ts';
import { assembleStream } from './openai-responses/assemble-stream.ts';
import type { BilledUsage } from './pricing/price-list.ts';
import { findProvider } from './providers/table.ts';
import { type SchemaLimits, simplifySchema } from './http/simplify-schema.ts';

const identity = { name: 'openai-responses', version: 1 };

/** The settings that a request needs besides the conversation, and the form that its server takes. */
interface ResponsesDialect extends AskingForm {
  readonly model: string;
  readonly extra: JsonObject;
  readonly schemaLimits?: SchemaLimits;
}

/** Writes a request for a response. A seed and texts to stop at are not sent, since the API has neither. */
function writeRequest(request: ChatRequest, dialect: ResponsesDialect): WireRequest {
  const { temperature, topP, maxTokens, stream, tools = [], toolChoice } = request;
  const { system, turns } = toTurns(request);
  const settings = withoutUndefined<Json>({
    instructions: system,
    max_output_tokens: maxTokens,
    temperature,
    top_p: topP,
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(toolChoice) : undefined,
    text: writeFormat(request.responseSchema, dialect),
    stream: stream ? true : undefined,
    // The provider stores nothing, so reasoning comes back in a form that only the provider can read.
    store: false,
    include: dialect.without.includes('include') ? undefined : ['reasoning.encrypted_content'],
  });
  const body = { model: dialect.model, input: turns.flatMap(writeTurn), ...settings, ...dialect.extra };
  return { path: '/responses', body };
}

function writeTurn(turn: Turn): JsonObject[] {
  if (turn.role === 'user')
    return [{ role: 'user', content: turn.pieces ? turn.pieces.map(writePiece) : turn.text }];
  if (turn.role === 'tools') {
    return turn.results.map(({ id, content }) => ({
      type: 'function_call_output',
      call_id: id,
      output: content,
    }));
  }
  // Reasoning must be sent back unchanged, before the calls that it led to.
  if (turn.continuation?.protocol === identity.name) return turn.continuation.parts as JsonObject[];
  const said = turn.text || turn.toolCalls.length === 0;
  const calls = turn.toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  return [...(said ? [{ role: 'assistant', content: turn.text ?? '' }] : []), ...calls];
}

/** Writes a piece of a question: a text, or a file of a kind that the API takes. */
function writePiece(piece: SentPieces[number]): JsonObject {
  if ('text' in piece) return { type: 'input_text', text: piece.text };
  const url = dataUrlOf(piece.file);
  return kindOf(piece.file) === 'image'
    ? { type: 'input_image', image_url: url, detail: 'auto' }
    : { type: 'input_file', filename: nameOf(piece.file), file_data: url };
}

/** The kinds of files that the API takes. */
const takes = ['image', 'pdf'] as const;

function writeTool({ name, description, parameters }: ToolSpec): JsonObject {
  const strict = isStrictSchema(parameters);
  return { type: 'function', name, ...(description && { description }), parameters, strict };
}

function writeToolChoice(choice: ToolChoice | undefined): Json | undefined {
  return typeof choice === 'object' ? { type: 'function', name: choice.tool } : choice;
}

function writeFormat(
  wanted: ChatRequest['responseSchema'],
  { json, schemaLimits }: ResponsesDialect,
): JsonObject | undefined {
  if (wanted === undefined || json === 'none') return undefined;
  if (json === 'json-object') return { format: { type: 'json_object' } };
  const schema = schemaLimits === undefined ? wanted.schema : simplifySchema(wanted.schema, schemaLimits);
  return { format: { type: 'json_schema', name: wanted.name, schema, strict: isStrictSchema(schema) } };
}

const count = z.number().nonnegative().nullish();
const texts = z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })).nullish();

const itemSchema = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    content: z
      .array(z.looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() }))
      .nullish(),
    summary: texts,
    call_id: z.string().nullish(),
    name: z.string().nullish(),
    arguments: z.string().nullish(),
  }),
);

const replySchema = z.lazy(() =>
  z.looseObject({
    model: z.string().nullish(),
    status: z.string().nullish(),
    incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
    output: z.array(itemSchema),
    usage: z
      .looseObject({
        input_tokens: count,
        output_tokens: count,
        input_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
        output_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
      })
      .nullish(),
  }),
);

type WireItem = z.output<typeof itemSchema>;

/** Reads a response. Throws `ModelFailure` with the code `invalid-reply`, or with the code of an error that it reports. */
function readReply(reply: JsonObject): ReplyParts {
  const { output, model, usage, status, incomplete_details: incomplete } = readWire(replySchema, reply);
  if (status === 'failed') throw reportedFailure({ message: 'the response failed' });
  const messages = output.filter(({ type }) => type === 'message');
  const refusal = messages.map((item) => partsOf(item, 'refusal')).join('');
  const written = messages.map((item) => partsOf(item, 'text')).join('\n');
  const { text, reasoning } = splitThinking(written);
  const thoughts = output.filter(({ type }) => type === 'reasoning').map(thoughtIn);
  const toolCalls = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name, arguments: args }, index) =>
      readToolCall(id || `call_${index}`, name ?? '', args ?? ''),
    );
  const reason = incomplete?.reason;
  return {
    text: text || refusal || null,
    reasoning: [...thoughts, reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: readFinish(status, reason, toolCalls.length > 0),
    ...((reason ?? status) && { finishWord: reason ?? status ?? '' }),
    ...(refusal !== '' && { refused: 'refusal' }),
    usage: readUsage(usage),
    model: model ?? undefined,
    continuation: toolCalls.length > 0 ? { protocol: identity.name, parts: output as Json } : undefined,
  };
}

function partsOf({ content }: WireItem, member: 'text' | 'refusal'): string {
  return (content ?? []).map((part) => part[member] ?? '').join('');
}

/** Returns the thought of an item: its summary, or else its text, which open models give. */
function thoughtIn(item: WireItem): string {
  const summary = (item.summary ?? []).map(({ text }) => text ?? '').join('\n\n');
  return summary || partsOf(item, 'text');
}

function readFinish(
  status: string | null | undefined,
  reason: string | null | undefined,
  hasToolCalls: boolean,
): FinishReason {
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  if (status === 'incomplete') return 'other';
  if (hasToolCalls) return 'tool-calls';
  return status === 'completed' || status === null || status === undefined ? 'stop' : 'other';
}

function readUsage(usage: z.output<typeof replySchema>['usage']): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const counts = {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedTokens: usage.input_tokens_details?.cached_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}

/** Creates an assembler of events, each of which says its type. */
function assembleEvents(): StreamAssembler {
  const assembler = assembleStream();
  return { ...assembler, add: (value, name) => assembler.add(readWire(eventSchema, value), name) };
}

const eventSchema = z.lazy(() => z.looseObject({ type: z.string() }));

/** Returns an option that the API does not have, so that it is refused with this sentence. */
function missing(sentence: string) {
  return z
    .any()
    .refine(() => false, sentence)
    .optional()
    .describe(`Not here: ${sentence}.`);
}

/** A model behind OpenAI's Responses API. */
export const openaiResponses = defineModel({
  ...identity,
  summary:
    "A model behind OpenAI's Responses API, where thoughts survive calls of tools; key in OPENAI_API_KEY.",
  words: 'OpenAI, GPT, Responses API, reasoning, reasoning effort, o3, o4-mini, Azure',
  example: { model: 'gpt-5-mini', extra: { reasoning: { effort: 'low' } } },
  options: () => {
    const { maxTokensField: _, ...options } = openaiOptions().shape;
    return z.strictObject({
      ...options,
      takes: takesOption(
        takes,
        'what the provider at this address takes: image and pdf for OpenAI, else nothing',
      ),
      seed: missing('the Responses API has no seed; `openai-chat` has one'),
      batch: missing('the Responses API is asked one by one here; `openai-chat` has batches'),
      stop: missing('the Responses API has no texts to stop at; `openai-chat` has them'),
    });
  },
  create: (options, needs) => {
    const { model, extra, baseUrl } = options;
    const provider = findProvider(baseUrl);
    const { schemaLimits } = provider ?? {};
    const rules = askingRules(options, provider);
    const asking = { ...rules, added: ['include'] as const, written: new Set(writtenIn(extra)) };
    const asked = { ...options, structuredOutput: asking.first.json };
    return createHttpModel(
      {
        definition: identity,
        options: asked,
        asking,
        takes: options.takes ?? provider?.takes?.filter((kind) => takes.some((each) => each === kind)),
        protocol: {
          write: (request, form = asking.first) =>
            writeRequest(request, { model, extra, schemaLimits, ...form }),
          read: readReply,
          assembleStream: assembleEvents,
        },
        endpoint: endpointOf(options, needs, provider),
      },
      needs,
    );
  },
});

/** Returns the fields that the user wrote. Fields of a chat completion that the API does not have are never sent, nor refused. */
function writtenIn(extra: JsonObject): string[] {
  return [...Object.keys(extra), 'max_tokens', ...('text' in extra ? ['response_format'] : [])];
}
