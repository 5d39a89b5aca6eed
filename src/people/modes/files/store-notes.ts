import { type Place, TouchstoneError } from '../../../core/errors.ts';
import { notesRubricId } from '../../../core/schema/modes/mode.ts';
import type { Label, Subject } from '../../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import { addReviewRecords, readItems } from '../../../stores/reviews/review-records.ts';
import type { Store } from '../../../stores/store.ts';
import { notesRubric } from '../../reviews/notes-rubric.ts';
import { findSubject } from '../mark-modes.ts';
import { answerId } from '../read-marks.ts';
import { listNoteTasks } from '../read-notes.ts';
import { invalidRow, recordIdOf } from './row-errors.ts';

/** A row of a table of what was read: an answer, its draw, and the note of a reader where there is one. */
export interface NoteRow {
  readonly place: Place;
  readonly case: string;
  readonly target: string | undefined;
  readonly attempt: number;
  readonly run: string | undefined;
  readonly stratum: string;
  /** Null for an answer that was picked by hand. */
  readonly probability: number | null;
  readonly reviewer: string | undefined;
  readonly at: Date;
  readonly isWrong: boolean;
  readonly note: string;
}

/** The notes of rows by their places: undefined for one that was not read. */
export interface StoredNotes {
  readonly notes: readonly (string | undefined)[];
  readonly added: number;
  readonly byHand: number;
}

/** A row with its answer and, where a review task of the store has it, its item there. */
interface FoundRow {
  readonly row: NoteRow;
  readonly subject: Subject;
  readonly item: ReviewItem | undefined;
}

/** Stores the notes of rows that are not there yet: in the review tasks that drew the answers, and the others in new ones. With `blindSaidBy`, the person states that readers saw no verdict, no score and no note of others. */
export async function storeNotes(
  store: Store,
  rows: readonly NoteRow[],
  blindSaidBy?: string,
): Promise<StoredNotes> {
  const items = await readNotedItems(store);
  const runs = await findRuns(store, rows);
  const found: FoundRow[] = [];
  for (const row of rows) {
    const { id: run, target } = runs.get(row.run) ?? {};
    const named = { ...row, run, target: row.target ?? target };
    const item = items.get(keyOf(named));
    found.push({ row, item, subject: item?.subject ?? (await findAnswer(store, named)) });
  }
  const tasks = makeTasks(found.filter(({ item }) => item === undefined));
  const placed = new Map(tasks.flatMap(({ items: own }) => own.map((item) => [answerKey(item), item])));
  const known = await readKnown(store, found);
  const fresh: Label[] = [];
  const notes = found.map(({ row, subject, item }) => {
    if (row.reviewer === undefined) return undefined;
    const own =
      item ?? placed.get(answerKey({ subject, probability: row.probability, stratum: row.stratum }));
    const before = own && known.get(`${own.task} ${own.position} ${row.reviewer}`);
    if (before !== undefined || own === undefined) return before;
    const made = tasks.find(({ task }) => task.id === own.task)?.task;
    const label = makeNote(row, own, { made, blindSaidBy });
    fresh.push(label);
    return label.id;
  });
  const labels = [...new Map(fresh.map((label) => [label.id, label])).values()];
  await addReviewRecords(store.documents, {
    rubrics: [makeRubric(notesRubric)],
    tasks: tasks.map(({ task }) => task),
    items: tasks.flatMap((each) => each.items),
    labels,
  });
  const byHand = new Set(
    found.filter(({ row }) => row.probability === null).map(({ subject }) => answerId(subject)),
  );
  return { notes, added: labels.length, byHand: byHand.size };
}

/** The run of a row, with the target of rows that name none. */
interface NamedRun {
  readonly id: string | undefined;
  readonly target?: string;
}

/** Finds the runs that rows name; the latest where they name none. A run that is no longer stored is known by its id. */
async function findRuns(store: Store, rows: readonly NoteRow[]): Promise<Map<string | undefined, NamedRun>> {
  const runs = new Map<string | undefined, NamedRun>();
  for (const name of new Set(rows.map(({ run }) => run))) {
    const run = await findRun(store, name).catch(() => undefined);
    runs.set(name, { id: run?.id ?? name, target: run?.targets[0]?.name });
  }
  return runs;
}

/** Finds the answer of a row. Throws `import-invalid` with its line for an answer that is not there. */
async function findAnswer(store: Store, row: NoteRow): Promise<Subject> {
  try {
    return await findSubject(store, row);
  } catch (error) {
    throw error instanceof TouchstoneError ? invalidRow(row.place, error.message.replace(/\.$/, '')) : error;
  }
}

