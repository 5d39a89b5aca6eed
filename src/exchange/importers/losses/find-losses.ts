import { compileGlob } from '../../../core/lib/compile-glob.ts';
import { ExactNumber } from '../../../core/lib/json/exact-number.ts';
import { readCell } from '../content/rows.ts';
import { asObject, asTime, withoutTerminalCodes } from '../values.ts';

/** Values of a file below one path that nothing contains that was written of it. */
export interface Loss {
  /** The path of a member: `results.results[].response.cached`; of an object when most of what is in it was not written. */
  readonly path: string;
  /** The number of values. */
  readonly count: number;
  /** The file next to the imported one; empty for the imported one itself. */
  readonly file: string;
}

/** A file that was read, parsed. */
export interface SourcePart {
  readonly file: string;
  readonly value: unknown;
  /** The reason why a file of data cannot be read. */
  readonly fault?: string;
}

/**
 * Finds the values of a file that are in nothing that was written of it. A truth value or a number of few digits, which may be anywhere, counts as
 * written only under its name.
 * @param reads - The ends of the paths of members that are written in another form, without the marks of lists: `result.success`, which
 *   becomes `passed`. One that begins with a dot is the whole path.
 */
export function findLosses(
  parts: Iterable<SourcePart>,
  written: WrittenValues,
  reads: readonly string[],
): Loss[] {
  const ends = reads.map((read) =>
    compileGlob(read.startsWith('.') ? read : `*.${read}`, { ignoreCase: false }),
  );
  const isRead = (path: string) => ends.some((matches) => matches(`.${path.replaceAll('[]', '')}`));
  const roots = new Map<string, PathTally>();
  for (const { file, value } of parts) {
    const root = roots.get(file) ?? newTally('', '', isRead);
    roots.set(file, root);
    addValues(value, root, { written, isRead });
  }
  return [...roots].flatMap(([file, root]) => lossesIn(root).losses.map((loss) => ({ ...loss, file })));
}

/** The number of values at a path and below it, and the number of lost ones. */
interface PathTally {
  readonly path: string;
  /** The name of the member that holds the values. */
  readonly name: string;
  readonly isRead: boolean;
  readonly below: Map<string, PathTally>;
  /** The items, where the value is a list. */
  items: PathTally | undefined;
  values: number;
  lost: number;
}

function newTally(path: string, name: string, isRead: (path: string) => boolean): PathTally {
  return { path, name, isRead: isRead(path), below: new Map(), items: undefined, values: 0, lost: 0 };
}

interface TallyContext {
  readonly written: WrittenValues;
  readonly isRead: (path: string) => boolean;
}

/** Counts each number, text and truth value in what a file contains, apart from empty texts, by its path. */
function addValues(given: unknown, at: PathTally, context: TallyContext): void {
  const value = plainValue(given);
  if (isLeaf(value)) {
    at.values += 1;
    if (!at.isRead && !context.written.has(at.name, value)) at.lost += 1;
  } else if (Array.isArray(value)) {
    if (value.length > 0) at.items ??= newTally(`${at.path}[]`, at.name, context.isRead);
    for (const item of value) addValues(item, at.items as PathTally, context);
  } else {
    const members = Object.entries(asObject(value) ?? {});
    for (const [name, member] of members) {
      const shown = members.length > mostNames || madeName.test(name) ? '*' : name;
      const path = at.path === '' ? shown : `${at.path}.${shown}`;
      const next = at.below.get(shown) ?? newTally(path, name, context.isRead);
      at.below.set(shown, next);
      addValues(member, next, context);
    }
  }
}

/** The most names of one object that are distinguished: an object with more has ids for names, in all likelihood. */
const mostNames = 60;

/** Names that a program made: numbers, hashes, UUIDs. */
const madeName = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The least share of the paths below an object that are lost for the object to be named in their place. */
const nearlyAll = 0.8;

/** The losses below a path, and the number of paths there. */
interface LostBelow {
  readonly losses: readonly Omit<Loss, 'file'>[];
  readonly paths: number;
  readonly lostPaths: number;
}

