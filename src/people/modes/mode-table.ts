import type { Mode } from '../../core/schema/modes/mode.ts';
import type { ModeOfRun, ModeRow, ModeTable } from '../../core/schema/modes/mode-table.ts';
import type { ReviewTask } from '../../core/schema/review/review-task.ts';
import { differenceOfShares } from '../../core/stats/shares/share-in-run.ts';
import { failuresUntilKnown, unseenShare } from '../../core/stats/shares/unseen-share.ts';
import type { Store } from '../../stores/store.ts';
import { expectedSeconds } from '../reviews/progress.ts';
import { findConcentrations } from './concentrations.ts';
import { agreementOf } from './mode-agreement.ts';
import { countMarks, intervalOfShare, shareBeyond, shareOfMode } from './mode-share.ts';
import { type MarksOfMode, readMarksOf } from './read-marks.ts';
import { openModes, readModes } from './read-modes.ts';
import {
  findNotedRun,
  isFailed,
  listNoteTasks,
  narrowToTarget,
  readTargets,
  type ReadNotes,
  readNotes,
} from './read-notes.ts';
import { readExamples, readPlaces } from './read-places.ts';

/** The part of the notes that a table is of. */
export interface ModeTableChoice {
  /** A run by its id, `latest` or its name; by default the newest one of which notes are taken. */
  readonly run?: string;
  /** The target whose answers alone are meant; by default all of the run. */
  readonly target?: string;
  /** The largest number of answers shown of each mode; 20 by default, the newest notes first. */
  readonly examples?: number;
}

/** The number of runs that the row of a mode looks back on. */
const runsShown = 8;

/**
 * Returns the table of the open failure modes of a run: how often each occurs, in the answers that failed and in all, how sure that is, where it
 * is concentrated, whether readers agree, and what share of failures is of kinds that were not seen yet. Answers that were picked by hand give no shares.
 * @throws TouchstoneError `review-not-found` when no notes are taken of the run, `usage-invalid` for a target of which nothing was drawn.
 */
export async function modeTable(
  store: Store,
  { run, target, examples = 20 }: ModeTableChoice = {},
): Promise<ModeTable> {
  const { documents } = store;
  const tasks = await listNoteTasks(documents);
  const id = await findNotedRun(store, tasks, run);
  const modes = await readModes(documents);
  const open = openModes(modes);
  const all = await readNotes(documents, { id }, tasks);
  const drawn = await readTargets(store, all);
  const notes = target === undefined ? all : await narrowToTarget(store, all, { target, ...drawn });
  const marks = await readMarksOf(documents, modes, open);
  const of = (mode: Mode): MarksOfMode => marks.get(mode.id) ?? new Map();
  // How the answers of the target were drawn before, earlier versions did not record.
  const earlier = target === undefined ? await readEarlier(store, tasks, id) : [];
  const shown = await readExamples(store, notes, { modes: open, of, most: examples });
  const places = await readPlaces(store, notes, open);
  const known = new Map(open.map((mode) => [mode.id, knownValues(of(mode))]));
  return {
    run: id,
    target: target ?? null,
    targets: drawn.known,
    ...headOf(notes, target),
    rows: open.map((mode) => rowOf(mode, of(mode), { notes, earlier, examples: shown.get(mode.id) ?? [] })),
    where: findConcentrations(places, known),
    ...unseenOf(notes, open.map(of)),
    again: againOf(notes, open, of),
  };
}

function headOf({ tasks, others, strata, items, isDrawn }: ReadNotes, target: string | undefined) {
  const ofTarget = isDrawn ? strata.reduce((sum, { size }) => sum + size, 0) : items.length;
  const byStratum = Map.groupBy(items, ({ stratum }) => stratum);
  return {
    tasks: tasks.map(({ id }) => id),
    seeds: tasks.map(({ seed }) => seed),
    otherTasks: others.map(({ id }) => id),
    answers: target === undefined ? (tasks[0]?.frame.count ?? 0) : ofTarget,
    read: items.length,
    strata: strata
      .toSorted((one, other) => Number(isFailed(other.name)) - Number(isFailed(one.name)))
      .map((stratum) => ({ ...stratum, read: byStratum.get(stratum.name)?.length ?? 0 })),
    readers: [...new Set(items.flatMap(({ notes }) => [...notes.keys()]))].toSorted(),
    doubled: items.filter(({ notes }) => notes.size > 1).length,
  } satisfies Partial<ModeTable>;
}

