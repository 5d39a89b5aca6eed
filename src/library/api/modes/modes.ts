import type { Mark } from '../../../core/schema/modes/mark.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import type { ModeComparison, ModeTable } from '../../../core/schema/modes/mode-table.ts';
import { compareModes as compare } from '../../../people/modes/compare-modes.ts';
import { editMode as edit, type ModeEdit } from '../../../people/modes/edit-mode.ts';
import { type GivenMarks, markModes as mark } from '../../../people/modes/mark-modes.ts';
import { modeTable as table, type ModeTableChoice } from '../../../people/modes/mode-table.ts';
import { type StoreChoice, withStore } from '../open-store.ts';

/** The store, and the person who writes. */
export interface ModeWriterOptions extends StoreChoice {
  /** The name of the person, which stays beside what is written. */
  readonly person: string;
}

/**
 * Adds, renames, redefines, merges, splits or retires a failure mode, or takes the last change of one back, as `touchstone modes add` and the
 * commands beside it do. Earlier records stay.
 * @returns The modes that have changed.
 * @throws TouchstoneError `mode-conflict` for a name in use and a mode that is not there or not open.
 */
export async function editMode(change: ModeEdit, { person, ...choice }: ModeWriterOptions): Promise<Mode[]> {
  return await withStore(choice, async ({ documents }) => await edit(documents, change, { by: { person } }));
}

/**
 * Stores what a person says of the failure modes of an answer, as `touchstone modes mark` does. What is not named stays as it is, and is not measured.
 * @returns The new marks.
 * @throws TouchstoneError for a mode that is not open, and for an answer that is not there.
 */
export async function markModes(
  given: GivenMarks,
  { person, ...choice }: ModeWriterOptions,
): Promise<Mark[]> {
  return await withStore(choice, async (store) => await mark(store, given, { by: { person } }));
}

/**
 * Reads the failure modes of a run with their shares and intervals, as `touchstone modes` does. Answers that were picked by hand give no shares.
 * @throws TouchstoneError `review-not-found` when no notes are taken of the run, `usage-invalid` for a target of which nothing was drawn.
 */
export async function modeTable({
  run,
  target,
  examples,
  ...choice
}: ModeTableChoice & StoreChoice = {}): Promise<ModeTable> {
  return await withStore(choice, async (store) => await table(store, { run, target, examples }));
}

/**
 * Compares the failure modes of two runs, as `touchstone modes compare` does: by pairs where the same questions were read.
 * @throws TouchstoneError `review-not-found` for a run of which no notes are taken.
 */
export async function compareModes(a: string, b: string, choice: StoreChoice = {}): Promise<ModeComparison> {
  return await withStore(choice, async (store) => await compare(store, { a, b }));
}
