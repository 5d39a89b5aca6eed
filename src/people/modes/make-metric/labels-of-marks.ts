import { randomId } from '../../../core/lib/random-id.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { notesRubricId } from '../../../core/schema/modes/mode.ts';
import { type Label, labelsInForce } from '../../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';
import { addReviewRecords } from '../../../stores/reviews/review-records.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';

/** An item of a review task, with what each person says of the mode: true where the answer has it. */
export interface MarkedItem {
  readonly item: ReviewItem;
  readonly people: ReadonlyMap<string, boolean>;
}

/** The marks of a mode on the answers of a review task, and the rubric whose question is the mode's definition. */
export interface MarksOfTask {
  readonly task: ReviewTask;
  readonly marked: readonly MarkedItem[];
  readonly rubric: Rubric;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Stores marks as labels of a rubric that asks about the mode: in a closed review task of their own, with the draw of the task in
 * which the answers were read. A person who marked an answer has answered that question, in those words, and had seen what was
 * shown when they read it. Marks that were changed since replace their labels. Returns the number of labels that are new.
 */
export async function storeLabelsOfMarks(
  documents: DocumentStore,
  { task, marked, rubric, now }: MarksOfTask,
): Promise<number> {
  const id = `${rubric.id.slice(0, 40)}-marks-${hashText(`${task.id} ${rubric.version}`).slice(0, 8)}`;
  const stored = labelsInForce(await Array.fromAsync(documents.list(labelKind, { where: { task: id } })));
  const where = { task: task.id, rubric: notesRubricId };
  const notes = labelsInForce(await Array.fromAsync(documents.list(labelKind, { where })));
  const labels = marked.flatMap(({ item, people }) =>
    [...people].flatMap(([person, present]): Label[] => {
      const own = stored.find((label) => label.item === item.position && label.by.person === person);
      if (own?.outcome.status === 'answered' && own.outcome.value === !present) return [];
      const note = notes.find((each) => each.item === item.position && each.by.person === person);
      const blind = note?.blind ?? unknownBlindness;
      const label = toLabel({ item, person, present, blind }, { task, id, rubric, now });
      return [own === undefined ? label : { ...label, replaces: own.id }];
    }),
  );
  const isKnown = (await documents.get(reviewTaskKind, [id])) !== undefined;
  await addReviewRecords(documents, {
    rubrics: [rubric],
    ...(!isKnown && {
      tasks: [closedTask(task, { id, rubric, now })],
      items: marked.map(({ item }) => ({ ...item, task: id })),
    }),
    labels,
  });
  return labels.length;
}

const unknownBlindness = {
  verdict: 'unknown',
  score: 'unknown',
  others: 'unknown',
  target: 'unknown',
} as const;

type Place = { readonly id: string } & Pick<MarksOfTask, 'rubric' | 'now'>;

function closedTask(task: ReviewTask, { id, rubric, now }: Place): ReviewTask {
  return {
    ...task,
    id,
    createdAt: now,
    rubrics: [{ id: rubric.id, version: rubric.version }],
    people: [],
    adjudicators: [],
    repeats: { ...task.repeats, share: 0 },
    controls: { share: 0 },
    status: 'closed',
  };
}

function toLabel(
  {
    item,
    person,
    present,
    blind,
  }: Pick<Label, 'blind'> & {
    readonly item: ReviewItem;
    readonly person: string;
    readonly present: boolean;
  },
  { task, id, rubric, now }: Place & Pick<MarksOfTask, 'task'>,
): Label {
  return {
    id: randomId(),
    subject: item.subject,
    rubric: { id: rubric.id, version: rubric.version },
    kind: 'label',
    purpose: 'new',
    outcome: { status: 'answered', value: !present },
    by: { person, role: 'reviewer' },
    at: now,
    seconds: null,
    blind,
    task: id,
    item: item.position,
    draw: {
      frame: task.frame.hash,
      stratum: item.stratum,
      probability: item.probability,
      seed: task.seed,
    },
  };
}
