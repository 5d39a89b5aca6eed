import { z } from 'zod';
import type { Label } from '../../../core/schema/review/label.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import type { LabelsRow } from './labels-file.ts';
import {
  byPerson,
  type ForeignLabel,
  type LabelledItem,
  type LabelledTask,
  toText,
  readForeignRows,
} from './other-tools.ts';

/** The data of a task, by which an import finds the item. */
const dataSchema = z.looseObject({
  touchstone_item: z.int().nonnegative().optional(),
  case_id: z.union([z.string(), z.number()]).optional(),
  target: z.string().optional(),
});

const person = z.union([
  z.string(),
  z.number(),
  z.looseObject({ email: z.string().optional(), username: z.string().optional(), id: z.number().optional() }),
]);

const annotationSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  completed_by: person.nullish(),
  was_cancelled: z.boolean().nullish(),
  lead_time: z.number().nonnegative().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  result: z.array(
    z.looseObject({
      from_name: z.string().optional(),
      value: z.looseObject({
        choices: z.array(z.string()).optional(),
        rating: z.number().optional(),
        text: z.union([z.string(), z.array(z.string())]).optional(),
      }),
    }),
  ),
});

/**
 * A task of Label Studio in its JSON format (https://labelstud.io/guide/task_format): choices for yes or no and for choices, a
 * rating for points, and a text area for texts, each control named as the rubric; a text area `NAME_note` for the note.
 */
const taskSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  data: dataSchema,
  annotations: z.array(annotationSchema).default([]),
});

/** Writes the items of a task as tasks of Label Studio, with the labels as annotations. */
export function toLabelStudio({ task, rubrics, items }: LabelledTask): object[] {
  return items.map((each) => ({
    id: each.item.position + 1,
    data: {
      touchstone_task: task.id,
      touchstone_item: each.item.position,
      case_id: each.item.subject.caseId,
      question: each.question,
      answer: each.answer,
      conversation: each.conversation,
    },
    annotations: toAnnotations(each, rubrics),
    predictions: [],
  }));
}

function toAnnotations({ labels }: LabelledItem, rubrics: readonly Rubric[]): object[] {
  return [...byPerson(labels)].map(([name, given]) => {
    const own = rubrics.flatMap(({ id }) => given.filter(({ rubric }) => rubric.id === id));
    const [first] = own as [Label, ...Label[]];
    const isSkipped = own.every(({ outcome }) => outcome.status === 'skipped');
    return {
      id: first.origin?.tool === 'label-studio' ? first.origin.id : first.id,
      completed_by: { email: name },
      was_cancelled: isSkipped,
      ...(first.seconds !== null && { lead_time: first.seconds }),
      created_at: first.at,
      updated_at: first.at,
      result: isSkipped ? [] : own.flatMap((label) => toResults(label, rubrics)),
    };
  });
}

function toResults({ rubric: { id }, outcome, note }: Label, rubrics: readonly Rubric[]): object[] {
  const scale = rubrics.find((rubric) => rubric.id === id)?.scale.type;
  const value = toText(outcome);
  const shape = (from: string, type: string, content: object) => ({
    from_name: from,
    to_name: 'conversation',
    type,
    value: content,
  });
  const notes = note === undefined ? [] : [shape(`${id}_note`, 'textarea', { text: [note] })];
  if (value === null) return notes;
  if (scale === 'text' && outcome.status === 'answered')
    return [shape(id, 'textarea', { text: [value] }), ...notes];
  return typeof value === 'number'
    ? [shape(id, 'rating', { rating: value }), ...notes]
    : [shape(id, 'choices', { choices: [value] }), ...notes];
}

/** Reads the labels out of tasks of Label Studio. Throws `import-invalid`. */
export async function fromLabelStudio(
  rows: AsyncIterable<LabelsRow>,
  rubrics: readonly string[],
): Promise<ForeignLabel[]> {
  const labels: ForeignLabel[] = [];
  for await (const { row, at } of readForeignRows(rows, taskSchema, 'task of Label Studio')) {
    for (const [index, annotation] of row.annotations.entries())
      labels.push(...readAnnotation(annotation, { at, data: row.data, index, rubrics }));
  }
  return labels;
}

function readAnnotation(
  annotation: z.infer<typeof annotationSchema>,
  {
    at: place,
    data,
    index,
    rubrics,
  }: {
    readonly at: string;
    readonly data: z.infer<typeof dataSchema>;
    readonly index: number;
    readonly rubrics: readonly string[];
  },
): ForeignLabel[] {
  const { was_cancelled: isSkipped, lead_time: seconds = null, result } = annotation;
  const valueOf = (name: string): unknown => {
    const found = result.find(({ from_name: from }) => from === name)?.value;
    return found?.choices?.[0] ?? found?.rating ?? [found?.text].flat()[0];
  };
  const common = {
    place,
    tool: 'label-studio' as const,
    id: String(annotation.id ?? `${place} ${index}`),
    item: {
      position: data.touchstone_item,
      ...(data.case_id !== undefined && { caseId: String(data.case_id) }),
      target: data.target,
    },
    person: nameOf(annotation.completed_by),
    at: annotation.updated_at ?? annotation.created_at ?? undefined,
    seconds: seconds ?? null,
  };
  return rubrics.flatMap((rubric): ForeignLabel[] => {
    const value = isSkipped === true ? null : valueOf(rubric);
    if (value === undefined) return [];
    const note = valueOf(`${rubric}_note`);
    return [{ ...common, rubric, value, ...(typeof note === 'string' && { note }) }];
  });
}

function nameOf(by: z.infer<typeof person> | null | undefined): string {
  if (typeof by !== 'object' || by === null) return by === undefined || by === null ? '' : String(by);
  return by.email ?? by.username ?? String(by.id ?? '');
}
