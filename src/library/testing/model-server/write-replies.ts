import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import type { ReceivedRequest } from './script.ts';
import { argumentsText, type FilledAnswer, toPieces, type WireEvent, type WireReply } from './wire.ts';

type JsonRecord = { [key: string]: Json };

const reasons = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/** Writes a chat completion. */
export function writeOpenai(answer: FilledAnswer): WireReply {
  const { reasoning, model } = answer;
  const content =
    answer.reasoningField === 'think' && reasoning !== ''
      ? `<think>${reasoning}</think>\n${answer.text}`
      : answer.text;
  const calls = answer.toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: argumentsText(args) },
  }));
  const finish_reason = reasons[answer.finishReason];
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...thoughtsOf(answer, reasoning),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const head = { id: 'chatcmpl-1', created: 1, model };
  const chunk = (delta: JsonRecord, finish: string | null = null): JsonRecord => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = writeUsage(answer.usage);
  const deltas: JsonRecord[] = [
    { role: 'assistant', content: '' },
    ...toPieces(reasoning)
      .map((piece) => thoughtsOf(answer, piece))
      .filter((delta) => Object.keys(delta).length > 0),
    ...toPieces(content).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, index)),
  ];
  return {
    whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], ...usage },
    events: [
      ...deltas.map((delta) => ({ data: chunk(delta) })),
      { data: chunk({}, finish_reason) },
      ...(answer.usage === null
        ? []
        : [{ data: { ...head, object: 'chat.completion.chunk', choices: [], ...usage } }]),
      { data: '[DONE]' as const },
    ],
  };
}

function thoughtsOf({ reasoningField = 'reasoning_content' }: FilledAnswer, text: string): JsonRecord {
  if (text === '' || reasoningField === 'think') return {};
  if (reasoningField === 'reasoning_details')
    return { reasoning_details: [{ type: 'reasoning.text', text }] };
  return { [reasoningField]: text };
}

/** Writes the arguments in two halves, so that a reader must put them together. */
function callDeltas(
  call: { id: string; type: string; function: { name: string; arguments: string } },
  index: number,
): JsonRecord[] {
  const { name, arguments: args } = call.function;
  const half = Math.ceil(args.length / 2);
  const more = (part: string) => ({ tool_calls: [{ index, function: { arguments: part } }] });
  return [
    { tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] },
    more(args.slice(0, half)),
    more(args.slice(half)),
  ];
}

function writeUsage(usage: Usage | null): JsonRecord {
  if (usage === null) return {};
  const { inputTokens = 0, outputTokens = 0, cachedTokens, reasoningTokens } = usage;
  return {
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      ...(reasoningTokens !== undefined && {
        completion_tokens_details: { reasoning_tokens: reasoningTokens },
      }),
    },
  };
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

interface Block {
  readonly whole: { [key: string]: Json };
  readonly start: { [key: string]: Json };
  readonly deltas: readonly { [key: string]: Json }[];
}

/** Writes a reply of the Messages API. */
export function writeAnthropic(answer: FilledAnswer): WireReply {
  const { model, usage } = answer;
  const blocks = blocksOf(answer);
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model };
  const stop = { stop_reason: stopReasons[answer.finishReason], stop_sequence: null };
  const event = (data: { type: string; [key: string]: Json }): WireEvent => ({ event: data.type, data });
  const counts: { [key: string]: Json } = usage === null ? {} : { usage: writeUsageCounts(usage) };
  const start: { [key: string]: Json } = {
    ...head,
    content: [],
    stop_reason: null,
    ...(usage === null ? {} : { usage: { ...writeUsageCounts(usage), output_tokens: 1 } }),
  };
  return {
    whole: { ...head, content: blocks.map(({ whole }): Json => whole), ...stop, ...counts },
    events: [
      event({ type: 'message_start', message: start }),
      event({ type: 'ping' }),
      ...blocks.flatMap((block, index) => [
        event({ type: 'content_block_start', index, content_block: block.start }),
        ...block.deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
        event({ type: 'content_block_stop', index }),
      ]),
      event({
        type: 'message_delta',
        delta: stop,
        ...(usage !== null && { usage: { output_tokens: usage.outputTokens ?? 0 } }),
      }),
      event({ type: 'message_stop' }),
    ],
  };
}

