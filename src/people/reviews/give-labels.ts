import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import { randomId } from '../../core/lib/random-id.ts';
import {
  type Blindness,
  compareLabels,
  type Label,
  labelsInForce,
  type SkipReason,
} from '../../core/schema/review/label.ts';
import type { Store } from '../../stores/store.ts';
import {
  type GivenAnswer,
  type GivenLabel,
  makeLabel,
  outcomeOf,
  type Part,
  readItem,
  refuseAnswer,
  requireNote,
  requireOwnLabels,
  requirePerson,
  type Reviewer,
} from './make-label.ts';
import { reservationMs } from './next-items.ts';
import { readTurn, readView } from './read-view.ts';
import { deriveItems, type ReviewView } from './review-view.ts';
import { isSame } from '../../decide/certificates/settle.ts';
import { addReviewRecords } from '../../stores/reviews/review-records.ts';
import { reserveItems, submitLabels } from '../../stores/reviews/reservations.ts';
import { labelKind } from '../../stores/kinds/label.ts';

/**
 * Stores what a person says of an item: one label for each rubric of the task, all of them or none. They are on disk when the
 * promise resolves. Throws `review-invalid` for values that are not on the scale and for missing rubrics, and `label-refused`
 * when the item takes no label of this person now.
 */
export async function addLabels(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  answer: GivenAnswer,
): Promise<Label[]> {
  const view = await readView(store.documents, taskId);
  const outcomes = view.rubrics.map((rubric) => {
    const given = answer.labels.find((label) => label.rubric === rubric.id);
    if (given === undefined) throw refuseAnswer(`The rubric ${rubric.id} has no answer.`);
    requireNote(rubric, given);
    return { rubric, given, outcome: outcomeOf(rubric, given.value) };
  });
  if (answer.labels.length > outcomes.length) throw refuseAnswer('There are more answers than rubrics.');
  return await submit(store, view, { reviewer, answer, outcomes });
}

/** Skips an item with a reason; it goes to others. Throws as `addLabels` does. */
export async function skip(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  {
    reason,
    note,
    ...answer
  }: Omit<GivenAnswer, 'labels'> & { readonly reason: SkipReason; readonly note?: string },
): Promise<Label[]> {
  const view = await readView(store.documents, taskId);
  const outcomes = view.rubrics.map((rubric) => ({
    rubric,
    given: { rubric: rubric.id, value: null, note },
    outcome: { status: 'skipped', reason } as const,
  }));
  return await submit(store, view, { reviewer, answer: { ...answer, labels: [] }, outcomes });
}

/** Decides a disputed item, by a person who has not labelled it. Throws as `addLabels` does. */
export async function adjudicate(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  answer: Omit<GivenAnswer, 'purpose'>,
): Promise<Label[]> {
  const adjudicator: Reviewer = { ...reviewer, role: 'adjudicator' };
  return await addLabels(store, taskId, adjudicator, { ...answer, purpose: 'dispute' });
}

/** The answer that a person wants to undo. */
export interface GivenUndo {
  /** The item that is meant. Nothing is undone if the last one is another. */
  readonly item?: number;
  /** A unique text; a caller that sends the same request again with it, since no reply came, undoes one answer. */
  readonly id?: string;
}

/**
 * Undoes what a person said last in a task, and reserves the item for the person again. Returns its position; undefined when
 * there is nothing to undo. The undone labels stay as events.
 */
export async function undo(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  { item: only, id: request = randomId() }: GivenUndo = {},
): Promise<number | undefined> {
  const { person, now = new Date() } = reviewer;
  const view = await readView(store.documents, taskId);
  requirePerson(view, reviewer);
  const nameOf = (label: string) => hashText(`undo ${view.task.id} ${person} ${request} ${label}`);
  const sent = view.marks.find(({ id, replaces }) => replaces !== undefined && id === nameOf(replaces));
  if (sent !== undefined) return sent.item ?? undefined;
  const mine = labelsInForce(view.marks.filter((mark) => mark.person === person)).toSorted(compareLabels);
  const last = mine.at(-1);
  if (last === undefined || last.item === null) return undefined;
  const { item, purpose } = last;
  if (only !== undefined && item !== only) return undefined;
  const undone = new Set(
    mine.filter((mark) => mark.item === item && mark.at === last.at).map(({ id }) => id),
  );
  const labels = (await Array.fromAsync(store.documents.list(labelKind, { where: { task: taskId } })))
    .filter(({ id }) => undone.has(id))
    .map(({ id, note: _note, spans: _spans, finding: _finding, ...label }): Label => {
      return {
        ...label,
        id: nameOf(id),
        replaces: id,
        outcome: { status: 'withdrawn' },
        at: now.toISOString(),
      };
    });
  await addReviewRecords(store.documents, { labels });
  const until = new Date(now.getTime() + reservationMs).toISOString();
  const wishes = [{ item, purpose }];
  await reserveItems(store.documents, {
    task: taskId,
    person,
    wishes,
    count: 1,
    now: now.toISOString(),
    until,
  });
  return item;
}

