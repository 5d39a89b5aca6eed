import type { Json } from '../../../../core/schema/json.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The stream of Ollama, of `/api/chat` and of `/api/generate`. */
export const ollama: StreamForm = {
  name: 'ollama',
  is: ({ value }) =>
    isFields(value) &&
    typeof value['model'] === 'string' &&
    typeof value['done'] === 'boolean' &&
    (isFields(value['message']) || typeof value['response'] === 'string'),
  endMark: '`done: true`',
  assemble: assembleOllama,
};

/** Creates an assembler of a stream of Ollama, of `/api/chat` and of `/api/generate`. */
function assembleOllama(): BotAssembler {
  const texts: Record<'content' | 'thinking' | 'response', string> = {
    content: '',
    thinking: '',
    response: '',
  };
  const calls: unknown[] = [];
  let last: Fields = {};
  let isComplete = false;

  const add = (name: keyof typeof texts, piece: unknown): boolean => {
    if (typeof piece !== 'string' || piece === '') return false;
    texts[name] += piece;
    return true;
  };

  const whole = (): Json => {
    const { message } = last;
    const thinking = texts.thinking === '' ? {} : { thinking: texts.thinking };
    if (!isFields(message)) return { ...last, response: texts.response, ...thinking } as Json;
    const called = calls.length === 0 ? {} : { tool_calls: calls };
    return { ...last, message: { ...message, content: texts.content, ...thinking, ...called } } as Json;
  };

  return {
    add: (value) => {
      if (!isFields(value)) return false;
      last = value;
      isComplete ||= value['done'] === true;
      const message = isFields(value['message']) ? value['message'] : {};
      const called = Array.isArray(message['tool_calls'])
        ? (message['tool_calls'] as readonly unknown[])
        : [];
      calls.push(...called);
      const said = [
        add('content', message['content']),
        add('thinking', message['thinking'] ?? value['thinking']),
        add('response', value['response']),
      ];
      return called.length > 0 || said.includes(true);
    },
    isOver: () => isComplete,
    finish: () => (isComplete ? whole() : undefined),
    soFar: whole,
  };
}