function blocksOf({ text, reasoning, toolCalls }: FilledAnswer): Block[] {
  const thinking = toPieces(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
  const thought: Block = {
    whole: { type: 'thinking', thinking: reasoning, signature: 'c2lnbmVk' },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...thinking, { type: 'signature_delta', signature: 'c2lnbmVk' }],
  };
  const said: Block = {
    whole: { type: 'text', text },
    start: { type: 'text', text: '' },
    deltas: toPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  const calls = toolCalls.map(({ id, name, arguments: args = {} }, index): Block => {
    const call = { type: 'tool_use', id: id ?? `toolu_${index + 1}`, name };
    const written = argumentsText(args);
    const half = Math.ceil(written.length / 2);
    const deltas = [written.slice(0, half), written.slice(half)].map((part) => ({
      type: 'input_json_delta',
      partial_json: part,
    }));
    return { whole: { ...call, input: args }, start: { ...call, input: {} }, deltas };
  });
  return [...(reasoning === '' ? [] : [thought]), ...(text === '' ? [] : [said]), ...calls];
}

/** Writes token counts; the API counts cached input separately. */
function writeUsageCounts({ inputTokens = 0, outputTokens = 0, cachedTokens }: Usage): {
  [key: string]: Json;
} {
  return {
    input_tokens: inputTokens - (cachedTokens ?? 0),
    output_tokens: outputTokens,
    ...(cachedTokens !== undefined && {
      cache_read_input_tokens: cachedTokens,
      cache_creation_input_tokens: 0,
    }),
  };
}

type Part = { [key: string]: Json };

const finishReasons = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
};

/** Writes a generateContent reply. */
export function writeGemini(answer: FilledAnswer): WireReply {
  const { text, reasoning, toolCalls, model, usage } = answer;
  const thought = (piece: string): Part => ({ text: piece, thought: true });
  const calls = toolCalls.map(({ id, name, arguments: args = {} }, index): Part => {
    const call = { functionCall: { ...(id && { id }), name, args } };
    return index === 0 ? { ...call, thoughtSignature: 'c2lnbmVk' } : call;
  });
  const whole = [...(reasoning ? [thought(reasoning)] : []), ...(text ? [{ text }] : []), ...calls];
  const pieces = [
    ...toPieces(reasoning).map(thought),
    ...toPieces(text).map((piece): Part => ({ text: piece })),
    ...calls,
  ];
  const reply = (parts: Part[], finishReason?: string): Json => ({
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
    ...(usage !== null && { usageMetadata: writeUsageMetadata(usage) }),
    modelVersion: model,
  });
  const finish = finishReasons[answer.finishReason];
  return {
    whole: reply(whole, finish),
    events: [...pieces.map((part) => ({ data: reply([part]) })), { data: reply([{ text: '' }], finish) }],
  };
}

/** Writes token counts; the API counts thoughts separately from the answer. */
function writeUsageMetadata({
  inputTokens = 0,
  outputTokens = 0,
  cachedTokens,
  reasoningTokens,
}: Usage): Part {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    totalTokenCount: inputTokens + outputTokens,
  };
}

const dimensions = 64;

/** Writes an embeddings reply: the given vectors, or vectors that are close together for texts that share words. */
export function writeEmbeddings(request: ReceivedRequest, given?: readonly (readonly number[])[]): Json {
  const texts = [request.body['input'] ?? ''].flat().map(String);
  const vectors = given ?? texts.map(embedWords);
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return {
    object: 'list',
    model: request.model,
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Embeds a text as word counts, each at an index that depends on its letters, scaled to length 1. */
function embedWords(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let place = 0;
    for (const character of word) place = (place * 31 + (character.codePointAt(0) ?? 0)) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
