import type { ModeComparison, ModeDifference } from '../../core/schema/modes/mode-table.ts';
import { holm } from '../../core/stats/adjust-p-values.ts';
import { mcnemar } from '../../core/stats/paired/mcnemar.ts';
import { tangoInterval } from '../../core/stats/paired/tango-interval.ts';
import { differenceOfShares } from '../../core/stats/shares/share-in-run.ts';
import type { Store } from '../../stores/store.ts';
import { intervalOfShare, shareOfMode } from './mode-share.ts';
import { type MarksOfMode, readMarksOf } from './read-marks.ts';
import { openModes, readModes } from './read-modes.ts';
import { findNotedRun, listNoteTasks, type ReadItem, type ReadNotes, readNotes } from './read-notes.ts';

/** The share of the questions read in one run that must be read in the other for the two to be paired. */
const sameEnough = 0.8;

/** A question read in both runs, once in each. */
type Pair = readonly [a: ReadItem, b: ReadItem];

/**
 * Compares the failure modes of two runs: by pairs where the same questions were read in both, by their shares otherwise.
 * @throws TouchstoneError `review-not-found` for a run of which no notes are taken.
 */
export async function compareModes(
  store: Store,
  { a, b }: { readonly a: string; readonly b: string },
): Promise<ModeComparison> {
  const { documents } = store;
  const tasks = await listNoteTasks(documents);
  const runs = [await findNotedRun(store, tasks, a), await findNotedRun(store, tasks, b)] as const;
  const [before, after] = await Promise.all([
    readNotes(documents, { id: runs[0] }, tasks),
    readNotes(documents, { id: runs[1] }, tasks),
  ]);
  const modes = await readModes(documents);
  const open = openModes(modes);
  const marks = await readMarksOf(documents, modes, open);
  const pairs = pairItems(before, after);
  const rows = open.map(({ id, name }) => {
    const own = marks.get(id) ?? new Map();
    const difference = pairs === undefined ? byShares(before, after, own) : byPairs(pairs, own);
    return {
      mode: id,
      name,
      a: shareOfMode(before, own, 'all'),
      b: shareOfMode(after, own, 'all'),
      ...difference,
    };
  });
  return { a: runs[0], b: runs[1], method: pairs === undefined ? 'shares' : 'pairs', rows: adjust(rows) };
}

/** Pairs the questions that were read once in each run; undefined where many were read in one of them alone. */
function pairItems(a: ReadNotes, b: ReadNotes): Pair[] | undefined {
  const [one, other] = [onceByCase(a), onceByCase(b)];
  const pairs = [...one].flatMap(([key, item]): Pair[] => {
    const partner = other.get(key);
    return partner === undefined ? [] : [[item, partner]];
  });
  const least = Math.max(one.size, other.size) * sameEnough;
  return pairs.length > 0 && pairs.length >= least ? pairs : undefined;
}

function onceByCase({ items }: ReadNotes): Map<string, ReadItem> {
  const byCase = Map.groupBy(items, ({ answer }) => answer.slice(0, answer.indexOf(' ')));
  return new Map([...byCase].flatMap(([key, own]) => (own.length === 1 ? [[key, own[0] as ReadItem]] : [])));
}

type Difference = Pick<ModeDifference, 'estimate' | 'lower' | 'upper' | 'pairs' | 'pValue'>;

function byPairs(pairs: readonly Pair[], marks: MarksOfMode): Difference {
  const table = { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  for (const [a, b] of pairs) {
    const [inA, inB] = [marks.get(a.answer)?.value, marks.get(b.answer)?.value];
    if (inA === undefined || inB === undefined || inA === 'disputed' || inB === 'disputed') continue;
    if (inA === 'yes') table[inB === 'yes' ? 'both' : 'aOnly'] += 1;
    else table[inB === 'yes' ? 'bOnly' : 'neither'] += 1;
  }
  const { aOnly, bOnly } = table;
  const { estimate, lower, upper, n } = tangoInterval({ ...table, aOnly: bOnly, bOnly: aOnly });
  return {
    estimate,
    lower,
    upper,
    pairs: { n, aOnly, bOnly },
    pValue: n === 0 ? null : mcnemar(table).pValue,
  };
}

function byShares(before: ReadNotes, after: ReadNotes, marks: MarksOfMode): Difference {
  const at = (confidence?: number) =>
    differenceOfShares({
      a: intervalOfShare(shareOfMode(after, marks, 'all', confidence)),
      b: intervalOfShare(shareOfMode(before, marks, 'all', confidence)),
    });
  const { estimate, lower, upper } = at();
  const pValue = estimate === null ? null : leastLevel((confidence) => at(confidence));
  return { estimate, lower, upper, pairs: null, pValue };
}

/** Returns 1 less the largest confidence at which an interval leaves 0 out, by bisection. */
function leastLevel(at: (confidence: number) => { lower: number | null; upper: number | null }): number {
  const isShown = (confidence: number) => {
    const { lower, upper } = at(confidence);
    return (lower ?? 0) > 0 || (upper ?? 0) < 0;
  };
  let [low, high] = [1e-9, 1 - 1e-9];
  if (!isShown(low)) return 1;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (isShown(middle)) low = middle;
    else high = middle;
  }
  return 1 - low;
}

/** The level below which an adjusted p-value shows a change. */
const shownBelow = 0.05;

function adjust(rows: readonly Omit<ModeDifference, 'adjusted' | 'change'>[]): ModeDifference[] {
  const known = rows.filter(({ pValue }) => pValue !== null);
  const { adjusted } = holm({ pValues: known.map(({ pValue }) => pValue ?? 1) });
  return rows.map((row) => {
    const own = row.pValue === null ? null : (adjusted[known.indexOf(row)] ?? null);
    const isShown = own !== null && own < shownBelow;
    const change = !isShown ? null : (row.estimate ?? 0) > 0 ? 'worse' : 'better';
    return { ...row, adjusted: own, change };
  });
}
