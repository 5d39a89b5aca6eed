import type { Store } from '../../stores/store.ts';
import {
  answerGone,
  readAnswer,
  readCards,
  readOthers,
  revealResult,
  type Revealed,
  type ReviewCard,
} from './cards.ts';
import { chooseItems } from './choose-items.ts';
import { readItem, requireOwnLabels, requirePerson, type Reviewer } from './make-label.ts';
import { readTurn, readView } from './read-view.ts';
import { revealPair } from './pairs/reveal-pair.ts';
import { firstInTurn } from './pairs/sides.ts';
import { deriveProgress, type ReviewProgress } from './progress.ts';
import { releaseItems, reserveItems } from '../../stores/reviews/reservations.ts';

/** The length of a reservation in milliseconds. */
export const reservationMs = 900_000;

/** The largest number of items that a person can reserve at a time. */
const mostAtOnce = 20;

/** The next items of a person, and why there are none. */
export interface NextItems {
  readonly cards: readonly ReviewCard[];
  /** Items whose answers are no longer in the store: their run was deleted. */
  readonly gone: number;
  /** True when the person could have more items, which are left to others for now. */
  readonly hasMore: boolean;
}

/**
 * Reserves the next items for a person, 15 minutes each, and returns them: first those that the person has reserved already.
 * Of the last items, it reserves no more than half, so that another person does not have to wait for them.
 * Throws `review-not-found`, and `label-refused` for a person who is not of the task and for a closed task.
 */
export async function nextItems(
  store: Store,
  taskId: string,
  reviewer: Reviewer,
  count = 3,
): Promise<NextItems> {
  const { person, role = 'reviewer', now = new Date() } = reviewer;
  const wanted = Math.min(count, mostAtOnce);
  let gone = 0;
  const skipped = new Set<number>();
  for (;;) {
    const view = await readView(store.documents, taskId);
    requirePerson(view, reviewer);
    const isRunThere = (await store.readRun(view.task.frame.run)) !== undefined;
    if (!isRunThere) return { cards: [], gone: view.items.length, hasMore: false };
    const all = chooseItems(view, { person, role, now }).filter(({ item }) => !skipped.has(item));
    // Others may reserve some of them first: hence more than wanted.
    const wishes = all.slice(0, wanted + 50);
    if (wishes.length === 0) return { cards: [], gone, hasMore: false };
    const until = new Date(now.getTime() + reservationMs).toISOString();
    const most = Math.min(wanted, Math.ceil(all.length / 2));
    const request = { task: taskId, person, wishes, count: most, now: now.toISOString(), until };
    const reserved = await reserveItems(store.documents, request);
    const found = await readCards(store, view, reserved);
    if (found.gone.length > 0)
      await releaseItems(store.documents, { task: taskId, person, items: found.gone });
    gone += found.gone.length;
    if (found.cards.length > 0) return { cards: found.cards, gone, hasMore: all.length > reserved.length };
    for (const item of reserved.length === 0 ? wishes.map((wish) => wish.item) : found.gone)
      skipped.add(item);
  }
}

/**
 * Returns the verdicts of the judge and the labels of others for an item that the person has labelled. Throws `label-refused`
 * before that, and `review-not-found` when the answer is no longer in the store.
 */
export async function reveal(
  store: Store,
  taskId: string,
  { person }: Reviewer,
  item: number,
): Promise<Revealed> {
  const view = await readView(store.documents, taskId);
  const own = requireOwnLabels(view, person, item);
  const { subject } = await readItem(store, taskId, item);
  const result = await readAnswer(store, subject);
  if (result === undefined) throw answerGone(item);
  const [label] = own;
  const turn = label && (await readTurn(store, view, label));
  const first = turn === undefined ? undefined : firstInTurn(view.task, item, turn);
  const others = await readOthers(store, view, { item, except: person, first });
  const revealed = revealResult(view, result, others);
  if (first === undefined || subject.against === undefined) return revealed;
  const against = await readAnswer(store, subject.against);
  if (against === undefined) throw answerGone(item);
  return { ...revealed, pair: await revealPair(store, view.task, { subject, result, against, first }) };
}

/** Derives the progress of a task. Throws `review-not-found`. */
export async function readProgress(store: Store, taskId: string, now = new Date()): Promise<ReviewProgress> {
  return deriveProgress(await readView(store.documents, taskId), now);
}
