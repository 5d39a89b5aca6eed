import type { Message } from '../../../schema/message.ts';
import type { Reply } from '../../../targets/target.ts';

/**
 * What a target did in one turn, as messages, its answer among them. Of a transcript only what comes after the last thing
 * that a user said is of this turn: many targets report the whole conversation each time.
 */
export function messagesOfTurn({ answer, toolCalls, transcript = [] }: Reply): Message[] {
  const steps = stepsAfterUser(transcript);
  const isAnswered = steps.some(({ role, content }) => role === 'assistant' && content === answer);
  if (isAnswered) return steps;
  const last: Message = { role: 'assistant', content: answer };
  if (steps.length === 0 && toolCalls.length > 0) last.toolCalls = toolCalls;
  return [...steps, last];
}

/** The messages of a transcript that come after the last thing that a user said. */
export function stepsAfterUser(transcript: readonly Message[]): Message[] {
  const asked = transcript.findLastIndex(({ role }) => role === 'user');
  return transcript.slice(asked + 1).filter(({ role }) => role !== 'system');
}

/** The system messages at the beginning of a transcript, which are the target's own: a case's come after them. */
export function instructionsOf(transcript: readonly Message[], ofCase: readonly Message[]): Message[] {
  return leading(transcript).slice(0, Math.max(0, leading(transcript).length - leading(ofCase).length));
}

function leading(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return end === -1 ? messages : messages.slice(0, end);
}

/** Messages as the target knows them: without what Touchstone noted of tool calls, such as an injected fault. */
export function toldMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.toolCalls === undefined) return message;
    const toolCalls = message.toolCalls.map(({ fault: _fault, withheld: _withheld, ...call }) => call);
    return { ...message, toolCalls };
  });
}
