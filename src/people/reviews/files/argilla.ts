import { z } from 'zod';
import type { LabelsRow } from './labels-file.ts';
import { byPerson, type ForeignLabel, type LabelledTask, readForeignRows, toText } from './other-tools.ts';

const name = z.union([z.string(), z.number()]);

/** A response of Argilla 2: one for each question and user. */
const responseSchema = z.looseObject({
  value: z.unknown(),
  user_id: name.nullish(),
  status: z.string().nullish(),
});

/** A response of Argilla 1: one for each user, with the values of all questions. */
const oldResponseSchema = z.looseObject({
  values: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
  user_id: name.nullish(),
  status: z.string().nullish(),
});

/**
 * A record of Argilla as `rg.Record.to_dict` writes it (https://docs.argilla.io/latest/reference/argilla/records/records), or
 * as Argilla 1 exports it. Each question is named as the rubric.
 */
const recordSchema = z.looseObject({
  id: name.nullish(),
  metadata: z
    .looseObject({
      touchstone_item: z.int().nonnegative().optional(),
      case_id: name.optional(),
      target: z.string().optional(),
    })
    .nullish(),
  responses: z.union([z.record(z.string(), z.array(responseSchema)), z.array(oldResponseSchema)]).nullish(),
});

/** Writes the items of a task as records of Argilla, with the labels as responses. Skipped items have no response there. */
export function toArgilla({ task, rubrics, items }: LabelledTask): object[] {
  return items.map(({ item, question, answer, conversation, labels }) => ({
    id: `${task.id}-${item.position}`,
    fields: { question, answer, conversation },
    metadata: { touchstone_task: task.id, touchstone_item: item.position, case_id: item.subject.caseId },
    suggestions: {},
    responses: Object.fromEntries(
      rubrics.flatMap(({ id }) => {
        const own = [...byPerson(labels.filter(({ rubric }) => rubric.id === id))];
        const answers = own.flatMap(([person, [label]]) => {
          const value = label === undefined ? null : toText(label.outcome);
          return value === null ? [] : [{ value, user_id: person }];
        });
        return answers.length === 0 ? [] : [[id, answers]];
      }),
    ),
    vectors: {},
  }));
}

/** Reads the labels out of records of Argilla. A discarded response is a skip. Throws `import-invalid`. */
export async function fromArgilla(
  rows: AsyncIterable<LabelsRow>,
  rubrics: readonly string[],
): Promise<ForeignLabel[]> {
  const labels: ForeignLabel[] = [];
  for await (const { row, at } of readForeignRows(rows, recordSchema, 'record of Argilla'))
    labels.push(...readRecord(row, at, rubrics));
  return labels;
}

function readRecord(
  { id, metadata, responses }: z.infer<typeof recordSchema>,
  place: string,
  rubrics: readonly string[],
): ForeignLabel[] {
  const item = {
    position: metadata?.touchstone_item,
    ...(metadata?.case_id !== undefined && { caseId: String(metadata.case_id) }),
    target: metadata?.target,
  };
  return rubrics.flatMap((rubric) =>
    readResponses(responses ?? [], rubric).map(({ value, user, isDiscarded }) => ({
      place,
      tool: 'argilla' as const,
      id: `${id ?? place} ${user}`,
      item,
      person: user,
      rubric,
      value: isDiscarded ? null : value,
      at: undefined,
      seconds: null,
    })),
  );
}

function readResponses(responses: NonNullable<z.infer<typeof recordSchema>['responses']>, rubric: string) {
  const all = Array.isArray(responses)
    ? responses.map((each) => ({ ...each, value: each.values?.[rubric]?.value }))
    : (responses[rubric] ?? []);
  return all
    .filter(({ status }) => status !== 'draft')
    .map(({ value, user_id: user, status }) => ({
      value,
      user: String(user ?? ''),
      isDiscarded: status === 'discarded',
    }))
    .filter(({ value, isDiscarded }) => isDiscarded || (value !== undefined && value !== null));
}
