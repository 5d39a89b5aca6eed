import { limitSteps } from '../../../core/lib/compute-within.ts';

// The limits of Tercom, and those that sacreBLEU adds to them: other limits would give other rates.
const longestShift = 10;
const farthestShift = 50;
const beamWidth = 25;
const mostCandidates = 1000;

/** The most cells of edit tables that are computed: one to two seconds. */
const mostCells = 1e8;

/**
 * Counts the edits of the translation edit rate (Snover et al., 2006) as sacreBLEU does: insertions, deletions and
 * replacements of words, and shifts of a run of words to another place, each as one edit. Shifts are searched greedily:
 * the one that saves most, again and again. Throws `UnmeasurableError` (`too-long`) for texts of thousands of words.
 */
export function countEditsWithShifts(given: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0) return given.length;
  const lengths = `${given.length.toLocaleString('en')} and ${wanted.length.toLocaleString('en')}`;
  const count = limitSteps(mostCells, `${lengths} words are too many to search for shifts`);
  const search: Search = { wanted, count, candidates: 0 };
  let table = alignTo(search, given);
  for (let shifts = 0; ; shifts++) {
    const best = findShift(search, table);
    if (search.candidates >= mostCandidates || best === undefined || best.saved <= 0) {
      return shifts + editsOf(table);
    }
    table = alignTo(search, best.words);
  }
}

interface Search {
  readonly wanted: readonly string[];
  /** Counts the cells that are computed; throws when they are too many. */
  readonly count: (cells: number) => void;
  /** The shifts that were tried so far. */
  candidates: number;
}

const [keep, replace, remove, insert] = [0, 1, 2, 3] as const;

/** The row of one word in a table of edits; cells outside of it are infinite. */
interface EditRow {
  /** The column of the first cell. */
  readonly start: number;
  readonly costs: Float64Array;
  /** The last operation on the way to each cell. */
  readonly operations: Uint8Array;
}

/** The edits that turn the words before each row into the wanted words before each column. */
interface EditTable {
  readonly words: readonly string[];
  readonly rows: readonly EditRow[];
}

/**
 * Computes the table of edits that turn words into the wanted ones, near the diagonal only.
 * @param known - A table of which the first `shared` words are the same.
 */
function alignTo(
  { wanted, count }: Search,
  words: readonly string[],
  known?: EditTable,
  shared = 0,
): EditTable {
  const width = wanted.length + 1;
  const rows = known === undefined ? [firstRow(width)] : known.rows.slice(0, shared + 1);
  const ratio = words.length === 0 ? 1 : wanted.length / words.length;
  const beam = beamWidth < ratio / 2 ? Math.ceil(ratio / 2 + beamWidth) : beamWidth;
  for (let row = rows.length; row <= words.length; row++) {
    const diagonal = Math.floor(row * ratio);
    const start = Math.max(0, diagonal - beam);
    const end = row === words.length ? width : Math.min(width, diagonal + beam);
    count(end - start);
    const above = rows[row - 1] ?? firstRow(width);
    rows.push(nextRow(above, { word: words[row - 1] ?? '', wanted, start, end }));
  }
  return { words, rows };
}

function firstRow(width: number): EditRow {
  const costs = Float64Array.from({ length: width }, (_, place) => place);
  return { start: 0, costs, operations: new Uint8Array(width).fill(insert) };
}

interface RowOf {
  readonly word: string;
  readonly wanted: readonly string[];
  readonly start: number;
  readonly end: number;
}

function nextRow(above: EditRow, { word, wanted, start, end }: RowOf): EditRow {
  const costs = new Float64Array(end - start);
  const used = new Uint8Array(end - start);
  let before = Number.POSITIVE_INFINITY;
  for (let column = start; column < end; column++) {
    const isSame = column > 0 && word === wanted[column - 1];
    const diagonally = costAt(above, column - 1) + (isSame ? 0 : 1);
    const vertically = costAt(above, column) + 1;
    before = Math.min(diagonally, vertically, before + 1);
    costs[column - start] = before;
    if (before === diagonally) used[column - start] = isSame ? keep : replace;
    else used[column - start] = before === vertically ? remove : insert;
  }
  return { start, costs, operations: used };
}

function costAt({ start, costs }: EditRow, column: number): number {
  return costs[column - start] ?? Number.POSITIVE_INFINITY;
}

