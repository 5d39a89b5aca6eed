import { isNumber } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { foldForComparison } from '../../core/lib/text/fold.ts';
import type { Expected } from '../../core/schema/expected.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Message } from '../../core/schema/message.ts';
import type { CaseUser } from '../../core/schema/conversation.ts';
import type { Part } from './user.ts';

/** The next step that a simulated user intends. */
export interface Intention {
  readonly status: 'goes-on' | 'goal-met' | 'gave-up';
  readonly message: string;
}

/**
 * Finds what is wrong with the intended step of a simulated user, by rules and without a model; undefined when nothing
 * is.
 */
export function findFault(
  { status, message }: Intention,
  part: Part,
  conversation: readonly Message[],
): Fault | undefined {
  if (status !== 'goes-on') return findEarlyEnd(status, part.user, conversation);
  return (
    findAssistant(message, conversation) ??
    findLeak(message, part, conversation) ??
    findRepetition(message, conversation)
  );
}

/** The faults that only a simulated user can commit. */
type FaultKind =
  /** A reply did not have the required form. */
  | 'broke-format'
  /** The user continued without saying anything. */
  | 'empty-message'
  /** The user took the part of the other side. */
  | 'played-assistant'
  /** The user said the same words again and again. */
  | 'repeated-itself'
  /** The user said what it cannot know. */
  | 'leaked'
  /** The user ended the conversation too early. */
  | 'stopped-early';

/** One fault of a simulated user. */
export interface Fault {
  readonly kind: FaultKind;
  /** The description of the fault, worded to follow "the user". */
  readonly reason: string;
}

/** Phrases that only the other side uses, anchored to its wording so that a user who asks for help does not match. */
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

const fewestEchoedWords = 5;

/** Finds a user who speaks as the other side does, writes its words, or repeats them. */
function findAssistant(message: string, conversation: readonly Message[]): Fault | undefined {
  const found = signs.map((sign) => sign.exec(message)?.[0]).find((text) => text !== undefined);
  if (found !== undefined) return { kind: 'played-assistant', reason: `said "${found.trim()}"` };
  const line = otherSide.exec(message)?.[0].trim();
  if (line !== undefined)
    return { kind: 'played-assistant', reason: `wrote the other side's words after "${line}"` };
  const words = wordsOf(message);
  const echoed = conversation.some(
    ({ role, content }) => role === 'assistant' && isSame(words, wordsOf(content ?? '')),
  );
  if (!echoed || words.length < fewestEchoedWords) return undefined;
  return { kind: 'played-assistant', reason: 'said word for word what the other side had said' };
}

function isSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, index) => word === others[index]);
}

/** Questions at the end of the other side's last message that wait for a go-ahead. */
const goAhead =
  /(?:\b(?:shall|should|may|can) I (?:go ahead|proceed|book|confirm|place|send|submit|cancel|schedule|continue)\b[^?]*\?|\b(?:do|would) you (?:want|like) me to\b[^?]*\?|\bplease (?:confirm|reply|type)\b[^?]*[.!?]|\b(?:is (?:that|this)|are these) (?:correct|right|ok|okay|all right)\s*\?)\s*$/iu;

/** Finds a user who leaves before the conversation can have had a result. */
function findEarlyEnd(
  ended: 'goal-met' | 'gave-up',
  { patience }: CaseUser,
  conversation: readonly Message[],
): Fault | undefined {
  const early = (reason: string): Fault => ({ kind: 'stopped-early', reason });
  const last = conversation.findLast(
    ({ role, content }) => role === 'assistant' && content !== null,
  )?.content;
  if (typeof last !== 'string') return early('ended the conversation before there was any answer');
  if (ended === 'goal-met') {
    return goAhead.test(last)
      ? early('called it done although the other side waited for a go-ahead')
      : undefined;
  }
  const turns = conversation.filter(({ role }) => role === 'user').length;
  if (typeof patience !== 'number' || turns >= patience) return undefined;
  return early(`gave up after ${turns} of at least ${patience} answers`);
}

const fewestWords = 4;
const mostTimes = 2;

