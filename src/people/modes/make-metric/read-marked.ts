import { notesRubricId } from '../../../core/schema/modes/mode.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import type { Label } from '../../../core/schema/review/label.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';
import { readItems } from '../../../stores/reviews/review-records.ts';
import type { Store } from '../../../stores/store.ts';
import { halfOf } from '../../reviews/calibrate/tuned-judge.ts';
import { readAnswer } from '../../reviews/cards.ts';
import { answerId, readMarksOf } from '../read-marks.ts';
import type { Modes } from '../read-modes.ts';
import { readNotes } from '../suggest/read-notes.ts';
import type { MarkedItem } from './labels-of-marks.ts';
import type { MarkedResult } from './marked-result.ts';

/** The items of a review task for notes, with the marks of a mode; items without a mark have no people. */
export interface MarkedTask {
  readonly task: ReviewTask;
  readonly items: readonly MarkedItem[];
}

/** The marks of a mode by review task, and the answers whose marks agree. */
export interface MarkedMode {
  /** The newest first. */
  readonly tasks: readonly MarkedTask[];
  readonly answers: readonly MarkedResult[];
}

/** Reads the answers that people have marked for a mode. Answers that are no longer in the store are omitted. */
export async function readMarked(store: Store, modes: Modes, mode: Mode): Promise<MarkedMode> {
  const { documents } = store;
  const marks = (await readMarksOf(documents, modes, [mode])).get(mode.id) ?? new Map<string, never>();
  const notes = Map.groupBy(await readNotes(documents), ({ subject }) => answerId(subject));
  const tasks: MarkedTask[] = [];
  const answers = new Map<string, MarkedResult>();
  for await (const task of documents.list(reviewTaskKind)) {
    if (!task.rubrics.some(({ id }) => id === notesRubricId)) continue;
    const items = (await readItems(documents, task.id)).map((item): MarkedItem => {
      const people = marks.get(answerId(item.subject))?.people ?? new Map<string, boolean>();
      return { item, people };
    });
    tasks.push({ task, items });
    for (const { item } of items) {
      const id = answerId(item.subject);
      const value = marks.get(id)?.value;
      if (value === undefined || value === 'disputed' || answers.has(id)) continue;
      const result = await readAnswer(store, item.subject);
      if (result === undefined) continue;
      const { case: testCase, trial } = result;
      const half = halfOf(item.subject);
      const said = saidIn(notes.get(id) ?? []);
      answers.set(id, {
        subject: item.subject,
        case: testCase,
        trial,
        present: value === 'yes',
        half,
        ...said,
      });
    }
  }
  return { tasks, answers: [...answers.values()] };
}

function saidIn(labels: readonly Label[]): Pick<MarkedResult, 'note' | 'marked'> {
  const [note] = labels.flatMap((label) => label.note ?? []);
  const marked = labels.flatMap(({ spans = [] }) => spans.map(({ text }) => text));
  return note === undefined ? { marked } : { note, marked };
}
