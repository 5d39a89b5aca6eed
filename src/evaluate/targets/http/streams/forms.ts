import { isFields } from '../../reply/part.ts';
import { aiSdk, uiStreamHeader } from './ai-sdk.ts';
import { aiSdkV4 } from './ai-sdk-v4.ts';
import { dify } from './dify.ts';
import type { ReplyHeaders } from './framing.ts';
import { langgraph } from './langgraph.ts';
import { langserve } from './langserve.ts';
import { anthropic, gemini, openaiChat, openaiResponses } from './model-forms.ts';
import { ollama } from './ollama.ts';
import type { StreamEvent } from './stream-event.ts';
import type { StreamForm } from './stream-form.ts';
import { text } from './text.ts';

/** The forms in which bots stream. All but `text` are recognised by the first event that says something. */
export const streamForms: readonly StreamForm[] = [
  openaiChat,
  openaiResponses,
  anthropic,
  gemini,
  aiSdk,
  aiSdkV4,
  dify,
  langserve,
  langgraph,
  ollama,
  text,
];

/** Returns the form of which an event is; `text` for any other event. */
export function findForm(event: StreamEvent, headers: ReplyHeaders): StreamForm {
  return streamForms.find(({ is }) => is?.(event, headers)) ?? text;
}

/** Returns whether an event comes at the beginning of several forms and says nothing of the answer. */
export function isUndecided({ name, value }: StreamEvent, headers: ReplyHeaders): boolean {
  if (name === 'metadata') return true;
  const isStart = isFields(value) && (value['type'] === 'start' || value['type'] === 'start-step');
  return isStart && headers[uiStreamHeader] === undefined;
}
