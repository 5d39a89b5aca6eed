import type { Label, LabelPurpose } from '../../core/schema/review/label.ts';
import type { Reservation } from '../../core/schema/review/review-task.ts';
import type { DocumentChange, DocumentStore } from '../documents/document-store.ts';
import { labelKind } from '../kinds/label.ts';
import { reservationKind, reviewItemKind, reviewTaskKind } from '../kinds/review-task.ts';
import { type ItemAtHand, refuseLabel, type Wish } from './admit.ts';
import { itemNotFound, requireAdmission, taskNotFound } from './refusals.ts';
import { addNew, readMarks } from './review-records.ts';

/** The request of a person for items. */
export interface ReservationRequest {
  readonly task: string;
  readonly person: string;
  /** The items, in the order in which they are preferred. */
  readonly wishes: readonly Wish[];
  /** The largest number of items. */
  readonly count: number;
  /** The current time, and the end of the reservations; ISO 8601. */
  readonly now: string;
  readonly until: string;
}

/** The labels that one person gives to one item, one for each rubric of the task. */
export interface Submission {
  readonly task: string;
  readonly item: number;
  readonly person: string;
  readonly purpose: LabelPurpose;
  readonly labels: readonly Label[];
  /** ISO 8601. */
  readonly now: string;
}

/** The kinds that decide who may label an item: all changes of that name them. */
const deciding = [labelKind, reservationKind];

/**
 * Reserves items for a person: the first ones of the wishes that are still to be had, decided by `refuseLabel`. An item is
 * reserved by one person at a time; an own reservation is extended. Throws `review-not-found`.
 */
export async function reserveItems(
  documents: DocumentStore,
  { task, person, wishes, count, now, until }: ReservationRequest,
): Promise<Reservation[]> {
  return await documents.change(deciding, async (change) => {
    await requireTask(change, task);
    const reserved: Reservation[] = [];
    for (const { item, purpose } of wishes) {
      if (reserved.length === count) break;
      const atHand = await itemAtHand(change, task, item);
      if (refuseLabel(atHand, { person, purpose, now }) !== undefined) continue;
      await change.put(reservationKind, [{ task, item, person, purpose, until }]);
      reserved.push({ item, person, purpose, until });
    }
    return reserved;
  });
}

/** Reads the reservations of a task, those included whose time is over. */
export async function readReservations(documents: DocumentStore, task: string): Promise<Reservation[]> {
  const all = await Array.fromAsync(documents.list(reservationKind, { where: { task } }));
  return all.map(({ item, person, purpose, until }) => ({ item, person, purpose, until }));
}

/** Ends the reservations of a person, of the given items or of all. */
export async function releaseItems(
  documents: DocumentStore,
  {
    task,
    person,
    items,
  }: { readonly task: string; readonly person: string; readonly items?: readonly number[] },
): Promise<void> {
  await documents.change([reservationKind], async (change) => {
    if (items === undefined) await change.remove(reservationKind, { where: { task, person } });
    else for (const item of items) await change.remove(reservationKind, { where: { task, person, item } });
  });
}

/**
 * Stores the labels of one item, all of them or none, and ends its reservation. Labels that are stored already are no
 * error, so that a caller who never got an answer can send them again. Throws `label-refused` when `refuseLabel` refuses
 * them, `label-conflict` when one is stored with another content, and `review-not-found` for an unknown task or item.
 */
export async function submitLabels(documents: DocumentStore, submission: Submission): Promise<void> {
  const { task, item, labels } = submission;
  await documents.change(deciding, async (change) => {
    let kept = 0;
    for (const { id } of labels) kept += Number((await change.get(labelKind, [id])) !== undefined);
    if (kept < labels.length) {
      requireAdmission(await itemAtHand(change, task, item), submission);
      await change.remove(reservationKind, { where: { task, item } });
    }
    await addNew(change, labelKind, labels);
  });
}

async function itemAtHand(change: DocumentChange, task: string, item: number): Promise<ItemAtHand> {
  const [head] = await change.heads(reviewItemKind, ['people'], { where: { task, position: item } });
  if (head === undefined) {
    await requireTask(change, task);
    throw itemNotFound(task, item);
  }
  return {
    people: head.people,
    marks: await readMarks(change, task, item),
    reservation: await change.get(reservationKind, [task, item]),
  };
}

async function requireTask(change: DocumentChange, task: string): Promise<void> {
  const [head] = await change.heads(reviewTaskKind, ['id'], { where: { id: task } });
  if (head === undefined) throw taskNotFound(task);
}
