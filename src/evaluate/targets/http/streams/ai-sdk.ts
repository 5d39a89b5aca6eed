import { type Fields, isFields } from '../../reply/part.ts';
import { reportedInStream } from './stream-faults.ts';
import { type StreamEvent, wordIn } from './stream-event.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';
import { createUiMessage, type UiMessage } from './ui-message.ts';

/** The header that the AI SDK sends with a stream of its fifth version and later. */
export const uiStreamHeader = 'x-vercel-ai-ui-message-stream';

/** The types of the events of the AI SDK's chat interface, versions 5 to 7. */
const uiEventTypes =
  /^(?:start|finish|abort|error|message-metadata|(?:start|finish)-step|(?:text|reasoning)-(?:start|delta|end)|tool-input-(?:start|delta|available|error)|tool-output-(?:available|error|denied)|tool-approval-\w+|source-(?:url|document)|file|reasoning-file|custom|steering-message|data-.*)$/;

const typeOf = (event: StreamEvent) => wordIn(event, 'type');

/** The stream of the AI SDK's chat interface, versions 5 to 7. */
export const aiSdk: StreamForm = {
  name: 'ai-sdk',
  is: (event, headers) =>
    headers[uiStreamHeader] !== undefined ||
    (uiEventTypes.test(typeOf(event)) && typeOf(event).includes('-')),
  endMark: '`finish` or `[DONE]`',
  kinds: { of: typeOf, known: uiEventTypes },
  assemble: assembleUiMessage,
};

/** Creates an assembler of a stream of the AI SDK's chat interface, versions 5 to 7. */
function assembleUiMessage(): BotAssembler {
  const message = createUiMessage();
  let isComplete = false;
  return {
    add: (value) => {
      if (!isFields(value)) return false;
      isComplete ||= value['type'] === 'finish';
      return readers[String(value['type'])]?.(message, value) ?? false;
    },
    isOver: () => isComplete,
    finish: () => (isComplete ? message.whole() : undefined),
    soFar: message.whole,
  };
}

const silent = false;
const written = true;

const readers: Readonly<Record<string, (message: UiMessage, event: Fields) => boolean>> = {
  start: (message, { messageId, messageMetadata }) => {
    message.set({ ...(messageId !== undefined && { id: messageId }), ...metadataIn(messageMetadata) });
    return silent;
  },
  'message-metadata': (message, { messageMetadata }) => {
    message.set(metadataIn(messageMetadata));
    return silent;
  },
  'text-delta': (message, { id, delta }) => addText(message, 'text', [id, delta]),
  'reasoning-delta': (message, { id, delta }) => addText(message, 'reasoning', [id, delta]),
  'tool-input-start': (message, event) => setTool(message, event, {}),
  'tool-input-delta': (message, { toolCallId, inputTextDelta }) => {
    message.addInput(String(toolCallId), String(inputTextDelta ?? ''));
    return written;
  },
  'tool-input-available': (message, event) =>
    setTool(message, event, { input: event['input'], state: 'input-available' }),
  'tool-input-error': (message, event) =>
    setTool(message, event, { input: event['input'], state: 'output-error', errorText: event['errorText'] }),
  'tool-output-available': (message, event) =>
    event['preliminary'] === true
      ? written
      : setTool(message, event, { output: event['output'], state: 'output-available' }),
  'tool-output-error': (message, event) =>
    setTool(message, event, { state: 'output-error', errorText: event['errorText'] }),
  'tool-output-denied': (message, event) =>
    setTool(message, event, { state: 'output-denied', errorText: 'The call was denied.' }),
  'source-url': addSource,
  'source-document': addSource,
  file: (message, { url: _url, ...part }) => {
    message.addPart(part);
    return written;
  },
  abort: (_message, { reason }) => {
    throw reportedInStream({ message: `it was aborted${typeof reason === 'string' ? `: ${reason}` : ''}` });
  },
  finish: (message, { finishReason, messageMetadata }) => {
    message.set({ ...(finishReason !== undefined && { finishReason }), ...metadataIn(messageMetadata) });
    return silent;
  },
};

function metadataIn(metadata: unknown): Fields {
  return isFields(metadata) ? { metadata } : {};
}

function addText(
  message: UiMessage,
  type: 'text' | 'reasoning',
  [id, delta]: readonly [id: unknown, delta: unknown],
): boolean {
  if (typeof delta !== 'string' || delta === '') return silent;
  message.addText(type, String(id), delta);
  return written;
}

function setTool(message: UiMessage, { toolCallId, toolName }: Fields, members: Fields): boolean {
  Object.assign(
    message.tool(String(toolCallId)),
    toolName === undefined ? members : { toolName, ...members },
  );
  return written;
}

function addSource(message: UiMessage, event: Fields): boolean {
  message.addPart({ ...event });
  return silent;
}
