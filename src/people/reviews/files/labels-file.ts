import { z } from 'zod';
import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { groupingSchema } from '../../../core/schema/modes/grouping.ts';
import { markSchema } from '../../../core/schema/modes/mark.ts';
import { modeSchema } from '../../../core/schema/modes/mode.ts';
import { certificateLookSchema } from '../../../core/schema/review/certificate-look.ts';
import { type Label, labelSchema } from '../../../core/schema/review/label.ts';
import {
  reviewItemSchema,
  type ReviewTask,
  reviewTaskSchema,
} from '../../../core/schema/review/review-task.ts';
import {
  describeScale,
  isOnScale,
  type Rubric,
  rubricEquivalenceSchema,
  rubricSchema,
} from '../../../core/schema/review/rubric.ts';
import type { AddedRecords, ReviewRecords } from '../../../stores/reviews/review-records.ts';
import { versionOf } from '../../../decide/certificates/rubric.ts';
import { addReviewRecords, readItems } from '../../../stores/reviews/review-records.ts';
import { equivalenceKind, rubricKind } from '../../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';
import { certificateLookKind } from '../../../stores/kinds/certificate.ts';
import { groupingKind, markKind, modeKind } from '../../../stores/kinds/mode.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import { putDocuments, type DocumentStore } from '../../../stores/documents/document-store.ts';

/** The format version of files of labels. */
export const labelsFileVersion = 1;

/**
 * The schema of one line of a file of labels. Each record is a line of its own, so that git merges the files of two people:
 * first the rubrics, then the tasks with their items, then the labels in the order in which they were given, and last the failure
 * modes with what belongs to them.
 */
export const labelsLineSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('labels'), version: z.literal(labelsFileVersion) }),
    z.object({ type: z.literal('rubric'), rubric: rubricSchema }),
    z.object({ type: z.literal('equivalence'), equivalence: rubricEquivalenceSchema }),
    z.object({ type: z.literal('task'), task: reviewTaskSchema }),
    z.object({ type: z.literal('item'), item: reviewItemSchema }),
    z.object({ type: z.literal('label'), label: labelSchema }),
    z.object({ type: z.literal('mode'), mode: modeSchema }),
    z.object({ type: z.literal('mark'), mark: markSchema }),
    z.object({ type: z.literal('grouping'), grouping: groupingSchema }),
    z.object({ type: z.literal('look'), look: certificateLookSchema }),
  ]),
);
type LabelsLine = z.infer<typeof labelsLineSchema>;

/** The records to write. */
export interface LabelsExport {
  /** The id of a task; everything by default. */
  readonly task?: string;
  /** Called with a description of each damaged label, which is skipped; without it, a damaged label ends the export. */
  readonly onLost?: (what: string) => void;
}

/** Yields the lines of a file of labels. The same records give the same bytes from every store. */
export async function* exportLabels(
  documents: DocumentStore,
  { task: taskId, onLost }: LabelsExport = {},
): AsyncGenerator<string> {
  const isOf = (task: Pick<ReviewTask, 'id'>) => taskId === undefined || task.id === taskId;
  const tasks = (await Array.fromAsync(documents.list(reviewTaskKind))).filter(isOf).toReversed();
  const labels =
    onLost === undefined
      ? documents.list(labelKind, { where: { task: taskId } })
      : documents.list(labelKind, {}, onLost);
  const isWanted = ({ id }: { id: string }) =>
    taskId === undefined || tasks.some(({ rubrics }) => rubrics.some((rubric) => rubric.id === id));
  yield toLine({ type: 'labels', version: labelsFileVersion });
  for (const rubric of (await Array.fromAsync(documents.list(rubricKind))).filter(isWanted))
    yield toLine({ type: 'rubric', rubric });
  for (const equivalence of await Array.fromAsync(documents.list(equivalenceKind)))
    if (isWanted({ id: equivalence.rubric })) yield toLine({ type: 'equivalence', equivalence });
  for (const task of tasks) {
    yield toLine({ type: 'task', task });
    for (const item of await readItems(documents, task.id)) yield toLine({ type: 'item', item });
  }
  for await (const label of labels)
    if (taskId === undefined || label.task === taskId) yield toLine({ type: 'label', label });
  yield* exportModes(documents, taskId);
}

