import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import { argumentsText, type FilledAnswer, toPieces, type WireEvent, type WireReply } from './wire.ts';

type JsonRecord = { [key: string]: Json };

/** One item of a response, with the events that write it in pieces. */
interface Item {
  readonly whole: JsonRecord;
  /** The item as it begins. */
  readonly start: JsonRecord;
  /** The events between its beginning and its end, without the numbers that they get there. */
  readonly pieces: readonly JsonRecord[];
}

/** Writes a reply of OpenAI's Responses interface. */
export function writeResponses(answer: FilledAnswer): WireReply {
  const { model, finishReason } = answer;
  const items = itemsOf(answer);
  const reasons = { length: 'max_output_tokens', 'content-filter': 'content_filter' };
  const reason =
    finishReason === 'length' || finishReason === 'content-filter' ? reasons[finishReason] : null;
  const head = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    error: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    temperature: 1,
    top_p: 1,
  };
  const whole: JsonRecord = {
    ...head,
    status: reason === null ? 'completed' : 'incomplete',
    incomplete_details: reason === null ? null : { reason },
    output: items.map((item): Json => item.whole),
    ...(answer.usage !== null && { usage: writeUsage(answer.usage) }),
  };
  const begun: JsonRecord = { ...head, status: 'in_progress', incomplete_details: null, output: [] };
  const events: JsonRecord[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, output_index) => eventsOf(item, output_index)),
    { type: reason === null ? 'response.completed' : 'response.incomplete', response: whole },
  ];
  return {
    whole,
    events: events.map(
      (data, sequence_number): WireEvent => ({
        event: String(data['type']),
        data: { ...data, sequence_number },
      }),
    ),
  };
}

function eventsOf({ whole, start, pieces }: Item, output_index: number): JsonRecord[] {
  const place = { output_index, item_id: whole['id'] ?? '' };
  return [
    { type: 'response.output_item.added', output_index, item: start },
    ...pieces.map((piece): JsonRecord => ({ ...place, ...piece })),
    { type: 'response.output_item.done', output_index, item: whole },
  ];
}

function itemsOf({ text, reasoning, toolCalls }: FilledAnswer): Item[] {
  return [
    ...(reasoning === '' ? [] : [thoughtOf(reasoning)]),
    ...(text === '' && toolCalls.length > 0 ? [] : [messageOf(text)]),
    ...toolCalls.map(({ id, name, arguments: args }, index): Item => {
      const call = { type: 'function_call', id: `fc_${index + 1}`, call_id: id ?? `call_${index + 1}`, name };
      const written = argumentsText(args);
      const half = Math.ceil(written.length / 2);
      const type = 'response.function_call_arguments';
      return {
        whole: { ...call, arguments: written, status: 'completed' },
        start: { ...call, arguments: '', status: 'in_progress' },
        pieces: [
          ...[written.slice(0, half), written.slice(half)].map((delta) => ({ type: `${type}.delta`, delta })),
          { type: `${type}.done`, name, arguments: written },
        ],
      };
    }),
  ];
}

/** Writes a thought: a summary that can be read, and the whole of it that only the server can. */
function thoughtOf(text: string): Item {
  const head = { type: 'reasoning', id: 'rs_1', encrypted_content: 'c2lnbmVk' };
  const summary = { type: 'summary_text', text };
  const type = 'response.reasoning_summary_text';
  return {
    whole: { ...head, summary: [summary] },
    start: { ...head, summary: [] },
    pieces: [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...summary, text: '' } },
      ...toPieces(text).map((delta) => ({ type: `${type}.delta`, summary_index: 0, delta })),
      { type: `${type}.done`, summary_index: 0, text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part: summary },
    ],
  };
}

function messageOf(text: string): Item {
  const head = { type: 'message', id: 'msg_1', role: 'assistant' };
  const part = (written: string): JsonRecord => ({
    type: 'output_text',
    text: written,
    annotations: [],
    logprobs: [],
  });
  const at = { content_index: 0 };
  return {
    whole: { ...head, status: 'completed', content: [part(text)] },
    start: { ...head, status: 'in_progress', content: [] },
    pieces: [
      { type: 'response.content_part.added', ...at, part: part('') },
      ...toPieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part: part(text) },
    ],
  };
}

function writeUsage({ inputTokens = 0, outputTokens = 0, cachedTokens, reasoningTokens }: Usage): JsonRecord {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { input_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && { output_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