/** Reads what was read of the runs before, the oldest first. */
async function readEarlier(
  { documents }: Store,
  tasks: readonly ReviewTask[],
  run: string,
): Promise<ReadNotes[]> {
  const runs = [...new Set(tasks.map(({ frame }) => frame.run))].filter((id) => id < run).toSorted();
  return await Promise.all(
    runs.slice(1 - runsShown).map(async (id) => await readNotes(documents, { id }, tasks)),
  );
}

function rowOf(
  mode: Mode,
  marks: MarksOfMode,
  {
    notes,
    earlier,
    examples,
  }: {
    readonly notes: ReadNotes;
    readonly earlier: readonly ReadNotes[];
    readonly examples: ModeRow['examples'];
  },
): ModeRow {
  const { id, name, definition, includes, excludes, version } = mode;
  const ofAll = shareOfMode(notes, marks, 'all');
  const before = earlier
    .map((each): ModeOfRun => ({ run: each.run, share: shareOfMode(each, marks, 'all') }))
    .filter(({ share }) => share.estimate !== null);
  return {
    id,
    name,
    definition,
    includes,
    excludes,
    version,
    ...countMarks(notes.items, marks),
    ofFailed: notes.isByOutcome ? shareOfMode(notes, marks, 'failed') : null,
    ofAll,
    beyond: shareBeyond(notes, marks),
    agreement: agreementOf(notes.items.flatMap(({ answer }) => marks.get(answer)?.people ?? [])),
    runs: [...before, { run: notes.run, share: ofAll }],
    change: changeOf(before.at(-1), ofAll),
    examples,
  };
}

function changeOf(before: ModeOfRun | undefined, share: ModeOfRun['share']): ModeRow['change'] {
  if (before === undefined) return null;
  const { lower, upper } = differenceOfShares({
    a: intervalOfShare(share),
    b: intervalOfShare(before.share),
  });
  if (lower !== null && lower > 0) return 'worse';
  return upper !== null && upper < 0 ? 'better' : null;
}

function knownValues(marks: MarksOfMode): Map<string, boolean> {
  const known = [...marks].filter(([, { value }]) => value !== 'disputed');
  return new Map(known.map(([answer, { value }]) => [answer, value === 'yes']));
}

/**
 * Counts failures by what went wrong first. Failures are the answers of the failed part of a draw by outcome, or of a plain draw, of which readers say
 * that something is wrong; one without a mode counts as a kind that was seen once.
 */
function unseenOf(
  { items, isDrawn, isByOutcome }: ReadNotes,
  marks: readonly MarksOfMode[],
): Pick<ModeTable, 'unseen' | 'unnamed'> {
  const firsts = new Map<MarksOfMode, number>();
  let [failures, unnamed, unnamedFailures] = [0, 0, 0];
  for (const { answer, stratum, isWrong } of items) {
    if (isWrong !== true) continue;
    const isCounted = !isByOutcome || isFailed(stratum);
    const has = marks.filter((each) => each.get(answer)?.value === 'yes');
    const first = has.find((each) => each.get(answer)?.isFirst === true) ?? has[0];
    unnamed += Number(first === undefined);
    failures += Number(isCounted);
    if (!isCounted) continue;
    if (first === undefined) unnamedFailures += 1;
    else firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  if (!isDrawn || failures === 0) return { unseen: null, unnamed };
  const counts = [...firsts.values()];
  const once = counts.filter((count) => count === 1).length + unnamedFailures;
  const twice = counts.filter((count) => count === 2).length;
  const kinds = { failures, once, twice };
  const { estimate, upper } = unseenShare(kinds);
  return { unseen: { ...kinds, estimate, upper, more: failuresUntilKnown(kinds) }, unnamed };
}

function againOf(
  { items }: ReadNotes,
  modes: readonly Mode[],
  of: (mode: Mode) => MarksOfMode,
): ModeTable['again'] {
  const open = modes.filter((mode) => items.some(({ answer }) => !of(mode).has(answer)));
  const answers = items.filter(({ answer }) => open.some((mode) => !of(mode).has(answer))).length;
  return { answers, modes: open.map(({ id }) => id), minutes: Math.ceil((answers * expectedSeconds) / 60) };
}