/** The conclusion of a person from what was shown after the label. */
export interface GivenCorrection {
  readonly item: number;
  /** The answer that holds now. */
  readonly label: GivenLabel;
  readonly finding: NonNullable<Label['finding']>;
  /** A unique text, as of an answer. */
  readonly id?: string;
}

/**
 * Records what a person concludes from what was shown after the label: that the own label, the judge or the rubric is wrong.
 * The correction replaces the label, but never where judges are judged by labels. Throws as `addLabels` and `reveal` do.
 */
export async function correct(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  { item, label: given, finding, id }: GivenCorrection,
): Promise<Label> {
  const view = await readView(store.documents, taskId);
  requirePerson(view, reviewer);
  const own = requireOwnLabels(view, reviewer.person, item).find(({ rubric }) => rubric.id === given.rubric);
  const rubric = view.rubrics.find(({ id }) => id === given.rubric);
  if (own === undefined || rubric === undefined)
    throw refuseAnswer(`The rubric ${given.rubric} has no label of ${reviewer.person} here.`);
  const outcome = outcomeOf(rubric, given.value);
  const turn = await readTurn(store, view, own);
  const answer = {
    item,
    purpose: own.purpose,
    labels: [],
    shown: allShown,
    turn,
    id,
  };
  const label: Label = {
    ...makeLabel(view, await readItem(store, taskId, item), {
      reviewer,
      answer,
      part: { rubric, given, outcome },
    }),
    kind: 'correction',
    finding,
    replaces: own.id,
  };
  // A correction that is sent a second time would replace itself.
  if (own.id === label.id) return label;
  await addReviewRecords(store.documents, { labels: [label] });
  return label;
}

const allShown: Blindness = { verdict: 'shown', score: 'shown', others: 'shown', target: 'shown' };

async function submit(
  store: Store,
  view: ReviewView,
  {
    reviewer,
    answer,
    outcomes,
  }: { readonly reviewer: Reviewer; readonly answer: GivenAnswer; readonly outcomes: readonly Part[] },
): Promise<Label[]> {
  const { item, purpose = 'new' } = answer;
  const { person, now = new Date() } = reviewer;
  requirePerson(view, { ...reviewer, role: purpose === 'dispute' ? 'adjudicator' : 'reviewer' });
  const found = await readItem(store, view.task.id, item);
  const labels = outcomes.map((part) => makeLabel(view, found, { reviewer, answer, part }));
  const kept = await readSentBefore(store, view, labels);
  if (kept !== undefined) return kept;
  if (purpose === 'dispute') requireDispute(view, item, now);
  await submitLabels(store.documents, {
    task: view.task.id,
    item,
    person,
    purpose,
    labels,
    now: now.toISOString(),
  });
  return labels;
}

/** Throws `label-refused` for an item on which people do not differ. */
function requireDispute(view: ReviewView, item: number, now: Date): void {
  const [derived] = deriveItems(
    { ...view, items: view.items.filter(({ position }) => position === item) },
    now,
  );
  if (derived?.settlements.some(({ status }) => status === 'disputed') === true) return;
  const message = `Item ${item + 1} of the review task ${view.task.id} is not disputed.`;
  throw new TouchstoneError('label-refused', message);
}

/** Returns the stored labels of an answer that is sent a second time; undefined when it is new or differs. */
async function readSentBefore(
  { documents }: Store,
  { task, marks }: ReviewView,
  labels: readonly Label[],
): Promise<Label[] | undefined> {
  const known = new Map(marks.map((mark) => [mark.id, mark]));
  const isSent = labels.every((label) => {
    const mark = known.get(label.id);
    return mark !== undefined && isSame(mark, label);
  });
  if (!isSent) return undefined;
  const ids = new Set(labels.map(({ id }) => id));
  return (await Array.fromAsync(documents.list(labelKind, { where: { task: task.id } }))).filter(({ id }) =>
    ids.has(id),
  );
}
