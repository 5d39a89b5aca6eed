import { isAnswer, type LabelMark, labelsInForce } from '../../core/schema/review/label.ts';
import type { ItemState, Reservation, ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import { asPreference } from './pairs/sides.ts';
import { settle, type Settlement } from '../../decide/certificates/settle.ts';

/** The part of an item that its state depends on. */
export type ItemHead = Pick<ReviewItem, 'position' | 'people'>;

/** Everything about a task from which its progress follows. */
export interface ReviewView {
  readonly task: ReviewTask;
  /** The rubrics of the task, in their order. */
  readonly rubrics: readonly Rubric[];
  readonly items: readonly ItemHead[];
  /** All labels of the task, those that were withdrawn or replaced included. */
  readonly marks: readonly LabelMark[];
  readonly reservations: readonly Reservation[];
}

/** An item with everything that is known of it. */
export interface DerivedItem extends ItemHead {
  readonly state: ItemState;
  /** The settlement by each rubric of the task, in their order. */
  readonly settlements: readonly Settlement[];
  readonly marks: readonly LabelMark[];
}

const noMarks: readonly LabelMark[] = [];

/** Derives the state of every item of a task from its labels. */
export function deriveItems(view: ReviewView, now: Date): DerivedItem[] {
  const marks = Map.groupBy(view.marks, ({ item }) => item);
  const time = now.toISOString();
  const held = new Map(
    view.reservations.filter(({ until }) => until > time).map((each) => [each.item, each]),
  );
  return view.items.map(({ position, people }) => {
    const own = marks.get(position) ?? noMarks;
    const settlements = view.rubrics.map((rubric) => settleItem(own, rubric, people));
    return {
      position,
      people,
      settlements,
      marks: own,
      state: stateOf({ settlements, marks: own, people, reservation: held.get(position) }),
    };
  });
}

/** Settles the labels of an item by one rubric. For a pair, a tie and "both are bad" settle as the same preference. */
function settleItem(marks: readonly LabelMark[], rubric: Rubric, wanted: number): Settlement {
  if (marks.length === 0) return { status: 'open', answers: 0, wanted };
  const own = marks.filter(({ rubric: of }) => of.id === rubric.id && of.version === rubric.version);
  return settle(rubric.scale.type === 'pair' ? own.map(asPreference) : own, {
    scale: rubric.scale,
    settle: rubric.settle,
    wanted,
  });
}

function stateOf({
  settlements,
  marks,
  people: wanted,
  reservation,
}: Pick<DerivedItem, 'settlements' | 'marks' | 'people'> & {
  readonly reservation: Reservation | undefined;
}): ItemState {
  const isDisputed = settlements.some(({ status }) => status === 'disputed');
  if (!isDisputed && settlements.every(({ status }) => status === 'settled')) return { status: 'settled' };
  if (reservation !== undefined)
    return { status: 'reserved', by: reservation.person, until: reservation.until };
  if (isDisputed) return { status: 'disputed' };
  if (marks.length === 0) return { status: 'open' };
  const inForce = labelsInForce(marks).filter(({ purpose }) => purpose === 'new');
  const people = new Set(inForce.filter(isAnswer).map(({ person }) => person)).size;
  if (people > 0) return { status: 'labelled', people, wanted };
  return { status: inForce.length > 0 ? 'skipped' : 'open' };
}
