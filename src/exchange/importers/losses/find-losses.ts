import { compileGlob } from '../../../core/lib/compile-glob.ts';
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
 * @param written - The cases, the answers and the other parts of the project, its ledger among them.
 * @param reads - The ends of the paths of members that are written in another form, without the marks of lists: `result.success`, which
 *   becomes `passed`. One that begins with a dot is the whole path.
 */
export function findLosses(
  parts: Iterable<SourcePart>,
  written: Iterable<unknown>,
  reads: readonly string[],
): Loss[] {
  const index = indexOf(written);
  const ends = reads.map((read) =>
    compileGlob(read.startsWith('.') ? read : `*.${read}`, { ignoreCase: false }),
  );
  const isRead = lazyByKey((path) => ends.some((matches) => matches(`.${path.replaceAll('[]', '')}`)));
  const roots = new Map<string, PathTally>();
  for (const { file, value } of parts) {
    const root = roots.get(file) ?? newTally('');
    roots.set(file, root);
    for (const leaf of leavesIn(value)) addLeaf(root, leaf, isRead(leaf.path) || isWritten(leaf, index));
  }
  return [...roots].flatMap(([file, root]) => lossesIn(root).losses.map((loss) => ({ ...loss, file })));
}

/** Returns a function that asks another one once for each text. */
function lazyByKey(read: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** The number of values below a path, and the number of lost ones. */
interface PathTally {
  readonly path: string;
  readonly below: Map<string, PathTally>;
  values: number;
  lost: number;
}

function newTally(path: string): PathTally {
  return { path, below: new Map(), values: 0, lost: 0 };
}

function addLeaf(root: PathTally, { path }: Leaf, isFound: boolean): void {
  let at = root;
  for (const name of path.split('.')) {
    const next = at.below.get(name) ?? newTally(at.path === '' ? name : `${at.path}.${name}`);
    at.below.set(name, next);
    at = next;
  }
  at.values += 1;
  if (!isFound) at.lost += 1;
}

/** The least share of the paths below an object that are lost for the object to be named in their place. */
const nearlyAll = 0.8;

/** The losses below a path, and the number of paths there. */
interface LostBelow {
  readonly losses: readonly Omit<Loss, 'file'>[];
  readonly paths: number;
  readonly lostPaths: number;
}

/** Finds what is lost below a path. An object of which most is lost is one loss, unless it is a record of the file. */
function lossesIn({ path, below, values, lost }: PathTally): LostBelow {
  const parts = [...below.values()].map(lossesIn);
  const losses = [...(lost === 0 ? [] : [{ path, count: lost }]), ...parts.flatMap((part) => part.losses)];
  const paths = sumOf(parts.map((part) => part.paths)) + (values > 0 ? 1 : 0);
  const lostPaths = sumOf(parts.map((part) => part.lostPaths)) + (values > 0 && lost >= values / 2 ? 1 : 0);
  const isRecord = /^[^.]*$/.test(path) && path.endsWith('[]');
  const isOne = lostPaths > 1 && lostPaths >= nearlyAll * paths && path !== '' && !isRecord;
  return {
    losses: isOne ? [{ path, count: sumOf(losses.map(({ count }) => count)) }] : losses,
    paths,
    lostPaths,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

interface WrittenIndex {
  readonly values: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
}

function indexOf(written: Iterable<unknown>): WrittenIndex {
  const values = new Set<string>();
  const named = new Set<string>();
  for (const part of written) {
    for (const { path, value } of leavesIn(part)) {
      const text = textOf(value);
      if (isDistinct(value)) values.add(text);
      else named.add(`${nameOf(path)}=${text}`);
    }
  }
  return { values, named };
}

function isWritten({ path, value }: Leaf, { values, named }: WrittenIndex): boolean {
  const name = nameOf(path);
  if (!isDistinct(value)) return ofEveryTool.has(name) || named.has(`${name}=${textOf(value)}`);
  return values.has(textOf(value)) || otherForms(value).some((form) => values.has(form));
}

/** The names of a question, its answer and what was expected, which every importer reads. */
const ofEveryTool = new Set(
  'input question answer expected expectedoutput target ideal reference role content'.split(' '),
);

/** Returns the forms in which a value is written as well: a time in UTC, seconds as milliseconds. */
function otherForms(value: Leaf['value']): string[] {
  const time = asTime(value);
  const number = Number(value);
  const scaled = Number.isFinite(number)
    ? [number * 1000, Math.round(number * 1000), number / 1000].map(String)
    : [];
  return time === undefined ? scaled : [time, ...scaled];
}

/** Returns whether a value is found again by itself: `0` and `true` are everywhere. */
function isDistinct(value: Leaf['value']): boolean {
  return typeof value === 'string' || (typeof value === 'number' && String(value).length > 3);
}

function textOf(value: Leaf['value']): string {
  return typeof value === 'string' ? withoutTerminalCodes(value).trim() : String(value);
}

/** Returns the name of the member that holds a value, without the marks of lists and the spelling of words: `gradingResult`, `grading_result`. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** A number, a text or a truth value in a file, with the way to it. */
interface Leaf {
  /** The names of the members that lead to it: `results.results[].response.cached`. */
  readonly path: string;
  readonly value: string | number | boolean;
}

/** The most names of one object that are distinguished: an object with more has ids for names, in all likelihood. */
const mostNames = 60;

/** Names that a program made: numbers, hashes, UUIDs. */
const madeName = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Yields each number, text and truth value in what a file contains, apart from empty texts. A text that is JSON is read as
 * what it contains.
 * @param root - The way to the value.
 */
export function* leavesIn(given: unknown, root = ''): Generator<Leaf> {
  const value = typeof given === 'string' && /^\s*[[{]/.test(given) ? readCell(given) : given;
  if (typeof value === 'string' ? value.trim() !== '' : ['number', 'boolean'].includes(typeof value)) {
    yield { path: root, value: value as Leaf['value'] };
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) yield* leavesIn(item, `${root}[]`);
    return;
  }
  const members = Object.entries(asObject(value) ?? {});
  for (const [name, member] of members) {
    const shown = members.length > mostNames || madeName.test(name) ? '*' : name;
    yield* leavesIn(member, root === '' ? shown : `${root}.${shown}`);
  }
}