/** Yields the lines of the failure modes, and of what belongs to them: of one task, its marks and groupings with all modes. */
async function* exportModes(documents: DocumentStore, task: string | undefined): AsyncGenerator<string> {
  const marks = await Array.fromAsync(documents.list(markKind, { where: { task } }));
  if (task === undefined || marks.length > 0)
    for await (const mode of documents.list(modeKind)) yield toLine({ type: 'mode', mode });
  for (const mark of marks) yield toLine({ type: 'mark', mark });
  for await (const grouping of documents.list(groupingKind, { where: { task } }))
    yield toLine({ type: 'grouping', grouping });
  if (task !== undefined) return;
  for await (const look of documents.list(certificateLookKind)) yield toLine({ type: 'look', look });
}

function toLine(line: LabelsLine): string {
  return `${canonicalJson(line)}\n`;
}

/** A line of a file, parsed as JSON. */
export interface LabelsRow {
  readonly value: unknown;
  readonly place: Place;
}

/**
 * Adds the records of a file of labels to a store, all of them or none; those that are there already are skipped. A task that
 * only differs in being closed becomes closed. Throws `import-invalid` with the line of a record that cannot be used, and
 * `label-conflict` when the store has a record of the same id with another content.
 */
export async function importLabels(
  rows: AsyncIterable<LabelsRow>,
  documents: DocumentStore,
): Promise<AddedRecords> {
  const lines: Placed<LabelsLine>[] = [];
  for await (const { value, place } of rows) lines.push({ record: parseLine(value, place), place });
  if (lines[0]?.record.type !== 'labels')
    throw invalidFile('The file is no file of labels: it does not begin with {"type":"labels"}.');
  const records = await checkRecords(lines, documents);
  const closed = await closedTasks(records.tasks ?? [], documents);
  const added = await addReviewRecords(documents, {
    ...records,
    tasks: (records.tasks ?? []).filter(({ id }) => !closed.has(id)),
  });
  for (const task of closed.values())
    if (task !== null) await putDocuments(documents, reviewTaskKind, [task]);
  return added;
}

interface Placed<Record> {
  readonly record: Record;
  readonly place: Place;
}

function parseLine(value: unknown, place: Place): LabelsLine {
  const parsed = labelsLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const found = [problem?.path.join('.'), problem?.message].filter((part) => part !== '').join(': ');
  throw invalidFile(`${formatPlace(place)} is no line of a file of labels: ${found}.`);
}

/** Returns the error that refuses a file of labels. */
export function invalidFile(message: string): TouchstoneError {
  return new TouchstoneError('import-invalid', `${message} Nothing was added.`, {
    remedy: 'Correct the file, or import one that `touchstone labels export` wrote.',
  });
}

/** Checks that records fit together with each other and with the records of the store. */
async function checkRecords(
  lines: readonly Placed<LabelsLine>[],
  documents: DocumentStore,
): Promise<ReviewRecords> {
  const of = <Type extends LabelsLine['type']>(type: Type) =>
    lines.filter((line): line is Placed<Extract<LabelsLine, { type: Type }>> => line.record.type === type);
  const rubrics = of('rubric').map(({ record, place }) => checkRubric(record.rubric, place));
  const tasks = of('task').map(({ record }) => record.task);
  const items = of('item').map(({ record }) => record.item);
  checkItems(tasks, items);
  const known = {
    rubrics: new Map(
      [...(await Array.fromAsync(documents.list(rubricKind))), ...rubrics].map((each) => [
        nameOf(each),
        each,
      ]),
    ),
    sizes: new Map(
      [...(await Array.fromAsync(documents.list(reviewTaskKind))), ...tasks].map((task) => [
        task.id,
        task.items,
      ]),
    ),
    labels: await readPeople(
      documents,
      of('label').map(({ record }) => record.label),
    ),
  };
  return {
    rubrics,
    equivalences: of('equivalence').map(({ record }) => record.equivalence),
    tasks,
    items,
    labels: of('label').map(({ record, place }) => checkLabel(record.label, place, known)),
    modes: of('mode').map(({ record }) => record.mode),
    marks: of('mark').map(({ record }) => record.mark),
    groupings: of('grouping').map(({ record }) => record.grouping),
    looks: of('look').map(({ record }) => record.look),
  };
}

