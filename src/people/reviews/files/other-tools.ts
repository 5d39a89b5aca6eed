import { TouchstoneError } from '../../../core/errors.ts';
import type { z } from 'zod';
import { formatPlace } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import {
  isAnswer,
  type Label,
  type LabelOutcome,
  labelsInForce,
  personSchema,
} from '../../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import { describeScale, isOnScale, type Rubric } from '../../../core/schema/review/rubric.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { Store } from '../../../stores/store.ts';
import { readAnswer } from '../cards.ts';
import { findTask, readView } from '../read-view.ts';
import { isSame } from '../../../decide/certificates/settle.ts';
import { invalidFile, type LabelsRow } from './labels-file.ts';
import { addReviewRecords, readItems } from '../../../stores/reviews/review-records.ts';
import { labelKind } from '../../../stores/kinds/label.ts';

/**
 * Yields the rows of a file of another tool in its form, with their places. Throws `import-invalid` for a row of another form.
 * @param noun - The name of a row in messages, such as `task of Label Studio`.
 */
export async function* readForeignRows<Row>(
  rows: AsyncIterable<LabelsRow>,
  schema: z.ZodType<Row>,
  noun: string,
): AsyncGenerator<{ readonly row: Row; readonly at: string }> {
  for await (const { value, place } of rows) {
    const at = formatPlace(place);
    const { data, error } = schema.safeParse(value);
    const [problem] = error?.issues ?? [];
    if (data === undefined)
      throw invalidFile(`${at} is no ${noun}: ${problem?.path.join('.')}: ${problem?.message}.`);
    yield { row: data, at };
  }
}

/** The text by which other tools name "not applicable". */
const notApplicableText = 'not applicable';

/** One item with its answer and labels, for another tool. */
export interface LabelledItem {
  readonly item: ReviewItem;
  readonly question: string;
  readonly answer: string;
  /** The conversation as text, one paragraph for each message. */
  readonly conversation: string;
  /** The labels in force that the people gave first, skips included. */
  readonly labels: readonly Label[];
}

/** A task with its items, for another tool. Items whose answer is no longer in the store are skipped. */
export interface LabelledTask {
  readonly task: ReviewTask;
  readonly rubrics: readonly Rubric[];
  readonly items: readonly LabelledItem[];
}

/** Reads a task with its items and labels, for another tool. Throws `review-not-found`. */
export async function readLabelledTask(store: Store, name: string): Promise<LabelledTask> {
  const { id } = await findTask(store.documents, name);
  const { task, rubrics } = await readView(store.documents, id);
  if (task.pairs !== undefined) {
    throw new TouchstoneError('review-invalid', `The review task ${id} is about pairs of answers.`, {
      remedy: 'Export it as JSONL, without `--format`.',
    });
  }
  const labels = labelsInForce(
    await Array.fromAsync(store.documents.list(labelKind, { where: { task: id } })),
  );
  const firsts = Map.groupBy(
    labels.filter(({ purpose }) => purpose === 'new'),
    ({ item }) => item,
  );
  const items: LabelledItem[] = [];
  for (const item of await readItems(store.documents, id)) {
    const result = await readAnswer(store, item.subject);
    if (result === undefined) continue;
    const { transcript, answer } = result.trial;
    items.push({
      item,
      question: questionOf(result.case),
      answer: answer ?? '',
      conversation: transcript.map(({ role, content }) => `${role}: ${content ?? ''}`).join('\n\n'),
      labels: firsts.get(item.position) ?? [],
    });
  }
  return { task, rubrics, items };
}

/** Returns the text by which other tools name the value of a label. */
export function toText(outcome: LabelOutcome): string | number | null {
  if (outcome.status === 'not-applicable') return notApplicableText;
  if (outcome.status !== 'answered') return null;
  return typeof outcome.value === 'boolean' ? (outcome.value ? 'yes' : 'no') : outcome.value;
}

/** A label as another tool wrote it. */
export interface ForeignLabel {
  /** The place in the file, for messages. */
  readonly place: string;
  readonly tool: 'label-studio' | 'argilla';
  /** The id of the annotation in the other tool. */
  readonly id: string;
  /** The item: by its position, or by the id of the case and the name of the target. */
  readonly item: { readonly position?: number; readonly caseId?: string; readonly target?: string };
  readonly person: string;
  readonly rubric: string;
  /** The value as the other tool names it; null for an item that was skipped. */
  readonly value: unknown;
  readonly at: string | undefined;
  readonly seconds: number | null;
  readonly note?: string;
}

/** The numbers of labels that an import added, and skipped since they were in the store already. */
export interface ImportedLabels {
  readonly added: number;
  readonly known: number;
}

/**
 * Adds labels of another tool to the items of a task, all of them or none. What reviewers could see there is unknown, so they
 * count as blind only if a person states it. A label that was changed there, or is stated to be blind, replaces the one that was
 * imported before. Throws `import-invalid` for a label that cannot be used or differs from one that the person gave here, and
 * `review-not-found`.
 */
