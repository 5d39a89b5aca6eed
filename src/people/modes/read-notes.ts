import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type LabelOutcome, labelsInForce } from '../../core/schema/review/label.ts';
import { notesRubricId } from '../../core/schema/modes/mode.ts';
import type { ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Run } from '../../core/schema/run.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { DocumentStore } from '../../stores/documents/document-store.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { reviewItemKind, reviewTaskKind } from '../../stores/kinds/review-task.ts';
import type { Store } from '../../stores/store.ts';
import { answerId } from './read-marks.ts';

/** An answer that people have read. */
export interface ReadItem {
  /** By which its marks are found. */
  readonly answer: string;
  readonly stratum: string;
  readonly ordinal: number | null;
  /** The ids of the notes by the people who read it. */
  readonly notes: ReadonlyMap<string, string>;
  /** True when the readers say that something is wrong; null where they differ. */
  readonly isWrong: boolean | null;
}

/** The answers read of a run, by one draw or by several from the same answers. */
export interface ReadNotes {
  readonly run: string;
  readonly tasks: readonly ReviewTask[];
  /** The review tasks of the run with other draws, whose answers are not among these. */
  readonly others: readonly ReviewTask[];
  /** The parts of the answers of which some were drawn; empty where they were picked by hand. */
  readonly strata: readonly { readonly name: string; readonly size: number }[];
  readonly items: readonly ReadItem[];
  /** False where the answers were picked by hand, or drawn with chances of their own. */
  readonly isDrawn: boolean;
  /** True where answers were drawn from those that failed and from those that passed. */
  readonly isByOutcome: boolean;
}

/** Lists the review tasks in which notes are taken, the newest first. */
export async function listNoteTasks(documents: Pick<DocumentStore, 'list'>): Promise<ReviewTask[]> {
  const tasks = await Array.fromAsync(documents.list(reviewTaskKind));
  return tasks.filter(({ rubrics }) => rubrics.some(({ id }) => id === notesRubricId));
}

/**
 * Finds the run that a user names among the runs of which notes are taken; by default the newest one.
 * @throws TouchstoneError `review-not-found` when no notes are taken of any run, or of this one.
 */
export async function findNotedRun(
  store: Store,
  tasks: readonly ReviewTask[],
  given?: string,
): Promise<string> {
  const [latest] = tasks;
  const run = given === undefined ? undefined : await findRun(store, given).catch(() => undefined);
  const id = given === undefined ? latest?.frame.run : (run?.id ?? given);
  if (id !== undefined && tasks.some(({ frame }) => frame.run === id)) return id;
  // An unknown name is said to be so.
  if (given !== undefined) await findRun(store, given);
  const of = id === undefined ? 'any run' : `run ${id}`;
  throw new TouchstoneError('review-not-found', `No notes are taken of ${of}.`, {
    remedy: `Draw conversations to read: \`touchstone review create --notes${id === undefined ? '' : ` --run ${id}`}\`.`,
  });
}

/**
 * Reads what people have read of a run: all draws from the same answers in the same parts together, since two random draws without
 * replacement are one. It reads no labels.
 */
export async function readNotes(
  documents: DocumentStore,
  run: Pick<Run, 'id'>,
  tasks: readonly ReviewTask[],
): Promise<ReadNotes> {
  const own = tasks.filter(({ frame }) => frame.run === run.id);
  const drawn = own.find(isRandom);
  const same = own.filter((task) => (drawn === undefined ? true : frameOf(task) === frameOf(drawn)));
  const items = new Map<string, ReadItem>();
  for (const task of same)
    for (const item of await readItemsOf(documents, task)) items.set(keyOf(item), item);
  const strata = (drawn?.strata ?? []).map(({ name, size }) => ({ name, size }));
  return {
    run: run.id,
    tasks: same,
    others: own.filter((task) => !same.includes(task)),
    strata,
    items: [...items.values()],
    isDrawn: drawn !== undefined,
    isByOutcome: strata.some(({ name }) => isFailed(name)),
  };
}

/**
 * Narrows what was read of a run to the answers of one target. Within a part of the draw, its answers were as likely to be drawn as any
 * others, so that they are a random draw from all its answers there, whose number the draw has recorded.
 * @throws TouchstoneError `usage-invalid` for a target of which nothing was drawn, and `review-invalid` for a draw of an earlier version,
 * which has recorded no numbers by target.
 */