/**
 * Finds a user who repeats itself: the same words a third time although the other side gave different answers. A short
 * word of assent, or asking again when the other side repeats itself, is not a fault.
 */
function findRepetition(message: string, conversation: readonly Message[]): Fault | undefined {
  const words = wordsOf(message).join(' ');
  if (words.split(' ').length < fewestWords) return undefined;
  const answers = conversation.flatMap(({ role, content }, place) => {
    const isSame = role === 'user' && wordsOf(content ?? '').join(' ') === words;
    return isSame ? [answerAfter(conversation, place)] : [];
  });
  if (answers.length < mostTimes || new Set(answers).size < answers.length) return undefined;
  return { kind: 'repeated-itself', reason: `said the same words ${answers.length + 1} times` };
}

function answerAfter(conversation: readonly Message[], place: number): string {
  const next = conversation.findIndex(({ role }, index) => index > place && role === 'user');
  const turn = conversation.slice(place + 1, next === -1 ? undefined : next);
  return wordsOf(turn.findLast(({ role }) => role === 'assistant')?.content ?? '').join(' ');
}

/**
 * Finds what the user cannot know: a secret, or a value of the case's expectations, that neither its part nor an
 * earlier message contains.
 */
function findLeak(message: string, part: Part, conversation: readonly Message[]): Fault | undefined {
  const { user, case: testCase } = part;
  const { goal = '', persona = '', knowledge = [], patience = '', secrets = [] } = user;
  const said = conversation.map(({ content }) => content ?? '');
  const known = foldMessage([goal, persona, ...knowledge, String(patience), ...said].join('\n'));
  const folded = foldMessage(message);
  const leaked = [...secrets, ...hiddenValues(testCase.expected)].find((value) => {
    const wanted = foldMessage(value);
    return containsWords(wanted, folded) && !containsWords(wanted, known);
  });
  return leaked === undefined
    ? undefined
    : { kind: 'leaked', reason: `said "${leaked}", which the user does not know` };
}

/** Returns whether a text contains another one between word boundaries. */
function containsWords(wanted: string, text: string): boolean {
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const isInside = isWord(text[at - 1]) && isWord(wanted[0]);
    const goesOn = isWord(text[at + wanted.length]) && isWord(wanted.at(-1));
    if (!isInside && !goesOn) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/**
 * Returns the expected values that a user would not say by chance: codes, amounts and addresses in the final state,
 * whole answers. Dates and times are ignored, because a user who knows them may write them in another form.
 */
function hiddenValues({ state, answer }: Expected): string[] {
  const answers = [answer ?? []].flat().filter((text) => wordsOf(text).length >= 3 || isDistinctive(text));
  return [...new Set([...leavesOf(state ?? null).filter(isDistinctive), ...answers])];
}

/** The matchers whose members are values; the members of the others are rules. */
const valueMatchers = new Set(['$near', '$text', '$oneOf', '$set', '$includes', '$exact']);

function leavesOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (isNumber(value)) return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('$') && !valueMatchers.has(key) ? [] : leavesOf(member),
  );
}

function isDistinctive(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  if (digits === 0) return text.includes('@');
  const isPlainNumber = /^[-+]?[\d.,]+$/.test(text);
  if (isPlainNumber && (digits < 4 || /^(?:19|20)\d\d$/.test(text))) return false;
  return text.length >= 4 && !isDateOrTime(text);
}

/** Returns whether a text begins like a date or time: `2026-03-03`, `3.3.2026`, `3/3`, `10:00`. */
function isDateOrTime(text: string): boolean {
  return /^(?:\d{4}-\d{1,2}(?:-|$)|\d{1,2}([/.])\d{1,2}\1|\d{1,2}\/\d{1,2}$|\d{1,2}:\d{2}(?!\d))/.test(text);
}

/**
 * Returns a message in the form in which texts are compared, without the separators of large numbers.
 */
function foldMessage(text: string): string {
  return foldForComparison(text).replace(/(?<=\d)[,' ](?=\d{3}(?!\d))/g, '');
}

/** Returns the words of a message, to find the same words again. */
function wordsOf(text: string): string[] {
  return foldMessage(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
