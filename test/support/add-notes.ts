import { notesRubricId } from '../../src/core/schema/modes/mode.ts';
import type { ReviewItem, ReviewTask } from '../../src/core/schema/review/review-task.ts';
import { addReviewRecords } from '../../src/stores/reviews/review-records.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildLabel, buildSubject, buildTask } from './build-labels.ts';

const rubric = { id: notesRubricId, version: '6'.repeat(32) };

/** The parts of a task with notes: how many answers of each stratum there are, were read, and have something wrong. */
interface Read {
  readonly id?: string;
  readonly run?: string;
  readonly strata: readonly {
    readonly name: string;
    readonly size: number;
    readonly read: number;
    /** The numbers of answers of two targets, whose answers are then read in turn. */
    readonly targets?: Readonly<Record<string, number>>;
  }[];
  readonly draw?: ReviewTask['draw'];
  /** Different texts make other answers of the same questions. */
  readonly answers?: string;
  readonly people?: readonly string[];
  readonly wrong?: (item: number) => boolean;
}

/** Stores a task with its items and with a note of each person on each. */
export async function addNotes(
  store: Store,
  { id = 'notes-1', run = 'run-1', strata, ...rest }: Read,
): Promise<void> {
  const { draw = { type: 'random' }, answers = 'b', people = ['ann'], wrong = () => true } = rest;
  const placed = strata.flatMap(({ name, size, read }) =>
    Array.from({ length: read }, () => ({
      stratum: name,
      probability: draw.type === 'by-hand' ? null : read / size,
    })),
  );
  const base = buildTask({ items: placed.length });
  const task: ReviewTask = {
    ...base,
    id,
    rubrics: [rubric],
    frame: { ...base.frame, run, count: strata.reduce((sum, { size }) => sum + size, 0) },
    draw,
    strata: strata.map(({ name, size, read, targets }) => ({ name, size, drawn: read, targets })),
  };
  const names = Object.keys(strata[0]?.targets ?? { bot: 1 });
  const items = placed.map(
    (place, position): ReviewItem => ({
      task: id,
      position,
      people: 1,
      ...place,
      subject: buildSubject(position, {
        run,
        answerHash: `${answers}${position}`,
        caseHash: `c-${position}`,
        ordinal: position,
        target: names[position % names.length],
        category: position % 4 === 0 ? 'billing' : 'other',
      }),
    }),
  );
  const labels = items.flatMap(({ position, subject, stratum, probability }) =>
    people.map((person) =>
      buildLabel(`${id}-${position}-${person}`, {
        task: id,
        item: position,
        subject,
        rubric,
        value: wrong(position),
        note: wrong(position) ? `fault ${position}` : undefined,
        person,
        draw: { frame: 'f', stratum, probability, seed: 7 },
      }),
    ),
  );
  await addReviewRecords(store.documents, { tasks: [task], items, labels });
}
