import type { Case } from '../schema/case.ts';
import type { Message } from '../schema/message.ts';
import type { Result } from '../schema/result.ts';
import type { LabelOutcome, LabelPurpose, Subject } from '../schema/review/label.ts';
import { isAnswer, type LabelMark, labelsInForce } from '../schema/review/label.ts';
import type { Reservation, ReviewItem } from '../schema/review/review-task.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { Store } from '../stores/store.ts';
import { hashAnswer } from './frame.ts';
import type { ReviewView } from './review-view.ts';

/**
 * One item as a reviewer sees it: without the verdict of the judge, the score, the name of the target, the stratum and the
 * names of others. The labels of others are only there for the decision of a dispute.
 */
export interface ReviewCard {
  readonly item: number;
  readonly purpose: LabelPurpose;
  /** The end of the reservation; ISO 8601. */
  readonly until: string;
  readonly transcript: readonly Message[];
  /** The context and the expected answer of the case, where a rubric allows them. */
  readonly context?: Case['context'];
  readonly expected?: Case['expected'];
  /** The differing labels, without names and in an order that says nothing about them. */
  readonly others?: readonly OtherLabel[];
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
  const items = await store.reviews.readItems(
    view.task.id,
    reservations.map(({ item }) => item),
  );
  const byPosition = new Map(items.map((item) => [item.position, item]));
  const cards: ReviewCard[] = [];
  const gone: number[] = [];
  for (const reservation of reservations) {
    const item = byPosition.get(reservation.item);
    const result = item && (await readAnswer(store, item.subject));
    if (result === undefined) gone.push(reservation.item);
    else cards.push(await toCard(store, { view, reservation, result, item: item as ReviewItem }));
  }
  return { cards, gone };
}

/** Reads the result that labels are about; undefined when its run was deleted or the answer was replaced. */
export async function readAnswer(store: Store, subject: Subject): Promise<Result | undefined> {
  const { run, ordinal } = subject;
  if (run === undefined || ordinal === undefined) return undefined;
  if ((await store.readRun(run)) === undefined) return undefined;
  const [result]: (Result | undefined)[] = await Array.fromAsync(store.readResults(run, [ordinal]));
  return result !== undefined && hashAnswer(result.trial) === subject.answerHash ? result : undefined;
}

async function toCard(
  store: Store,
  {
    view,
    reservation,
    result,
    item,
  }: {
    readonly view: ReviewView;
    readonly reservation: Reservation;
    readonly result: Result;
    readonly item: ReviewItem;
  },
): Promise<ReviewCard> {
  const { purpose, until } = reservation;
  const { context, expected } = result.case;
  const maySeeContext = view.rubrics.some((rubric) => rubric.maySeeContext);
  const maySeeExpected = view.rubrics.some((rubric) => rubric.maySeeExpected);
  return {
    item: item.position,
    purpose,
    until,
    transcript: result.trial.transcript,
    ...(maySeeContext && context !== undefined && { context }),
    ...(maySeeExpected && { expected }),
    ...(purpose === 'dispute' && { others: await readOthers(store, view, { item: item.position }) }),
  };
}

/** Reads the first labels of an item in force, without names; those of one person can be left out. */
export async function readOthers(
  { reviews }: Pick<Store, 'reviews'>,
  { task, marks }: ReviewView,
  { item, except }: { readonly item: number; readonly except?: string },
): Promise<OtherLabel[]> {
  const own = labelsInForce(marks.filter((mark) => mark.item === item));
  const isShown = (mark: LabelMark) =>
    isAnswer(mark) && ['new', 'dispute'].includes(mark.purpose) && mark.person !== except;
  const ids = new Set(own.filter(isShown).map(({ id }) => id));
  if (ids.size === 0) return [];
  const labels = (await Array.fromAsync(reviews.readLabels({ task: task.id }))).filter(({ id }) =>
    ids.has(id),
  );
  // By id, which is random: the order of time would show who was first.
  return labels
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ rubric, outcome, note }) => ({
      rubric: rubric.id,
      outcome,
      ...(note !== undefined && { note }),
    }));
}

/** The things that a reviewer may see once the own label is stored. */
export interface Revealed {
  readonly target: string;
  readonly total: number | null;
  /** The verdicts of the criteria that the rubrics are about; absent where the run has none. */
  readonly verdicts: readonly { readonly rubric: string; readonly verdict: Verdict | undefined }[];
  readonly others: readonly OtherLabel[];
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
