import { foldText } from '../lib/text/words.ts';
import type { Expected } from '../schema/case.ts';
import type { Json } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { CaseUser } from '../schema/conversation.ts';
import type { Part } from './user.ts';

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

const fewestEchoedWords = 5;

/** Finds a user who speaks as the other side does, for it, or after it. */
function findAssistant(message: string, heard: readonly Message[]): Fault | undefined {
  const found = signs.map((sign) => sign.exec(message)?.[0]).find((text) => text !== undefined);
  if (found !== undefined) return { kind: 'played-assistant', reason: `said "${found.trim()}"` };
  const line = otherSide.exec(message)?.[0].trim();
  if (line !== undefined)
    return { kind: 'played-assistant', reason: `wrote the other side's words after "${line}"` };
  const words = wordsOf(message);
  const echoed = heard.some(
    ({ role, content }) => role === 'assistant' && isSame(words, wordsOf(content ?? '')),
  );
  if (!echoed || words.length < fewestEchoedWords) return undefined;
  return { kind: 'played-assistant', reason: 'said word for word what the other side had said' };
}

function isSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, index) => word === others[index]);
}

/** What a user wants to do next. */
export interface Intention {
  readonly status: 'goes-on' | 'goal-met' | 'gave-up';
  readonly message: string;
}

/** What is wrong with what a simulated user wants to do, found without asking anybody; undefined when nothing is. */
export function findFault(
  { status, message }: Intention,
  part: Part,
  heard: readonly Message[],
): Fault | undefined {
  if (status !== 'goes-on') return findEarlyEnd(status, part.user, heard);
  return findAssistant(message, heard) ?? findLeak(message, part, heard) ?? findRepetition(message, heard);
}

/** Words by which the other side waits for a go-ahead, at the end of its last message. */
const goAhead =
  /(?:\b(?:shall|should|may|can) I (?:go ahead|proceed|book|confirm|place|send|submit|cancel|schedule|continue)\b[^?]*\?|\b(?:do|would) you (?:want|like) me to\b[^?]*\?|\bplease (?:confirm|reply|type)\b[^?]*[.!?]|\b(?:is (?:that|this)|are these) (?:correct|right|ok|okay|all right)\s*\?)\s*$/iu;

/** Finds a user who leaves before anything can have come of it. */
function findEarlyEnd(
  ended: 'goal-met' | 'gave-up',
  { patience }: CaseUser,
  heard: readonly Message[],
): Fault | undefined {
  const early = (reason: string): Fault => ({ kind: 'stopped-early', reason });
  const last = heard.findLast(({ role, content }) => role === 'assistant' && content !== null)?.content;
  if (typeof last !== 'string') return early('ended the conversation before there was any answer');
  if (ended === 'goal-met') {
    return goAhead.test(last)
      ? early('called it done although the other side waited for a go-ahead')
      : undefined;
  }
  const turns = heard.filter(({ role }) => role === 'user').length;
  if (typeof patience !== 'number' || turns >= patience) return undefined;
  return early(`gave up after ${turns} of at least ${patience} answers`);
}

const fewestWords = 4;
const mostTimes = 2;

/**
 * Finds a user who goes round in circles: the same words a third time, although the other side has answered them in
 * different ways. A short word of assent, or asking again a side that goes round in circles itself, is no fault.
 */
function findRepetition(message: string, heard: readonly Message[]): Fault | undefined {
  const words = wordsOf(message).join(' ');
  if (words.split(' ').length < fewestWords) return undefined;
  const answers = heard.flatMap(({ role, content }, place) => {
    const isSame = role === 'user' && wordsOf(content ?? '').join(' ') === words;
    return isSame ? [answerAfter(heard, place)] : [];
  });
  if (answers.length < mostTimes || new Set(answers).size < answers.length) return undefined;
  return { kind: 'repeated-itself', reason: `said the same words ${answers.length + 1} times` };
}

function answerAfter(heard: readonly Message[], place: number): string {
  const next = heard.findIndex(({ role }, index) => index > place && role === 'user');
  const turn = heard.slice(place + 1, next === -1 ? undefined : next);
  return wordsOf(turn.findLast(({ role }) => role === 'assistant')?.content ?? '').join(' ');
}

/**
 * Finds what a user says without being able to know it: a secret of theirs, or a value of what the case expects, that
 * neither their part nor anything said before holds.
 */
function findLeak(message: string, part: Part, heard: readonly Message[]): Fault | undefined {
  const { user, case: testCase } = part;
  const { goal = '', persona = '', knowledge = [], patience = '', secrets = [] } = user;
  const said = heard.map(({ content }) => content ?? '');
  const known = foldMessage([goal, persona, ...knowledge, String(patience), ...said].join('\n'));
  const folded = foldMessage(message);
  const leaked = [...secrets, ...hiddenValues(testCase.expected)].find((value) => {
    const wanted = foldMessage(value);
    return stands(wanted, folded) && !stands(wanted, known);
  });
  return leaked === undefined
    ? undefined
    : { kind: 'leaked', reason: `said "${leaked}", which the user was not told` };
}

/** Whether a text holds another that begins and ends where words do. */
function stands(wanted: string, text: string): boolean {
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
 * The values of what a case expects that nobody says by chance: codes, amounts and addresses in the final state, whole
 * answers. Dates and times are left out: a user who knows them may well write them in another way.
 */
function hiddenValues({ state, answer }: Expected): string[] {
  const answers = [answer ?? []].flat().filter((text) => wordsOf(text).length >= 3 || isTelling(text));
  return [...new Set([...leavesOf(state ?? null).filter(isTelling), ...answers])];
}

/** Matchers whose members are values to be met; those of the others are rules. */
const valueMatchers = new Set(['$near', '$text', '$oneOf', '$set', '$includes', '$exact']);

function leavesOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('$') && !valueMatchers.has(key) ? [] : leavesOf(member),
  );
}

function isTelling(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  if (digits === 0) return text.includes('@');
  const isPlainNumber = /^[-+]?[\d.,]+$/.test(text);
  if (isPlainNumber && (digits < 4 || /^(?:19|20)\d\d$/.test(text))) return false;
  return text.length >= 4 && !isDateOrTime(text);
}

/** `2026-03-03`, `3.3.2026`, `3/3`, `10:00`, with whatever comes after them. */
function isDateOrTime(text: string): boolean {
  return /^(?:\d{4}-\d{1,2}(?:-|$)|\d{1,2}([/.])\d{1,2}\1|\d{1,2}\/\d{1,2}$|\d{1,2}:\d{2}(?!\d))/.test(text);
}

/** What a simulated user can do that no user would. */
type FaultKind =
  /** A reply was not of the form asked for. */
  | 'broke-format'
  /** Went on without saying anything. */
  | 'empty-message'
  /** Took the part of the other side. */
  | 'played-assistant'
  /** Said the same thing again and again. */
  | 'repeated-itself'
  /** Said what the user cannot know. */
  | 'leaked'
  /** Ended the conversation before its time. */
  | 'stopped-early';

/** One thing that a simulated user did wrong. */
export interface Fault {
  readonly kind: FaultKind;
  /** What exactly, in words that go behind "the user". */
  readonly reason: string;
}

/** A message in the form in which it is compared: without case, needless white space and the commas of large numbers. */
function foldMessage(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/(?<=\d)[,'’ ](?=\d{3}(?!\d))/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A message without anything but its words, for finding the same words again. */
function wordsOf(text: string): string[] {
  return foldMessage(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
