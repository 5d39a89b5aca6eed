import { isContainer } from '../../core/lib/json/is-container.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import type { Quoted } from './quote.ts';

/** The members of a reply: JSON values, texts of others only inside of quotes. */
export type Reply = Readonly<Record<string, unknown>>;

/** Returns the length of a value as it is sent: in compact JSON, in UTF-16 code units. */
export function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The lengths to which quoted texts are cut, one after the other, until a reply fits. */
const textLengths = [2000, 1000, 400, 200, 80, 20];

/** The most entries of a list, one number after the other, until a reply fits. */
const listLengths = [100, 50, 20, 10, 5, 2, 1];

/**
 * Returns a reply that is no longer than a limit: texts are cut first, then lists, whose names and whole lengths stand in `leftOut`.
 * What a tool can send in parts, it has to keep within the limit itself, by `takeFitting`.
 */
export function fitReply(reply: Reply, limit: number): Reply {
  if (lengthOf(reply) <= limit) return reply;
  let shown = reply;
  for (const most of textLengths) {
    shown = cutTexts(shown, most) as Reply;
    if (lengthOf(shown) <= limit) return shown;
  }
  for (const most of listLengths) {
    const leftOut: Record<string, number> = {};
    const cut = { ...(cutLists(shown, most, { path: '', leftOut }) as Reply), leftOut };
    if (lengthOf(cut) <= limit) return cut;
  }
  throw new Error(`A reply of ${lengthOf(reply)} characters cannot be cut to ${limit}.`);
}

function isQuoted(value: object): value is Quoted {
  return 'from' in value && 'text' in value && typeof value.text === 'string';
}

function cutTexts(value: unknown, most: number): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, most));
  if (isQuoted(value) && value.text.length > most) {
    const text = firstUnits(value.text, most);
    return { ...value, text, cut: (value.cut ?? 0) + value.text.length - text.length };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutTexts(each, most)]));
}

interface ListCut {
  /** The path of the value, as `targets.0.categories`. */
  readonly path: string;
  readonly leftOut: Record<string, number>;
}

function cutLists(value: unknown, most: number, { path, leftOut }: ListCut): unknown {
  if (!isContainer(value)) return value;
  const inner = (key: string | number): ListCut => ({
    path: path === '' ? `${key}` : `${path}.${key}`,
    leftOut,
  });
  if (Array.isArray(value)) {
    if (value.length > most) leftOut[path] = value.length - most;
    return value.slice(0, most).map((each, index) => cutLists(each, most, inner(index)));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, cutLists(each, most, inner(key))]),
  );
}

/** The room that is left in a reply besides its list. */
export interface Room {
  /** The longest that the whole reply may be. */
  readonly limit: number;
  /** The reply without the list. */
  readonly beside: unknown;
}

/** The characters that are reserved for the name of a list, a cursor and the number of what is left. */
const spare = 300;

/** Returns the first entries that fit into a reply: as many as there is room for, and always one, if it is cut. */
export function takeFitting<Entry>(entries: readonly Entry[], { limit, beside }: Room): Entry[] {
  let left = limit - spare - lengthOf(beside);
  const taken: Entry[] = [];
  for (const entry of entries) {
    left -= lengthOf(entry) + 1;
    if (left < 0 && taken.length > 0) break;
    taken.push(entry);
    if (left < 0) break;
  }
  return taken;
}
