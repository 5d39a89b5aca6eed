import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import { argumentsText, type FilledAnswer, toPieces, type WireReply } from './wire.ts';

type JsonRecord = { [key: string]: Json };

const reasons = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/** A chat completion. */
export function writeOpenai(answer: FilledAnswer): WireReply {
  const { reasoning, model } = answer;
  const content =
    answer.reasoningField === 'think' && reasoning !== ''
      ? `<think>${reasoning}</think>\n${answer.text}`
      : answer.text;
  const calls = answer.toolCalls.map(({ id, name, arguments: given }, index) => ({
    id: id ?? `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: argumentsText(given) },
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

/** The arguments come in two halves, so that a reader must put them together. */
function callDeltas(
  call: { id: string; type: string; function: { name: string; arguments: string } },
  index: number,
): JsonRecord[] {
  const { name, arguments: given } = call.function;
  const half = Math.ceil(given.length / 2);
  const more = (part: string) => ({ tool_calls: [{ index, function: { arguments: part } }] });
  return [
    { tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] },
    more(given.slice(0, half)),
    more(given.slice(half)),
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