export async function narrowToTarget(
  store: Store,
  notes: ReadNotes,
  { target, targets, known }: DrawnTargets & { readonly target: string },
): Promise<ReadNotes> {
  if (!known.includes(target))
    throw new TouchstoneError(
      'usage-invalid',
      `No answer of "${target}" was drawn to be read.${didYouMean(target, known)}`,
      {
        remedy: `Choose from ${known.join(', ')}, or draw some: \`touchstone review create --notes --filter target=${target}\`.`,
      },
    );
  const isSole = (await store.readRun(notes.run))?.targets.length === 1;
  const drawn = notes.tasks.find(isRandom);
  const strata = (drawn?.strata ?? []).flatMap(({ name, size, targets: sizes }) => {
    if (sizes === undefined && !isSole) throw withoutSizes(notes.run, target);
    const own = sizes === undefined ? size : (sizes[target] ?? 0);
    return own === 0 ? [] : [{ name, size: own }];
  });
  const items = notes.items.filter(({ ordinal, answer }) => targets.get(ordinal ?? answer) === target);
  return { ...notes, strata, items };
}

function withoutSizes(run: string, target: string): TouchstoneError {
  return new TouchstoneError(
    'review-invalid',
    `The draw of run ${run} does not say how many answers each target gave: an earlier version made it.`,
    {
      remedy: `Draw from this target alone: \`touchstone review create --notes --run ${run} --filter target=${target}\`.`,
    },
  );
}

/** The targets of the answers drawn. */
interface DrawnTargets {
  /** By the places of answers in the plan, or by answer where that is not known. */
  readonly targets: ReadonlyMap<string | number, string>;
  /** The names of all of them. */
  readonly known: readonly string[];
}

/** Reads the targets of the answers drawn. */
export async function readTargets(
  { documents }: Pick<Store, 'documents'>,
  { tasks }: ReadNotes,
): Promise<DrawnTargets> {
  const targets = new Map<string | number, string>();
  for (const { id } of tasks)
    for await (const { subject } of documents.list(reviewItemKind, { where: { task: id } }))
      targets.set(subject.ordinal ?? answerId(subject), subject.target);
  return { targets, known: [...new Set(targets.values())].toSorted() };
}

/** Returns whether a part of a draw by outcome consists of answers that failed. */
export function isFailed(stratum: string): boolean {
  return stratum === 'failed' || stratum.startsWith('failed · ');
}

function isRandom({ draw: { type } }: ReviewTask): boolean {
  return type !== 'by-hand' && type !== 'uncertainty';
}

function frameOf(task: ReviewTask): string {
  const byName = task.strata.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const strata = isRandom(task) ? byName.map(({ name, size }) => [name, size]) : null;
  return JSON.stringify([task.frame.hash, strata]);
}

function keyOf({ ordinal, answer }: ReadItem): string {
  return ordinal === null ? answer : String(ordinal);
}

/** The part of a note that its columns say. */
interface NoteHead {
  readonly id: string;
  readonly item: number | null;
  readonly person: string;
  readonly outcome: LabelOutcome;
  readonly isWrong: boolean;
  readonly replaces: string | undefined;
}

/** Returns the outcome of a note as far as it decides which notes hold: one that is skipped is no answer. */
function outcomeOf(status: string): LabelOutcome {
  if (status === 'answered') return { status, value: true };
  return status === 'withdrawn' ? { status } : { status: 'not-applicable' };
}

/** Reads the answers of a task that people have read. */
async function readItemsOf(documents: DocumentStore, { id }: ReviewTask): Promise<ReadItem[]> {
  const where = { task: id };
  const items = await documents.heads(
    reviewItemKind,
    ['position', 'stratum', 'ordinal', 'case_hash', 'answer_hash'],
    { where },
  );
  const columns = ['id', 'item', 'person', 'status', 'value', 'replaces'] as const;
  const heads = await documents.heads(labelKind, columns, { where: { ...where, rubric: notesRubricId } });
  const labels = heads.map(
    ({ id: label, item, person, status, value, replaces }): NoteHead => ({
      id: label,
      item,
      person,
      outcome: outcomeOf(status),
      // The column is the value as JSON.
      isWrong: value === 'true',
      replaces: replaces ?? undefined,
    }),
  );
  const byItem = Map.groupBy(labels, ({ item }) => item);
  return items.flatMap(({ position, stratum, ordinal, case_hash: caseHash, answer_hash: answerHash }) => {
    const own = labelsInForce(byItem.get(position) ?? []).filter(
      ({ outcome }) => outcome.status === 'answered',
    );
    const [first] = own;
    if (first === undefined) return [];
    const isOne = own.every(({ isWrong }) => isWrong === first.isWrong);
    const notes = new Map(own.map(({ person, id: note }) => [person, note]));
    const answer = answerId({ caseHash, answerHash });
    return [{ answer, stratum, ordinal, notes, isWrong: isOne ? first.isWrong : null }];
  });
}
