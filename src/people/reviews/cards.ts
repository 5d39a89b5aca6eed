import { TouchstoneError } from '../../core/errors.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Message } from '../../core/schema/message.ts';
import type { Result } from '../../core/schema/result.ts';
import type { LabelOutcome, LabelPurpose, Subject } from '../../core/schema/review/label.ts';
import { isAnswer, type LabelMark, labelsInForce } from '../../core/schema/review/label.ts';
import type { Reservation, ReviewItem } from '../../core/schema/review/review-task.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import { hashAnswer } from '../../decide/analysis/hash-answer.ts';
import type { PairValue } from '../../core/schema/review/rubric.ts';
import type { RevealedPair } from './pairs/reveal-pair.ts';
import { firstInTurn, type Side, toShownValue, type Turn, turnOf } from './pairs/sides.ts';
import { readView } from './read-view.ts';
import type { ReviewView } from './review-view.ts';
import { readItems } from '../../stores/reviews/review-records.ts';
import { labelKind } from '../../stores/kinds/label.ts';

/**
 * One item as a reviewer sees it: without the verdict of the judge, the score, the name of the target, the stratum and the
 * names of others. The labels of others are only there for the decision of a dispute.
 */
export interface ReviewCard extends CardContent {
  readonly item: number;
  readonly purpose: LabelPurpose;
  /** The end of the reservation; ISO 8601. */
  readonly until: string;
  /** For a pair: the order in which it is shown, to be sent back with the label. It says nothing of which answer is which. */
  readonly turn?: Turn;
  /** The differing labels, without names and in an order that says nothing about them. */
  readonly others?: readonly OtherLabel[];
}

/** The part of a card that a reviewer reads of the answer and its case. */
export interface CardContent {
  readonly transcript: readonly Message[];
  /** The answer that the metrics read, which is usually the last message. */
  readonly answer: string | null;
  /** The context and the expected answer of the case, where a rubric allows them. */
  readonly context?: Case['context'];
  readonly expected?: Case['expected'];
  /** For a pair: the second answer; the parts above then belong to the first. */
  readonly second?: Pick<CardContent, 'transcript' | 'answer'>;
}

/** The label of another person. */
export interface OtherLabel {
  readonly rubric: string;
  readonly outcome: LabelOutcome;
  readonly note?: string;
}

/** The items of a person, and the positions of those whose answer is no longer in the store. */
export interface Cards {
  readonly cards: readonly ReviewCard[];
  readonly gone: readonly number[];
}

/** Reads the items that a person has reserved. */
export async function readCards(
  store: Store,
  view: ReviewView,
  reservations: readonly Reservation[],
): Promise<Cards> {
  const items = await readItems(
    store.documents,
    view.task.id,
    reservations.map(({ item }) => item),
  );
  const byPosition = new Map(items.map((item) => [item.position, item]));
  const cards: ReviewCard[] = [];
  const gone: number[] = [];
  for (const reservation of reservations) {
    const item = byPosition.get(reservation.item);
    const card = item && (await readCard(store, { view, reservation, item }));
    if (card === undefined) gone.push(reservation.item);
    else cards.push(card);
  }
  return { cards, gone };
}

/** Reads the result that labels are about; undefined when its run was deleted or the answer was replaced. */
export async function readAnswer(
  store: Store,
  subject: Pick<Subject, 'run' | 'ordinal' | 'answerHash'>,
): Promise<Result | undefined> {
  const { run, ordinal } = subject;
  if (run === undefined || ordinal === undefined) return undefined;
  if ((await store.readRun(run)) === undefined) return undefined;
  const [result]: (Result | undefined)[] = await Array.fromAsync(store.readResults(run, [ordinal]));
  return result !== undefined && hashAnswer(result.trial) === subject.answerHash ? result : undefined;
}

/** A reserved item of a task. */
interface ReservedItem {
  readonly view: ReviewView;
  readonly reservation: Reservation;
  readonly item: ReviewItem;
}

/** Reads what a person sees of an item; undefined when an answer is no longer in the store. */
async function readCard(
  store: Store,
  { view, reservation, item }: ReservedItem,
): Promise<ReviewCard | undefined> {
  const { purpose, until, person } = reservation;
  const { position } = item;
  const own = view.marks.filter((mark) => mark.item === position);
  const turn = item.subject.against && turnOf(own, { person, purpose });
  const content = await readContent(store, view, { item, turn });
  if (content === undefined) return undefined;
  const first = turn === undefined ? undefined : firstInTurn(view.task, position, turn);
  return {
    item: position,
    purpose,
    until,
    turn,
    ...content,
    ...(purpose === 'dispute' && { others: await readOthers(store, view, { item: position, first }) }),
  };
}

