import type { Json } from '../../schema/json.ts';
import { toTurns, type ToolResult, type Turn } from '../conversation/to-turns.ts';
import type { ChatRequest } from '../model.ts';

/** Writes a conversation as node-llama-cpp's chat history, which ends with the reply that is still to be written. */
export function toHistory({ messages }: Pick<ChatRequest, 'messages'>): object[] {
  const { system, turns } = toTurns(messages);
  const history: { type: string; text?: string; response?: unknown[] }[] =
    system === undefined ? [] : [{ type: 'system', text: system }];
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'user') history.push({ type: 'user', text: turn.text });
    if (turn.role !== 'assistant') continue;
    const response = toResponse(turn, turns[index + 1]);
    const last = history.at(-1);
    // A step after a tool's result goes on with the same reply.
    if (last?.response === undefined) history.push({ type: 'model', response });
    else last.response.push(...response);
  }
  if (history.at(-1)?.type !== 'model') history.push({ type: 'model', response: [] });
  return history;
}

function toResponse(turn: Extract<Turn, { role: 'assistant' }>, next: Turn | undefined): unknown[] {
  const results = next?.role === 'tools' ? next.results : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: params }, index) => ({
    type: 'functionCall',
    name,
    params,
    result: resultOf(results.find((result) => result.id === id)),
    startsNewChunk: index === 0,
  }));
  return turn.text ? [turn.text, ...calls] : calls;
}

function resultOf(result: ToolResult | undefined): Json {
  if (result === undefined) return null;
  return result.isError ? { error: result.content } : result.content;
}
