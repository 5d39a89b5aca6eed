import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import { argumentsText, type FilledAnswer, toPieces, type WireEvent, type WireReply } from './wire.ts';

const reasons = {
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

/** A Messages reply. */
export function writeAnthropic(answer: FilledAnswer): WireReply {
  const { model, usage } = answer;
  const blocks = blocksOf(answer);
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model };
  const stop = { stop_reason: reasons[answer.finishReason], stop_sequence: null };
  const event = (data: { type: string; [key: string]: Json }): WireEvent => ({ event: data.type, data });
  const counts: { [key: string]: Json } = usage === null ? {} : { usage: writeUsage(usage) };
  const start: { [key: string]: Json } = {
    ...head,
    content: [],
    stop_reason: null,
    ...(usage === null ? {} : { usage: { ...writeUsage(usage), output_tokens: 1 } }),
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
  const calls = toolCalls.map(({ id, name, arguments: given = {} }, index): Block => {
    const call = { type: 'tool_use', id: id ?? `toolu_${index + 1}`, name };
    const written = argumentsText(given);
    const half = Math.ceil(written.length / 2);
    const deltas = [written.slice(0, half), written.slice(half)].map((part) => ({
      type: 'input_json_delta',
      partial_json: part,
    }));
    return { whole: { ...call, input: given }, start: { ...call, input: {} }, deltas };
  });
  return [...(reasoning === '' ? [] : [thought]), ...(text === '' ? [] : [said]), ...calls];
}

/** The API counts cached input apart from the rest. */
function writeUsage({ inputTokens = 0, outputTokens = 0, cachedTokens }: Usage): { [key: string]: Json } {
  return {
    input_tokens: inputTokens - (cachedTokens ?? 0),
    output_tokens: outputTokens,
    ...(cachedTokens !== undefined && {
      cache_read_input_tokens: cachedTokens,
      cache_creation_input_tokens: 0,
    }),
  };
}
