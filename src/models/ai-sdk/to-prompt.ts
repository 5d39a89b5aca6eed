import { toTurns, type Turn } from '../conversation/to-turns.ts';
import type { ChatRequest } from '../model.ts';
import { withoutUndefined } from '../../lib/without-undefined.ts';

/** Writes a request as the options of an AI SDK model's `doGenerate`. */
export function toCallOptions(request: ChatRequest, signal: AbortSignal): Record<string, unknown> {
  const {
    messages,
    tools = [],
    toolChoice,
    responseSchema,
    temperature,
    topP,
    seed,
    stop,
    maxTokens,
  } = request;
  const { system, turns } = toTurns(messages);
  const instruction = system === undefined ? [] : [{ role: 'system', content: system }];
  return withoutUndefined<unknown>({
    prompt: [...instruction, ...turns.map(toMessage)],
    temperature,
    topP,
    seed,
    stopSequences: stop === undefined ? undefined : [...stop],
    maxOutputTokens: maxTokens,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            inputSchema: parameters,
          })),
    toolChoice: tools.length === 0 ? undefined : toToolChoice(toolChoice),
    responseFormat: responseSchema && {
      type: 'json',
      schema: responseSchema.schema,
      name: responseSchema.name,
    },
    abortSignal: signal,
  });
}

function toToolChoice(choice: ChatRequest['toolChoice']): object | undefined {
  if (choice === undefined) return undefined;
  return typeof choice === 'object' ? { type: 'tool', toolName: choice.tool } : { type: choice };
}

function toMessage(turn: Turn): object {
  if (turn.role === 'user') return { role: 'user', content: [{ type: 'text', text: turn.text }] };
  if (turn.role === 'tools') {
    const results = turn.results.map(({ id, name, content, isError }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: isError ? 'error-text' : 'text', value: content },
    }));
    return { role: 'tool', content: results };
  }
  if (turn.continuation?.protocol === 'ai-sdk')
    return { role: 'assistant', content: turn.continuation.parts };
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }));
  return { role: 'assistant', content: [...text, ...calls] };
}
