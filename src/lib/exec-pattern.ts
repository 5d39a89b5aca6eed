import { computeWithin, outOfTime, UnmeasurableError } from './compute-within.ts';

/**
 * A polynomial of the lengths that the unbounded repetitions of a pattern can have: the number at place 2 stands for each
 * pair of lengths.
 */
type Polynomial = readonly number[];

/** A part of a pattern, begun at one place of a text: at most so many ways to match, and steps for all of them together. */
interface Part {
  readonly ways: Polynomial;
  readonly steps: Polynomial;
}

/** Steps that looking for a pattern takes at most, by what repeats in it. */
interface PatternWork {
  readonly steps: Polynomial;
  /** Whether what is repeated follows each other, and nothing looks ahead or back. */
  readonly isStraight: boolean;
}

/** A group that is being read: the alternatives before, and the pieces of this one before the last. */
interface Group {
  alternatives: Part;
  pieces: Part;
  last: Part;
}

const nothing: Part = { ways: [], steps: [] };
const empty: Part = { ways: [1], steps: [] };
const character: Part = { ways: [1], steps: [1] };
const unbounded: Part = { ways: [Infinity], steps: [Infinity] };
/** A group that was captured, looked for again: its characters are compared one by one. */
const repeatedText: Part = { ways: [1], steps: [1, 1] };
const highestDegree = 16;

/**
 * How many steps it takes at most to look for a pattern in a text, by the ways in which its repetitions and alternatives
 * can be combined. `Infinity` where they are nested, which may take for ever, and for the sets of texts that the flag `v` allows.
 */
export function patternWork({ source, unicodeSets }: RegExp): PatternWork {
  const { steps } = unicodeSets ? unbounded : readPattern(source);
  // From each place on, and one step to see that nothing begins there.
  return { steps: plus([1], steps), isStraight: !/\(\?<?[=!]/.test(source) };
}

/** Steps that it takes at most in a text of so many characters. */
export function stepsFor({ steps, isStraight }: PatternWork, length: number): number {
  let sum = 0;
  // Lengths that follow each other, and the place before them, add up to no more than the text: as many as that are fewer.
  let choices = 1;
  for (const [degree, count] of steps.entries()) {
    choices *= (length + 1 + degree) / (isStraight ? degree + 1 : 1);
    if (count > 0) sum += count * choices;
  }
  return sum;
}

/** `\u{61}` and `\p{L}` are read as more than they are, which makes the bound no smaller. */
const token =
  /(?<open>\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?)|(?<close>\))|(?<or>\|)|(?<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)|(?<back>\\(?:[1-9]|k<))|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/g;

function readPattern(source: string): Part {
  const groups: Group[] = [openGroup()];
  for (const { groups: kind = {} } of source.matchAll(token)) {
    const group = groups.at(-1) as Group;
    if (kind['open'] !== undefined) groups.push(openGroup());
    else if (kind['close'] !== undefined) {
      groups.pop();
      addPiece(groups.at(-1) ?? openGroup(), closeGroup(group));
    } else if (kind['or'] !== undefined) {
      group.alternatives = either(group.alternatives, both(group.pieces, group.last));
      group.pieces = empty;
      group.last = empty;
    } else if (kind['repeat'] !== undefined) group.last = repeat(group.last, kind['repeat']);
    else addPiece(group, kind['back'] === undefined ? character : repeatedText);
  }
  return closeGroup(groups[0] ?? openGroup());
}

function openGroup(): Group {
  return { alternatives: nothing, pieces: empty, last: empty };
}

function closeGroup({ alternatives, pieces, last }: Group): Part {
  return either(alternatives, both(pieces, last));
}

function addPiece(group: Group, piece: Part): void {
  group.pieces = both(group.pieces, group.last);
  group.last = piece;
}

function both(first: Part, second: Part): Part {
  return {
    ways: times(first.ways, second.ways),
    steps: plus(first.steps, times(first.ways, second.steps)),
  };
}

function either(first: Part, second: Part): Part {
  return { ways: plus(first.ways, second.ways), steps: plus(plus(first.steps, second.steps), [1]) };
}

function repeat(part: Part, written: string): Part {
  const { least, most } = timesOf(written);
  const hasOneWay = part.ways.length === 1 && (part.ways[0] ?? 0) <= 1;
  if (most === Infinity) {
    return hasOneWay ? { ways: [0, 1], steps: times([0, 1], plus(part.steps, [1])) } : unbounded;
  }
  if (hasOneWay) return { ways: [most - least + 1], steps: times([most], plus(part.steps, [1])) };
  let whole = empty;
  for (let count = 0; count < most; count++) {
    whole = both(whole, { ways: plus(part.ways, [1]), steps: plus(part.steps, [1]) });
    if (whole.ways.length > highestDegree) return unbounded;
  }
  return whole;
}

function plus(first: Polynomial, second: Polynomial): Polynomial {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, degree) => (first[degree] ?? 0) + (second[degree] ?? 0));
}

function times(first: Polynomial, second: Polynomial): Polynomial {
  const product = Array.from({ length: Math.max(0, first.length + second.length - 1) }, () => 0);
  for (const [degree, count] of first.entries()) {
    for (const [other, each] of second.entries()) {
      if (count > 0 && each > 0) product[degree + other] = (product[degree + other] ?? 0) + count * each;
    }
  }
  return product;
}

function timesOf(written: string): { least: number; most: number } {
  if (written.startsWith('*')) return { least: 0, most: Infinity };
  if (written.startsWith('+')) return { least: 1, most: Infinity };
  if (written.startsWith('?')) return { least: 0, most: 1 };
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(written) ?? [];
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

/** Steps that take less than a second. */
const fewSteps = 2e8;
const limitMs = 1000;
const longestShown = 80;

const works = new WeakMap<RegExp, PatternWork>();

/**
 * What `pattern.exec(text)` gives, for a pattern that somebody else wrote. Throws `UnmeasurableError` (`pattern-too-slow`) when it takes
 * more than a second of computing.
 */
export function execPattern(pattern: RegExp, text: string): RegExpExecArray | null {
  if (stepsFor(workOf(pattern), text.length) <= fewSteps) return pattern.exec(text);
  const match = computeWithin(limitMs, () => pattern.exec(text));
  if (match !== outOfTime) return match;
  const shown = String(pattern);
  const named = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  throw new UnmeasurableError(
    'pattern-too-slow',
    `looking for ${named} in ${text.length} characters takes more than ${limitMs / 1000} s: there are too many ways to match; write it with fewer repetitions, none inside another`,
  );
}

/** Whether `pattern` matches somewhere in `text`; see `execPattern`. */
export function testPattern(pattern: RegExp, text: string): boolean {
  return execPattern(pattern, text) !== null;
}

function workOf(pattern: RegExp): PatternWork {
  const known = works.get(pattern);
  if (known !== undefined) return known;
  const work = patternWork(pattern);
  works.set(pattern, work);
  return work;
}