function checkRubric(rubric: Rubric, place: Place): Rubric {
  if (versionOf(rubric) === rubric.version) return rubric;
  throw invalidFile(
    `${formatPlace(place)}: the words of the rubric ${rubric.id} differ from its version; other words need another version.`,
  );
}

function checkItems(
  tasks: readonly ReviewTask[],
  items: readonly { task: string; position: number }[],
): void {
  const positions = Map.groupBy(items, ({ task }) => task);
  for (const { id, items: count } of tasks) {
    const found = new Set(positions.get(id)?.map(({ position }) => position));
    if (found.size !== count)
      throw invalidFile(`The file has ${found.size} of the ${count} items of the review task ${id}.`);
  }
}

function nameOf({ id, version }: Pick<Rubric, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** Returns the people by the ids of the labels in the store and in the file. */
async function readPeople(documents: DocumentStore, labels: readonly Label[]): Promise<Map<string, string>> {
  const people = new Map(labels.map(({ id, by }) => [id, by.person]));
  if (labels.every(({ replaces }) => replaces === undefined || people.has(replaces))) return people;
  for await (const { id, by } of documents.list(labelKind)) people.set(id, by.person);
  return people;
}

/** The records that a label can refer to. */
interface Known {
  readonly rubrics: ReadonlyMap<string, Rubric>;
  /** The numbers of items by task. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The people by label. */
  readonly labels: ReadonlyMap<string, string>;
}

function checkLabel(label: Label, place: Place, { rubrics, sizes, labels }: Known): Label {
  const refuse = (what: string) => invalidFile(`${formatPlace(place)}: the label ${label.id} ${what}.`);
  const { outcome, task, item, replaces } = label;
  const rubric = rubrics.get(nameOf(label.rubric));
  if (rubric === undefined) throw refuse(`is by a version of the rubric ${label.rubric.id} that is unknown`);
  if (outcome.status === 'answered' && !isOnScale(outcome.value, rubric.scale)) {
    const value = JSON.stringify(outcome.value);
    throw refuse(
      `has the value ${value}, and the rubric ${rubric.id} asks for ${describeScale(rubric.scale)}`,
    );
  }
  if (task !== null && (item === null || item >= (sizes.get(task) ?? 0)))
    throw refuse(`is of an item of the review task ${task} that is unknown`);
  if (replaces !== undefined && labels.get(replaces) !== label.by.person)
    throw refuse(`replaces a label that is unknown or of another person`);
  if (outcome.status === 'withdrawn' && replaces === undefined) throw refuse('withdraws no label');
  return label;
}

/** Returns, by id, the tasks of the store that only differ in their status: closed ones, or null for one that stays closed. */
async function closedTasks(
  tasks: readonly ReviewTask[],
  documents: DocumentStore,
): Promise<Map<string, ReviewTask | null>> {
  const closed = new Map<string, ReviewTask | null>();
  for (const task of tasks) {
    const kept = await documents.get(reviewTaskKind, [task.id]);
    const isSame =
      kept !== undefined && canonicalJson({ ...kept, status: task.status }) === canonicalJson(task);
    if (isSame && kept.status !== task.status) closed.set(task.id, task.status === 'closed' ? task : null);
  }
  return closed;
}
