import type { Message } from '../../../core/schema/message.ts';
import type { TargetFailure } from '../target.ts';
import { readHttpReply, type Received, type Redactor } from './read-http-reply.ts';

/**
 * Returns why a stream is no answer, with the conversation as far as it came; undefined for what may be read as one.
 * @param messages - The conversation up to the question.
 */
export function failedStream(
  received: Received,
  messages: readonly Message[],
  redactor: Redactor,
): TargetFailure | undefined {
  if (!('value' in received) || received.failure === undefined) return undefined;
  const said = readSoFar(received, redactor);
  return said.length === 0
    ? received.failure
    : received.failure.with({ partial: { transcript: [...messages, ...said] } });
}

/** Reads what came of an answer; nothing where that cannot be read by itself. */
function readSoFar(received: Received, redactor: Redactor): Message[] {
  try {
    const { transcript, answer, toolCalls } = readHttpReply(received, {}, redactor);
    if (transcript !== undefined) return transcript;
    if (answer === null && toolCalls.length === 0) return [];
    return [{ role: 'assistant', content: answer, ...(toolCalls.length > 0 && { toolCalls }) }];
  } catch {
    return [];
  }
}
