import type { ReadConversation, Reading, ReadingMode } from '../../../../src/core/schema/modes/reading.ts';

/** The conversations as the page lists them. */
export interface Board {
  /** Conversations in which something went wrong that has no mode yet. */
  readonly unnamed: readonly ReadConversation[];
  /** The conversations of each mode, in the order of the modes. */
  readonly ofModes: readonly { readonly mode: ReadingMode; readonly own: readonly ReadConversation[] }[];
  /** Nothing is wrong. */
  readonly fine: readonly ReadConversation[];
  /** Conversations that some mode is not marked for, and conversations about which readers differ. */
  readonly again: readonly ReadConversation[];
  /** All of them, each once, in the order in which keys go through them. */
  readonly order: readonly ReadConversation[];
}

/** Returns the conversations as the page lists them. */
export function toBoard({ conversations, modes }: Reading): Board {
  const hasMode = ({ marks }: ReadConversation) => Object.values(marks).includes(true);
  const unnamed = conversations.filter((each) => each.isWrong && !hasMode(each));
  const fine = conversations.filter((each) => !each.isWrong && !hasMode(each));
  const ofModes = modes.map((mode) => ({
    mode,
    own: conversations.filter(({ marks }) => marks[mode.id] === true),
  }));
  const order = [...new Set([...unnamed, ...ofModes.flatMap(({ own }) => own), ...fine])];
  const again = order.filter(
    ({ marks, disputed }) => disputed.length > 0 || modes.some(({ id }) => marks[id] === undefined),
  );
  return { unnamed, ofModes, fine, again, order };
}

/** Returns the conversation that is some steps from another one; the first one when that is not there. */
export function stepFrom(
  list: readonly ReadConversation[],
  note: string | undefined,
  step: number,
): string | undefined {
  const at = list.findIndex((each) => each.note === note);
  if (at === -1) return list[0]?.note;
  return list[Math.min(Math.max(at + step, 0), list.length - 1)]?.note;
}

/** Returns the next conversation to look at again after another one, from the beginning after the last. */
export function nextAgain({ again, order }: Board, note: string | undefined): string | undefined {
  const at = order.findIndex((each) => each.note === note);
  const isOpen = new Set(again.map((each) => each.note));
  const rest = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return rest.find((each) => isOpen.has(each.note))?.note;
}

/** Returns the conversation without a mode that comes after the one that is given one now, or else before it; undefined without any. */
export function nextUnnamed({ unnamed }: Board, note: string | undefined): string | undefined {
  const at = unnamed.findIndex((each) => each.note === note);
  return at === -1 ? undefined : (unnamed[at + 1] ?? unnamed[at - 1])?.note;
}

/** Returns the id of a mode from its name: `Wrong date!` is `wrong-date`. */
export function idOfName(name: string): string {
  const words =
    name
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 60).replace(/-$/, '');
}

/** Returns what went wrong first, as a note says it. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** The seconds that a second look at a conversation takes. */
const secondsOfLook = 15;

/** Returns the minutes that the conversations to look at again take. */
export function minutesOf({ again }: Board): number {
  return Math.ceil((again.length * secondsOfLook) / 60);
}