function editsOf({ rows }: EditTable): number {
  return rows.at(-1)?.costs.at(-1) ?? 0;
}

/** The edits of a table, word by word. */
interface Alignment {
  /** For each wanted word, the word that it is aligned with, or after which it is inserted; -1 for the beginning. */
  readonly partners: Int32Array;
  readonly isWantedWrong: Uint8Array;
  readonly isGivenWrong: Uint8Array;
}

function readAlignment({ words, rows }: EditTable, wantedCount: number): Alignment {
  const partners = new Int32Array(wantedCount);
  const isWantedWrong = new Uint8Array(wantedCount);
  const isGivenWrong = new Uint8Array(words.length);
  let row = words.length;
  let column = wantedCount;
  while (row > 0 || column > 0) {
    const { start = 0, operations } = rows[row] ?? {};
    const operation = operations?.[column - start] ?? insert;
    const isWrong = operation === keep ? 0 : 1;
    if (operation !== remove) {
      partners[column - 1] = row - 1;
      isWantedWrong[column - 1] = isWrong;
    }
    if (operation !== insert) isGivenWrong[row - 1] = isWrong;
    if (operation !== remove) column--;
    if (operation !== insert) row--;
  }
  return { partners, isWantedWrong, isGivenWrong };
}

interface Shift {
  /** The number of edits that it saves, not counting itself. */
  readonly saved: number;
  readonly length: number;
  readonly start: number;
  readonly target: number;
  readonly words: readonly string[];
}

/** Returns the shift that saves most; of several the longest, then the one nearest to the beginning. */
function findShift(search: Search, table: EditTable): Shift | undefined {
  const { wanted } = search;
  const { partners, isWantedWrong, isGivenWrong } = readAlignment(table, wanted.length);
  const edits = editsOf(table);
  let best: Shift | undefined;
  for (const { start, from, length } of matchingRuns(table.words, wanted)) {
    if (!isGivenWrong.subarray(start, start + length).includes(1)) continue;
    if (!isWantedWrong.subarray(from, from + length).includes(1)) continue;
    const partner = partners[from] ?? 0;
    if (partner >= start && partner < start + length) continue;
    for (const target of targetsOf(partners, from, length)) {
      const words = moveRun(table.words, { start, length, target });
      const shared = Math.min(start, target);
      const saved = edits - editsOf(alignTo(search, words, table, shared));
      const shift = { saved, length, start, target, words };
      if (best === undefined || isBetter(shift, best)) best = shift;
      search.candidates++;
    }
    if (search.candidates >= mostCandidates) break;
  }
  return best;
}

/** Yields the places in front of which a run may be moved: around the partners of the words where it belongs. */
function* targetsOf(partners: Int32Array, from: number, length: number): Generator<number> {
  let before = -1;
  for (let place = from - 1; place < from + length && place < partners.length; place++) {
    const target = place === -1 ? 0 : (partners[place] ?? 0) + 1;
    if (target !== before) yield target;
    before = target;
  }
}

function isBetter(shift: Shift, best: Shift): boolean {
  const gains = [
    shift.saved - best.saved,
    shift.length - best.length,
    best.start - shift.start,
    best.target - shift.target,
  ];
  return (gains.find((gain) => gain !== 0) ?? 0) > 0;
}

/** Yields every run of up to ten words that both lists have, at places not too far from each other. */
function* matchingRuns(given: readonly string[], wanted: readonly string[]) {
  for (let start = 0; start < given.length; start++) {
    const last = Math.min(wanted.length - 1, start + farthestShift);
    for (let from = Math.max(0, start - farthestShift); from <= last; from++) {
      const most = Math.min(longestShift, given.length - start, wanted.length - from);
      for (let length = 1; length <= most; length++) {
        if (given[start + length - 1] !== wanted[from + length - 1]) break;
        yield { start, from, length };
      }
    }
  }
}

function moveRun(
  words: readonly string[],
  { start, length, target }: Pick<Shift, 'start' | 'length' | 'target'>,
): string[] {
  const run = words.slice(start, start + length);
  const rest = words.toSpliced(start, length);
  // Inside the run itself, the place counts from its beginning.
  const place = target < start || target <= start + length ? target : target - length;
  return rest.toSpliced(place, 0, ...run);
}
