import { foldText } from '../../calendar/fold-text.ts';
import { type Clock, readClock, readLengthOfSpan } from './read-clock.ts';
import { type Days, readDay } from './read-day.ts';
import { readDuration } from './read-duration.ts';
import { readZone, type ZoneWords } from './read-zone.ts';

/** What a message says of a meeting that is wanted, or of one that is there. */
export interface Wish extends ZoneWords {
  text: string;
  names: string[];
  minutes?: number;
  days?: Days;
  clock?: Clock;
  /** Whether the first time that suits everybody may be booked without another question. */
  isFlexible?: boolean;
  title?: string;
}

/** A message as the agent understands it. */
export interface Reading {
  task: 'book' | 'move' | 'cancel' | undefined;
  reply: 'yes' | 'no' | undefined;
  /** Which of several offers is chosen, from 0; -1 is the last one. */
  choice: number | undefined;
  wish: Wish;
  /** For a move: how the meeting that is to be moved is described. */
  subject: Wish | undefined;
}

/** How messages are read: which names a text holds, and which day it is for whoever writes. */
export interface ReadingOptions {
  readNames(text: string): string[];
  today: string;
}

const tasks: [Exclude<Reading['task'], undefined>, RegExp][] = [
  ['move', /\b(?:move|reschedule|postpone|push|shift|bring forward)\b/],
  ['cancel', /\b(?:cancel|call off|delete)\b/],
  ['book', /\b(?:book|schedule|set up|arrange|plan|organi[sz]e|meeting|meet|invite|put|slot|get|find)\b/],
];
const no = /^(?:no\b|nope|nah|none|neither|not )|\b(?:forget it|leave it|never ?mind|don't bother|drop it)\b/;
const yes =
  /^(?:yes|yeah|yep|sure|ok|okay|perfect|great|fine|please do|go ahead|sounds good|that works|deal)\b/;
const choices: [number, RegExp][] = [
  [0, /\b(?:first|option 1|1st)\b/],
  [1, /\b(?:second|option 2|2nd)\b/],
  [2, /\b(?:third|option 3|3rd)\b/],
  [-1, /\blast\b/],
];

const titlePattern =
  /(?<!what |how )\b(?:about|called|titled) (?:the |our |a )?"?([\p{L}\d -]+?)(?= (?:on|at|for|with|today|tomorrow|next|this)\b|[.,!?"]|$)/u;

/** Reads a message. Nothing in it is an error: what is not understood is not there. */
export function readMessage(message: string, options: ReadingOptions): Reading {
  const text = foldText(message);
  const task = tasks.find(([, pattern]) => pattern.test(text))?.[0];
  const [subject, goal] = task === 'move' ? splitMove(text) : [undefined, text];
  return {
    task,
    reply: no.test(text) ? 'no' : yes.test(text) ? 'yes' : undefined,
    choice: choices.find(([, pattern]) => pattern.test(text))?.[0],
    wish: readWish(goal, options),
    subject: subject === undefined ? undefined : readWish(subject, options),
  };
}

/** "move my one-on-one with ben | to friday at 11": what is moved, and where to. */
function splitMove(text: string): [string, string] {
  const at = text.lastIndexOf(' to ');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 4)];
}

function readWish(text: string, { readNames, today }: ReadingOptions): Wish {
  const wish: Wish = {
    text,
    names: readNames(text),
    minutes: readDuration(text) ?? readLengthOfSpan(text),
    days: readDay(text, today),
    clock: readClock(text),
    title: titlePattern.exec(text)?.[1],
    ...readZone(text),
  };
  return /\b(?:any ?time|earliest|first free|as soon as possible|asap|whenever)\b/.test(text)
    ? { ...wish, isFlexible: true }
    : wish;
}
