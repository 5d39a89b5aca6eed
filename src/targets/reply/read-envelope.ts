import type { Message } from '../../schema/message.ts';
import { type Fields, isFields, textIn } from './part.ts';
import { readMessages } from './read-messages.ts';

/** A reply in the form of a model's API. */
export interface Envelope {
  /** The member that holds the messages. */
  readonly key: string;
  readonly messages: readonly Message[];
  /** The provider's word for why it stopped. */
  readonly finishReason?: string | undefined;
}

/**
 * Reads a reply that is passed on as a model's API sent it: of OpenAI (`choices`, or `output` of the Responses
 * interface), Anthropic (`content`), Gemini (`candidates`), Bedrock (`output.message`), Ollama and Cohere (`message`).
 * Undefined for anything else.
 */
export function readEnvelope(reply: Fields): Envelope | undefined {
  for (const read of readers) {
    const found = read(reply);
    if (found === undefined) continue;
    const { key, items, finishReason } = found;
    try {
      return { key, messages: readMessages(items, key), finishReason };
    } catch {
      return undefined; // It only looks like one: its parts are read by their names.
    }
  }
  return undefined;
}

interface Found {
  readonly key: string;
  readonly items: readonly unknown[];
  readonly finishReason?: string | undefined;
}

const readers: readonly ((reply: Fields) => Found | undefined)[] = [
  readChoices,
  readCandidates,
  readResponses,
  readConverse,
  readBlocks,
  readSingle,
];

function readChoices({ choices }: Fields): Found | undefined {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  if (!isFields(choice)) return undefined;
  const { message, text } = choice;
  const finishReason = textIn(choice['finish_reason']);
  if (isFields(message)) return { key: 'choices', items: [{ role: 'assistant', ...message }], finishReason };
  return typeof text === 'string'
    ? { key: 'choices', items: [{ role: 'assistant', content: text }], finishReason }
    : undefined;
}

function readCandidates({ candidates, promptFeedback }: Fields): Found | undefined {
  const blocked = isFields(promptFeedback) ? textIn(promptFeedback['blockReason']) : undefined;
  const [candidate] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : [];
  if (blocked !== undefined && candidate === undefined) {
    return { key: 'promptFeedback', items: [], finishReason: blocked };
  }
  if (!isFields(candidate)) return undefined;
  const { content } = candidate;
  const items = isFields(content) ? [{ ...content, role: 'model' }] : [];
  return { key: 'candidates', items, finishReason: textIn(candidate['finishReason']) ?? blocked };
}

function readResponses({ output, status, incomplete_details: details }: Fields): Found | undefined {
  const isItems = Array.isArray(output) && output.length > 0 && output.every(isResponseItem);
  if (!isItems) return undefined;
  const reason = isFields(details) ? textIn(details['reason']) : undefined;
  return { key: 'output', items: output, finishReason: status === 'incomplete' ? reason : undefined };
}

function isResponseItem(item: unknown): boolean {
  return isFields(item) && /^(?:message|reasoning|\w+_call(?:_output)?)$/.test(String(item['type']));
}

function readConverse({ output, stopReason }: Fields): Found | undefined {
  if (!isFields(output) || !isFields(output['message'])) return undefined;
  const items = [{ role: 'assistant', ...output['message'] }];
  return { key: 'output', items, finishReason: textIn(stopReason) };
}

function readBlocks({ content, stop_reason: reason }: Fields): Found | undefined {
  const isBlocks = Array.isArray(content) && content.every((block) => isFields(block) && 'type' in block);
  if (!isBlocks) return undefined;
  return { key: 'content', items: [{ role: 'assistant', content }], finishReason: textIn(reason) };
}

function readSingle({ message, ...reply }: Fields): Found | undefined {
  if (!isFields(message) || !('content' in message)) return undefined;
  const finishReason = textIn(reply['finish_reason'] ?? reply['done_reason']);
  return { key: 'message', items: [{ ...message, role: 'assistant' }], finishReason };
}