export async function importForeign(
  store: Store,
  given: string,
  foreign: readonly ForeignLabel[],
  { now = new Date(), blindSaidBy }: { readonly now?: Date; readonly blindSaidBy?: string } = {},
): Promise<ImportedLabels> {
  const { id } = await findTask(store.documents, given);
  const { task, rubrics } = await readView(store.documents, id);
  const items = await readItems(store.documents, id);
  const labels = await Array.fromAsync(store.documents.list(labelKind, { where: { task: id } }));
  const kept = labelsInForce(labels).filter(({ purpose }) => purpose === 'new');
  const added: Label[] = [];
  for (const each of foreign) {
    const label = toLabel(each, { task, rubrics, items, now, blindSaidBy });
    const before = [...kept, ...added].find(
      (other) =>
        other.item === label.item &&
        other.rubric.id === label.rubric.id &&
        other.by.person === label.by.person,
    );
    if (before === undefined) added.push(label);
    else if (!isSame(before, label) || isNewlyBlind(before, label))
      added.push({ ...label, replaces: replacedBy(each, before) });
  }
  await addReviewRecords(store.documents, { labels: added });
  return { added: added.length, known: foreign.length - added.length };
}

function isNewlyBlind(before: Label, { blind }: Label): boolean {
  return before.origin !== undefined && before.blind.verdict === 'unknown' && blind.verdict === 'hidden';
}

/** Returns the label that an annotation replaces: one of the same annotation. */
function replacedBy({ place, tool, id, person, rubric }: ForeignLabel, before: Label): string {
  if (before.origin?.tool === tool && before.origin.id === id) return before.id;
  throw invalidFile(
    `${place}: ${person} has answered ${rubric} differently here already (label ${before.id}).`,
  );
}

function toLabel(
  foreign: ForeignLabel,
  {
    task,
    rubrics,
    items,
    now,
    blindSaidBy,
  }: {
    readonly task: ReviewTask;
    readonly rubrics: readonly Rubric[];
    readonly items: readonly ReviewItem[];
    readonly now: Date;
    readonly blindSaidBy: string | undefined;
  },
): Label {
  const { place, tool, id, person, seconds, note } = foreign;
  const rubric = rubrics.find((each) => each.id === foreign.rubric);
  const known = rubrics.map((each) => each.id).join(', ');
  if (rubric === undefined)
    throw invalidFile(`${place}: "${foreign.rubric}" is no rubric of the task, which asks ${known}.`);
  if (!personSchema.safeParse(person).success) throw invalidFile(`${place}: the person has no usable name.`);
  const item = findItem(foreign, items);
  const outcome = toOutcome(foreign, rubric);
  const time = new Date(foreign.at ?? now);
  const at = Number.isNaN(time.getTime()) ? now.toISOString() : time.toISOString();
  const isBlind = blindSaidBy !== undefined;
  const seen = isBlind ? 'hidden' : 'unknown';
  const name = [tool, id, task.id, item.position, person, rubric.id, JSON.stringify(outcome), at];
  if (isBlind) name.push('blind');
  return {
    id: hashText(name.join(' ')),
    subject: item.subject,
    rubric: { id: rubric.id, version: rubric.version },
    kind: 'label',
    purpose: 'new',
    outcome,
    ...(note !== undefined && note !== '' && { note }),
    by: { person, role: 'reviewer' },
    at,
    seconds,
    blind: { verdict: seen, score: seen, others: seen, target: 'unknown' },
    task: task.id,
    item: item.position,
    draw: { frame: task.frame.hash, stratum: item.stratum, probability: item.probability, seed: task.seed },
    origin: { tool, id, ...(isBlind && { blindSaidBy }) },
  };
}

function findItem({ place, item }: ForeignLabel, items: readonly ReviewItem[]): ReviewItem {
  const { position, caseId, target } = item;
  const found = items.filter(
    ({ position: own, subject }) =>
      (position === undefined || own === position) &&
      (position !== undefined || subject.caseId === caseId) &&
      (target === undefined || subject.target === target),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const name = position === undefined ? `question "${caseId ?? ''}"` : `item ${position + 1}`;
  throw invalidFile(
    found.length === 0
      ? `${place}: the task has no ${name}.`
      : `${place}: the task has ${found.length} answers to ${name}; name the target.`,
  );
}

function toOutcome({ place, value }: ForeignLabel, rubric: Rubric): LabelOutcome {
  if (value === null) return { status: 'skipped', reason: 'unclear' };
  if (value === notApplicableText) return { status: 'not-applicable' };
  const read = readValue(value, rubric);
  if (isOnScale(read, rubric.scale)) return { status: 'answered', value: read as string };
  const asked = describeScale(rubric.scale);
  throw invalidFile(
    `${place}: ${JSON.stringify(value)} is no answer to ${rubric.id}, which asks for ${asked}.`,
  );
}

function readValue(value: unknown, { scale }: Rubric): unknown {
  if (scale.type === 'yes-no' && typeof value === 'string')
    return ({ yes: true, no: false, true: true, false: false } as const)[value.toLowerCase() as 'yes'];
  if (scale.type === 'ordinal' && typeof value === 'string' && /^\d$/.test(value)) return Number(value);
  return value;
}

/** Returns the labels of an item by person: those that one annotation contains. */
export function byPerson(labels: readonly Label[]): Map<string, Label[]> {
  return Map.groupBy(
    labels.filter((label) => isAnswer(label) || label.outcome.status === 'skipped'),
    ({ by }) => by.person,
  );
}
