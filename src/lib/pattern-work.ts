/** Steps that matching takes at most, as a polynomial of the length of the text. */
export interface PatternWork {
  readonly factor: number;
  readonly degree: number;
}

/**
 * In how many ways a part of a pattern can match at a place of a text of n characters, at most: `factor` * (n + 1) ^
 * `degree`. And how many steps one way takes.
 */
interface Part extends PatternWork {
  readonly size: number;
}

/** A group that is being read: the alternatives before, and the pieces of this one before the last. */
interface Group {
  alternatives: Part;
  pieces: Part;
  last: Part;
}

const nothing: Part = { factor: 0, degree: 0, size: 0 };
const empty: Part = { factor: 1, degree: 0, size: 1 };
const unbounded: Part = { factor: Infinity, degree: 0, size: 1 };
/** A group that was captured, looked for again: its characters are compared one by one. */
const repeatedText: Part = { factor: 1, degree: 1, size: 1 };

/**
 * How many steps it takes at most to look for a pattern in a text, by the ways in which its repetitions and alternatives
 * can be combined. The factor is `Infinity` where they are nested, which may take for ever, and for the sets of texts that the flag `v`
 * allows.
 */
export function patternWork({ source, unicodeSets }: RegExp): PatternWork {
  const { factor, degree, size } = unicodeSets ? unbounded : readPattern(source);
  return { factor: factor * size, degree: degree + 1 };
}

/** Steps that it takes at most in a text of so many characters. */
export function stepsFor({ factor, degree }: PatternWork, length: number): number {
  return factor * (length + 1) ** degree;
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
    else addPiece(group, kind['back'] === undefined ? empty : repeatedText);
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
    factor: first.factor * second.factor,
    degree: first.degree + second.degree,
    size: first.size + second.size,
  };
}

function either(first: Part, second: Part): Part {
  return {
    factor: first.factor + second.factor,
    degree: Math.max(first.degree, second.degree),
    size: first.size + second.size,
  };
}

function repeat(part: Part, written: string): Part {
  const { least, most } = timesOf(written);
  const { factor, degree, size } = part;
  const hasOneWay = factor <= 1 && degree === 0;
  if (most === Infinity) return hasOneWay ? { factor: 1, degree: 1, size } : unbounded;
  if (hasOneWay) return { factor: most - least + 1, degree: 0, size: size * Math.max(most, 1) };
  return { factor: (most + 1) * factor ** most, degree: degree * most, size: size * Math.max(most, 1) };
}

function timesOf(written: string): { least: number; most: number } {
  if (written.startsWith('*')) return { least: 0, most: Infinity };
  if (written.startsWith('+')) return { least: 1, most: Infinity };
  if (written.startsWith('?')) return { least: 0, most: 1 };
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(written) ?? [];
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}
