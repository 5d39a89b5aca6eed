import { assembleStream as assembleAnthropic } from '../../../models/anthropic/assemble-stream.ts';
import { assembleStream as assembleGemini } from '../../../models/gemini/assemble-stream.ts';
import { assembleStream as assembleOpenaiChat } from '../../../models/openai-chat/assemble-stream.ts';
import { assembleStream as assembleResponses } from '../../../models/openai-responses/assemble-stream.ts';
import { isFields } from '../../reply/part.ts';
import { reportedInStream } from './stream-faults.ts';
import { type StreamEvent, wordIn } from './stream-event.ts';
import type { StreamForm } from './stream-form.ts';

const typeOf = (event: StreamEvent) => wordIn(event, 'type');

/** The stream of OpenAI's chat completions. */
export const openaiChat: StreamForm = {
  name: 'openai-chat',
  is: ({ value }) =>
    isFields(value) && (value['object'] === 'chat.completion.chunk' || areDeltas(value['choices'])),
  endMark: '`[DONE]` or a `finish_reason`',
  assemble: assembleOpenaiChat,
};

function areDeltas(choices: unknown): boolean {
  if (!Array.isArray(choices)) return false;
  const [first] = choices as readonly unknown[];
  return first === undefined || (isFields(first) && 'delta' in first);
}

/** The stream of OpenAI's Responses interface. */
export const openaiResponses: StreamForm = {
  name: 'openai-responses',
  is: (event) => typeOf(event).startsWith('response.'),
  endMark: '`response.completed`',
  kinds: { of: typeOf, known: /^response\./ },
  assemble: () => assembleResponses(reportedInStream),
};

/** The stream of Anthropic's messages. */
export const anthropic: StreamForm = {
  name: 'anthropic',
  is: (event) => /^(?:message_(?:start|delta|stop)|content_block_\w+)$/.test(typeOf(event)),
  endMark: '`message_stop`',
  kinds: { of: typeOf, known: /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/ },
  assemble: assembleAnthropic,
};

/** The stream of Gemini's contents. */
export const gemini: StreamForm = {
  name: 'gemini',
  is: ({ value }) =>
    isFields(value) && ['candidates', 'promptFeedback', 'usageMetadata'].some((key) => key in value),
  endMark: 'a `finishReason`',
  assemble: assembleGemini,
};
