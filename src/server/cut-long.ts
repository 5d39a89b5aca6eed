import { isContainer } from '../core/lib/json/is-container.ts';
import type { Cut } from '../core/schema/api/trial-view.ts';
import { firstUnits } from '../core/lib/text/terminal-text.ts';

/** A value whose long texts and lists are cut to their beginning. */
interface CutValue<Value> {
  readonly value: Value;
  readonly cuts: Cut[];
}

/** The limits of what is sent: characters of a text, entries of a list or an object, characters of everything. */
const limits = { text: 20_000, entries: 500, all: 600_000 };
/** The approximate size of a number, a name or an empty text. */
const smallest = 12;

/**
 * Cuts the texts and lists of a JSON value to at most 20,000 characters and 500 entries, and to less when everything together
 * would still be too long for a response.
 * @param root - The path of the value, a JSON pointer, with which the paths of the cuts begin.
 */
export function cutLong<Value>(value: Value, root: string): CutValue<Value> {
  for (let [text, entries] = [limits.text, limits.entries]; ; text /= 4, entries /= 2) {
    const state = { text: Math.ceil(text), entries: Math.ceil(entries), size: 0, cuts: [] as Cut[] };
    const cut = cutAt(value, root, state) as Value;
    if (state.size <= limits.all || text < 20) return { value: cut, cuts: state.cuts };
  }
}

interface CutState {
  readonly text: number;
  readonly entries: number;
  /** The characters so far. */
  size: number;
  readonly cuts: Cut[];
}

function cutAt(value: unknown, path: string, state: CutState): unknown {
  state.size += smallest;
  if (typeof value === 'string') {
    const shown = firstUnits(value, state.text);
    state.size += shown.length;
    if (shown.length < value.length) state.cuts.push({ path, length: value.length });
    return shown;
  }
  if (!isContainer(value) || state.size > limits.all * 2) return value;
  const isList = Array.isArray(value);
  const all = Object.entries(value);
  if (all.length > state.entries) state.cuts.push({ path, length: all.length });
  const shown = all
    .slice(0, state.entries)
    .map(([key, part]) => [key, cutAt(part, `${path}/${escapeKey(key)}`, state)] as const);
  return isList ? shown.map(([, part]) => part) : Object.fromEntries(shown);
}

/** Writes a name as a part of a JSON pointer. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the part of a value at a JSON pointer; undefined when there is none. */
export function partAt(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => {
      const isParent = isContainer(part) && Object.hasOwn(part, key);
      return isParent ? (part as Record<string, unknown>)[key] : undefined;
    }, value);
}