/** Reads what a reviewer may read of an item before the label; undefined when an answer is no longer in the store. */
async function readContent(
  store: Store,
  view: ReviewView,
  { item: { subject, position }, turn = 0 }: { readonly item: ReviewItem; readonly turn: Turn | undefined },
): Promise<CardContent | undefined> {
  const result = await readAnswer(store, subject);
  if (result === undefined || subject.against === undefined) return result && contentOf(view, result);
  const against = await readAnswer(store, subject.against);
  if (against === undefined) return undefined;
  const isFirst = firstInTurn(view.task, position, turn) === 'a';
  const [first, second] = isFirst ? [result, against] : [against, result];
  return { ...contentOf(view, first), second: spokenIn(second) };
}

/** Returns what a reviewer may read of a result before the label. */
function contentOf({ rubrics }: Pick<ReviewView, 'rubrics'>, result: Result): CardContent {
  const { context, expected } = result.case;
  const maySeeContext = rubrics.some((rubric) => rubric.maySeeContext);
  const maySeeExpected = rubrics.some((rubric) => rubric.maySeeExpected);
  return {
    ...spokenIn(result),
    ...(maySeeContext && context !== undefined && { context }),
    ...(maySeeExpected && { expected }),
  };
}

function spokenIn({ trial }: Pick<Result, 'trial'>): Pick<CardContent, 'transcript' | 'answer'> {
  return {
    transcript: trial.transcript.map(({ name, ...message }) => ({
      ...message,
      ...(name !== undefined && name !== trial.target && { name }),
    })),
    answer: trial.answer,
  };
}

/**
 * Reads the first labels of an item in force, without names; the labels of one person can be skipped.
 * @param first - For a pair: the answer that comes first for the person who reads them.
 */
export async function readOthers(
  { documents }: Pick<Store, 'documents'>,
  { task, marks }: ReviewView,
  { item, except, first }: { readonly item: number; readonly except?: string; readonly first?: Side },
): Promise<OtherLabel[]> {
  const own = labelsInForce(marks.filter((mark) => mark.item === item));
  const isShown = (mark: LabelMark) =>
    isAnswer(mark) && ['new', 'dispute'].includes(mark.purpose) && mark.person !== except;
  const ids = new Set(own.filter(isShown).map(({ id }) => id));
  if (ids.size === 0) return [];
  const labels = (await Array.fromAsync(documents.list(labelKind, { where: { task: task.id } }))).filter(
    ({ id }) => ids.has(id),
  );
  // By id, which is random: the order of time would show who was first.
  return labels
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ rubric, outcome, note }) => ({
      rubric: rubric.id,
      outcome: first === undefined ? outcome : withShownValue(outcome, first),
      note,
    }));
}

function withShownValue(outcome: LabelOutcome, first: Side): LabelOutcome {
  if (outcome.status !== 'answered') return outcome;
  return { ...outcome, value: toShownValue(outcome.value as PairValue, first) };
}

/** The things that a reviewer may see once the own label is stored. */
export interface Revealed {
  readonly target: string;
  readonly total: number | null;
  /** The verdicts of the criteria that the rubrics are about; absent where the run has none. */
  readonly verdicts: readonly { readonly rubric: string; readonly verdict: Verdict | undefined }[];
  readonly others: readonly OtherLabel[];
  /** For a pair: the names of the targets by their sides, and what judges say; the parts above then belong to the first. */
  readonly pair?: RevealedPair;
}

/** Returns what may be shown of a result after the label. */
export function revealResult(
  { rubrics }: ReviewView,
  { trial, verdicts, scorecard }: Result,
  others: readonly OtherLabel[],
): Revealed {
  return {
    target: trial.target,
    total: scorecard?.total ?? null,
    verdicts: rubrics.map(({ id, criterion }) => ({ rubric: id, verdict: verdicts[criterion] })),
    others,
  };
}

/**
 * Reads what a reviewer may read of an item before the label, whole. Throws `review-not-found`, also when an answer is no
 * longer in the store.
 * @param turn - For a pair: the turn on the card.
 */
export async function readCardContent(
  store: Store,
  taskId: string,
  position: number,
  turn?: Turn,
): Promise<CardContent> {
  const view = await readView(store.documents, taskId);
  const [item] = await readItems(store.documents, taskId, [position]);
  const content = item && (await readContent(store, view, { item, turn }));
  if (content === undefined) throw answerGone(position);
  return content;
}

/** Returns the `review-not-found` error for an item whose answer is no longer in the store. */
export function answerGone(position: number): TouchstoneError {
  return new TouchstoneError(
    'review-not-found',
    `The answer of item ${position + 1} is no longer in the store.`,
  );
}
