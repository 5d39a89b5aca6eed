import type { Message } from '../../../core/schema/message.ts';
import { type Fields, isFields, textIn } from './part.ts';
import { readMessages } from './read-messages.ts';

/** A reply in the form of a model's API. */
export interface Envelope {
  /** The member that holds the messages. */
  readonly key: string;
  readonly messages: readonly Message[];
  /** The provider's word for why it stopped. */
  readonly finishReason?: string;
  /** The word with which the provider refused to answer, where it puts words of its own in place of an answer. */
  readonly refused?: string;
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
    const { items, ...said } = found;
    try {
      return { ...said, messages: readMessages(items, found.key) };
    } catch {
      return undefined; // It only looks like one: its parts are read by their names.
    }
  }
  return undefined;
}

interface Found extends Omit<Envelope, 'messages'> {
  readonly items: readonly unknown[];
}

const readers: readonly ((reply: Fields) => Found | undefined)[] = [
  readChoices,
  readCandidates,
  readResponses,
  readConverse,
  readBlocks,
  readSingle,
  readKept,
  readRequired,
];

/** Reads the reply of a framework that keeps its messages under a name of its own. */
function readKept(reply: Fields): Found | undefined {
  const { role, parts, items, blocks, replies, summary, chat_history: history } = reply;
  const own = parts ?? items ?? blocks;
  if (role !== undefined && Array.isArray(own)) {
    const key = parts !== undefined ? 'parts' : items === undefined ? 'blocks' : 'items';
    const message =
      key === 'blocks' ? { role: 'assistant', content: blocks } : { ...reply, role: 'assistant' };
    return { key, items: [message] };
  }
  if (areMessages(replies)) return { key: 'replies', items: replies };
  if (areMessages(history) && summary !== undefined) return { key: 'chat_history', items: history };
  const runItems = reply['new_items'] ?? reply['newItems'];
  return areMessages(runItems)
    ? { key: 'new_items' in reply ? 'new_items' : 'newItems', items: runItems }
    : undefined;
}

function areMessages(list: unknown): list is readonly Fields[] {
  return Array.isArray(list) && list.length > 0 && list.every(isFields);
}

/** Reads a run of an assistant that waits for the outcome of tools: `{ required_action: { submit_tool_outputs: { tool_calls } } }`. */
function readRequired({ required_action: action }: Fields): Found | undefined {
  const wanted = isFields(action) ? action['submit_tool_outputs'] : undefined;
  if (!isFields(wanted) || !Array.isArray(wanted['tool_calls'])) return undefined;
  return { key: 'required_action', items: [{ ...wanted, role: 'assistant', content: null }] };
}

function readChoices({ choices }: Fields): Found | undefined {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  if (!isFields(choice)) return undefined;
  const { message, text } = choice;
  const finishReason = textIn(choice['finish_reason']);
  if (isFields(message)) {
    const items = [{ role: 'assistant', ...message }];
    return { key: 'choices', items, finishReason, refused: refusalIn(message) };
  }
  return typeof text === 'string'
    ? { key: 'choices', items: [{ role: 'assistant', content: text }], finishReason }
    : undefined;
}

/** Returns the mark of a refusal, which OpenAI writes apart from the text: as a member of a message or as a part of it. */
function refusalIn({ refusal, content }: Fields): string | undefined {
  const parts = Array.isArray(content) ? content.filter(isFields) : [];
  const isPart = parts.length > 0 && parts.every(({ type }) => type === 'refusal');
  return textIn(refusal) !== undefined || isPart ? 'refusal' : undefined;
}

function readCandidates({
  candidates,
  prompt_feedback: feedback,
  promptFeedback = feedback,
}: Fields): Found | undefined {
  const blocked = isFields(promptFeedback)
    ? textIn(promptFeedback['blockReason'] ?? promptFeedback['block_reason'])
    : undefined;
  const [candidate] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : [];
  if (blocked !== undefined && candidate === undefined) {
    return { key: 'promptFeedback', items: [], finishReason: blocked };
  }
  if (!isFields(candidate)) return undefined;
  const { content } = candidate;
  const items = isFields(content) ? [{ ...content, role: 'model' }] : [];
  return {
    key: 'candidates',
    items,
    finishReason: textIn(candidate['finishReason'] ?? candidate['finish_reason']) ?? blocked,
  };
}

function readResponses({ object, output, status, incomplete_details: details }: Fields): Found | undefined {
  const isItems =
    Array.isArray(output) && (output.length > 0 || object === 'response') && output.every(isResponseItem);
  if (!isItems) return undefined;
  const reason = isFields(details) ? textIn(details['reason']) : undefined;
  const items = output.map((item) => (item['type'] === 'message' ? { role: 'assistant', ...item } : item));
  const refused = items.map(refusalIn).find((word) => word !== undefined);
  return { key: 'output', items, refused, finishReason: status === 'incomplete' ? reason : undefined };
}

function isResponseItem(item: unknown): item is Fields {
  return isFields(item) && /^(?:message|reasoning|\w+_call(?:_output)?)$/.test(String(item['type']));
}

function readConverse({ output, stopReason }: Fields): Found | undefined {
  if (!isFields(output) || !isFields(output['message'])) return undefined;
  const items = [{ role: 'assistant', ...output['message'] }];
  // The text of a guardrail takes the place of the model's.
  const refused = stopReason === 'guardrail_intervened' ? stopReason : undefined;
  return { key: 'output', items, refused, finishReason: textIn(stopReason) };
}

function readBlocks({ content, stop_reason: reason }: Fields): Found | undefined {
  const isBlocks = Array.isArray(content) && content.every((block) => isFields(block) && 'type' in block);
  if (!isBlocks) return undefined;
  return { key: 'content', items: [{ role: 'assistant', content }], finishReason: textIn(reason) };
}

function readSingle({ message, ...reply }: Fields): Found | undefined {
  if (!isFields(message) || !('content' in message || Array.isArray(message['tool_calls']))) return undefined;
  const finishReason = textIn(reply['finish_reason'] ?? reply['done_reason']);
  return { key: 'message', items: [{ ...message, role: 'assistant' }], finishReason };
}