/** Finds what is lost below a path. An object of which most is lost is one loss, unless it is a record of the file. */
function lossesIn({ path, below, items, values, lost }: PathTally): LostBelow {
  const parts = [...below.values(), ...(items === undefined ? [] : [items])].map(lossesIn);
  const losses = [...(lost === 0 ? [] : [{ path, count: lost }]), ...parts.flatMap((part) => part.losses)];
  const paths = sumOf(parts.map((part) => part.paths)) + (values > 0 ? 1 : 0);
  const lostPaths = sumOf(parts.map((part) => part.lostPaths)) + (values > 0 && lost >= values / 2 ? 1 : 0);
  const isRecord = /^[^.]*$/.test(path) && path.endsWith('[]');
  const isOne = below.size > 0 && lostPaths > 1 && lostPaths >= nearlyAll * paths && path !== '' && !isRecord;
  return {
    losses: isOne ? [{ path, count: sumOf(losses.map(({ count }) => count)) }] : losses,
    paths,
    lostPaths,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The values in what is written of a file: in its cases, its answers and the other parts of the project. */
export class WrittenValues {
  readonly #values = new Set<string>();
  readonly #named = new Set<string>();
  /** Names without the spelling of words: `gradingResult`, `grading_result`. */
  readonly #names = new Map<string, string>();
  /** The values that an importer says it keeps, and that were not found yet. */
  readonly #missing = new Set<string>();

  /** @param kept - What an importer says it keeps. */
  constructor(kept: Iterable<unknown>) {
    for (const each of kept) for (const key of this.#keysOf(each)) this.#missing.add(key);
  }

  /** Adds a part of what is written. */
  add(part: unknown): void {
    visit(part, '', (name, value) => {
      const text = textOf(value);
      if (isDistinct(value)) this.#values.add(text);
      else this.#named.add(`${this.#plain(name)}=${text}`);
      if (this.#missing.size === 0) return;
      this.#missing.delete(keyOf(this.#plain(name), value));
      this.#missing.delete(keyOf('', value));
    });
  }

  /** Returns whether a value that an importer keeps was written: everything in it, of its type and under its name where it has one. */
  holds(kept: unknown): boolean {
    return this.#keysOf(kept).every((key) => !this.#missing.has(key));
  }

  /** Returns whether a value of the file, in a member of some name, was written, perhaps in another form. */
  has(name: string, value: Leaf): boolean {
    if (isDistinct(value))
      return this.#values.has(textOf(value)) || otherForms(value).some((form) => this.#values.has(form));
    const plain = this.#plain(name);
    return ofEveryTool.has(plain) || this.#named.has(`${plain}=${textOf(value)}`);
  }

  #keysOf(kept: unknown): string[] {
    const keys: string[] = [];
    // JSON has neither NaN nor infinite numbers.
    visit(kept, '', (name, value) => {
      if (typeof value !== 'number' || Number.isFinite(value)) keys.push(keyOf(this.#plain(name), value));
    });
    return keys;
  }

  #plain(name: string): string {
    const plain = this.#names.get(name) ?? name.replaceAll(/[_-]/g, '').toLowerCase();
    this.#names.set(name, plain);
    return plain;
  }
}

function keyOf(name: string, value: Leaf): string {
  return `${name}=${typeof value}:${textOf(value)}`;
}

/** A number, a text or a truth value. */
type Leaf = string | number | boolean;

/** Calls a function with each number, text and truth value in a value, and the name of the member that it is in. */
function visit(given: unknown, name: string, onLeaf: (name: string, value: Leaf) => void): void {
  const value = plainValue(given);
  if (isLeaf(value)) onLeaf(name, value);
  else if (Array.isArray(value)) for (const item of value) visit(item, name, onLeaf);
  else for (const [key, member] of Object.entries(asObject(value) ?? {})) visit(member, key, onLeaf);
}

/** Returns a value as it is, a text that is JSON as what it contains, and a long number, such as nanoseconds since 1970, as its digits. */
function plainValue(given: unknown): unknown {
  const read = typeof given === 'string' && /^\s*[[{]/.test(given) ? readCell(given) : given;
  return read instanceof ExactNumber ? read.digits : read;
}

function isLeaf(value: unknown): value is Leaf {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The names of a question, its answer and what was expected, which every importer reads. */
const ofEveryTool = new Set(
  'input question answer expected expectedoutput target ideal reference role content'.split(' '),
);

/** Returns the forms in which a value is written as well: a time in UTC, seconds as milliseconds. */
function otherForms(value: Leaf): string[] {
  const time = asTime(value);
  const number = Number(value);
  const scaled = Number.isFinite(number)
    ? [number * 1000, Math.round(number * 1000), number / 1000].map(String)
    : [];
  return time === undefined ? scaled : [time, ...scaled];
}

/** Returns whether a value is found again by itself: `0` and `true` are everywhere. */
function isDistinct(value: Leaf): boolean {
  return typeof value === 'string' || (typeof value === 'number' && String(value).length > 3);
}

function textOf(value: Leaf): string {
  if (typeof value !== 'string') return String(value);
  return (value.includes('\u001b') ? withoutTerminalCodes(value) : value).trim();
}
