import type { Message } from '../../schema/message.ts';
import type { Fault } from './fault.ts';
import { wordsOf } from './fold-message.ts';

/** What only the other side says. Anchored to its wording, so that a user who asks for help is not taken for it. */
const signs: readonly RegExp[] = [
  /\bhow (?:can|may|could) I (?:help|assist|be of (?:help|service|assistance))(?: you\b|\s*(?:today)?\s*[?.!]*$)/iu,
  /\b(?:anything|something) else (?:that )?I (?:can|could|may) (?:help|assist|do for)\b/iu,
  /\b(?:happy|glad|here) to (?:help|assist) you\b/iu,
  /\bas an? (?:AI|artificial intelligence|language model|virtual assistant|chatbot)\b/iu,
  /\bI(?:'m|’m| am) (?:an? |your )?(?:AI|virtual|digital)(?: language)? (?:assistant|agent|model|chatbot)\b/iu,
  /\bwie (?:kann|darf) ich (?:ihnen|dir|euch) (?:weiter)?(?:helfen|behilflich)\b/iu,
  /\b(?:comment|en quoi) (?:puis-je|je peux) (?:vous|t['’])\s?aider\b/iu,
  /\b(?:en qué|cómo) (?:puedo|le puedo|te puedo) ayudar/iu,
  /<\/?tool_call>|^\s*\{\s*"(?:name|function|tool)"\s*:/iu,
];

const otherSide = /^\s*(?:assistant|agent|bot|chatbot|ai|system|support|other side)\s*:/imu;

const fewestWords = 5;

/** Finds a user who speaks as the other side does, for it, or after it. */
export function findAssistant(message: string, heard: readonly Message[]): Fault | undefined {
  const found = signs.map((sign) => sign.exec(message)?.[0]).find((text) => text !== undefined);
  if (found !== undefined) return { kind: 'played-assistant', reason: `said "${found.trim()}"` };
  const line = otherSide.exec(message)?.[0].trim();
  if (line !== undefined)
    return { kind: 'played-assistant', reason: `wrote the other side's words after "${line}"` };
  const words = wordsOf(message);
  const echoed = heard.some(
    ({ role, content }) => role === 'assistant' && isSame(words, wordsOf(content ?? '')),
  );
  if (!echoed || words.length < fewestWords) return undefined;
  return { kind: 'played-assistant', reason: 'said word for word what the other side had said' };
}

function isSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, index) => word === others[index]);
}