const keyOf = ({ run, case: id, target, attempt }: Pick<NoteRow, 'run' | 'case' | 'target' | 'attempt'>) =>
  JSON.stringify([run, id, target, attempt]);

/** Reads the items of all review tasks in which notes are taken, by run, question, target and attempt; of several, the item of the newest draw. */
async function readNotedItems({ documents }: Store): Promise<Map<string, ReviewItem>> {
  const items = new Map<string, ReviewItem>();
  for (const task of (await listNoteTasks(documents)).toReversed())
    for (const item of await readItems(documents, task.id)) {
      const { run, caseId, target, attempt } = item.subject;
      items.set(keyOf({ run, case: caseId, target, attempt }), item);
    }
  return items;
}

const answerKey = ({
  subject,
  probability,
  stratum,
}: Pick<ReviewItem, 'subject' | 'probability' | 'stratum'>) =>
  JSON.stringify([subject.run, subject.trialKey, answerId(subject), probability === null ? null : stratum]);

/** Makes review tasks of answers that none has: one for each run and kind of draw. The sizes of the parts follow from the probabilities. */
function makeTasks(found: readonly FoundRow[]): { task: ReviewTask; items: ReviewItem[] }[] {
  const groups = Map.groupBy(found, ({ subject, row }) =>
    JSON.stringify([subject.run, row.probability === null]),
  );
  const rubric = makeRubric(notesRubric);
  return Array.from(groups.values(), (own) => {
    const [first] = own as [FoundRow];
    const isByHand = first.row.probability === null;
    const answers = [
      ...new Map(own.map((each) => [answerKey({ subject: each.subject, ...each.row }), each])).values(),
    ];
    const id = `import-${recordIdOf(...answers.map(({ subject }) => answerId(subject))).slice(0, 16)}`;
    const items = answers.map(({ subject, row }, position): ReviewItem => {
      const { stratum, probability } = row;
      return { task: id, position, subject, stratum: isByHand ? 'by hand' : stratum, probability, people: 1 };
    });
    const strata = Array.from(
      Map.groupBy(items, ({ stratum }) => stratum),
      ([name, parts]) => {
        const size = parts.reduce((sum, { probability }) => sum + 1 / (probability ?? 1), 0);
        return { name, size: Math.round(size), drawn: parts.length };
      },
    );
    const times = own.map(({ row }) => row.at.toISOString()).toSorted();
    const isByOutcome = strata.some(({ name }) => /^(?:passed|failed)(?: · |$)/.test(name));
    const task: ReviewTask = {
      id,
      createdAt: times[0] as string,
      rubrics: [{ id: rubric.id, version: rubric.version }],
      frame: {
        run: first.subject.run as string,
        filter: [],
        count: strata.reduce((sum, { size }) => sum + size, 0),
        hash: recordIdOf(id),
        excluded: [],
      },
      draw: isByHand ? { type: 'by-hand' } : isByOutcome ? { type: 'outcome' } : { type: 'random' },
      strata,
      items: items.length,
      seed: 0,
      overlap: { people: 1, share: 0 },
      people: [],
      adjudicators: [],
      repeats: { share: 0, afterMs: 0 },
      controls: { share: 0 },
      status: 'open',
    };
    return { task, items };
  });
}

/** Reads the ids of notes that are there, by review task, item and person. */
async function readKnown({ documents }: Store, found: readonly FoundRow[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const task of new Set(found.flatMap(({ item }) => item?.task ?? []))) {
    const where = { task, rubric: notesRubricId };
    for (const { id, item, person } of await documents.heads(labelKind, ['id', 'item', 'person'], { where }))
      known.set(`${task} ${item} ${person}`, id);
  }
  return known;
}

function makeNote(
  row: NoteRow,
  { task, position, subject, stratum, probability }: ReviewItem,
  { made, blindSaidBy }: { readonly made?: ReviewTask; readonly blindSaidBy?: string },
): Label {
  const { id, version } = makeRubric(notesRubric);
  const person = row.reviewer as string;
  const seen = blindSaidBy === undefined ? 'unknown' : 'hidden';
  return {
    id: recordIdOf(task, position, person),
    subject,
    rubric: { id, version },
    kind: 'label',
    purpose: 'new',
    outcome: { status: 'answered', value: row.isWrong },
    note: row.note === '' ? undefined : row.note,
    by: { person, role: 'reviewer' },
    at: row.at.toISOString(),
    seconds: null,
    blind: { verdict: seen, score: seen, others: seen, target: 'unknown' },
    task,
    item: position,
    draw: { frame: made?.frame.hash ?? task, stratum, probability, seed: made?.seed ?? 0 },
    origin: blindSaidBy === undefined ? undefined : { tool: 'csv', id: row.place.file, blindSaidBy },
  };
}
