import {
  isAnswer,
  type LabelMark,
  labelsInForce,
  type LabelPurpose,
} from '../../core/schema/review/label.ts';
import { createRandom } from '../../core/stats/random.ts';
import { refuseLabel, type Wish } from '../../stores/reviews/admit.ts';
import { type DerivedItem, deriveItems, type ReviewView } from './review-view.ts';

/** A person who asks for items. An adjudicator is offered disputed items, a reviewer all others. */
export interface Asker {
  readonly person: string;
  readonly role: 'reviewer' | 'adjudicator';
  readonly now: Date;
}

/**
 * Returns the items that a person can label next, in the order in which they are offered: those that the person holds
 * already; a second look at own items and a control of settled ones, as soon as one is due; and the others, in a random order
 * that the seed of the task and the name of the person determine. The choice promises nothing: another person may reserve
 * an item first.
 */
export function chooseItems(view: ReviewView, asker: Asker): Wish[] {
  const { person, role, now } = asker;
  const items = deriveItems(view, now);
  const time = now.toISOString();
  const held = view.reservations.filter((each) => each.person === person && each.until > time);
  const isHeld = new Set(held.map(({ item }) => item));
  const free = items.filter(({ position }) => !isHeld.has(position));
  const isOffered = (purpose: LabelPurpose) => (item: DerivedItem) =>
    refuseLabel({ ...item, reservation: undefined }, { person, purpose, now: time }) === undefined &&
    (item.state.status !== 'reserved' || item.state.by === person);
  const wish = (purpose: LabelPurpose, chosen: readonly DerivedItem[]): Wish[] =>
    inOrderOf(view, `${purpose} ${person}`, chosen).map(({ position }) => ({ item: position, purpose }));
  const own = held.map(({ item, purpose }) => ({ item, purpose }));
  if (role === 'adjudicator') {
    const disputed = free.filter(({ state }) => state.status === 'disputed');
    return [
      ...own.filter(({ purpose }) => purpose === 'dispute'),
      ...wish('dispute', disputed.filter(isOffered('dispute'))),
    ];
  }
  const mine = labelsInForce(view.marks.filter((mark) => mark.person === person));
  const extra = (purpose: 'repeat' | 'control', { positions, due }: Extra): Wish[] => {
    if (due <= 0) return [];
    const offered = free.filter(({ position }) => positions.has(position)).filter(isOffered(purpose));
    return wish(purpose, offered).slice(0, due);
  };
  return [
    ...own.filter(({ purpose }) => purpose !== 'dispute'),
    ...extra('repeat', findRepeats(view, mine, now)),
    ...extra('control', findControls(view, mine, items)),
    ...wish('new', free.filter(isOffered('new'))),
  ];
}

/** Items that may be offered once more, and how many of them are due now. */
interface Extra {
  readonly positions: ReadonlySet<number>;
  readonly due: number;
}

/** Returns the own items that are old enough for a second look. A person who skips one is not asked a third time. */
function findRepeats({ task }: ReviewView, mine: readonly LabelMark[], now: Date): Extra {
  const latest = new Date(now.getTime() - task.repeats.afterMs).toISOString();
  const positions = itemsOf(mine.filter((label) => isFirst(label) && label.at <= latest));
  const done = itemsOf(mine.filter(({ purpose }) => purpose === 'repeat'));
  return { positions, due: shareOf(positions.size, task.repeats.share) - done.size };
}

/** Returns the items that others have settled. */
function findControls(
  { task }: ReviewView,
  mine: readonly LabelMark[],
  items: readonly DerivedItem[],
): Extra {
  const done = itemsOf(mine.filter(({ purpose }) => purpose === 'control'));
  const settled = items.filter(({ state }) => state.status === 'settled');
  return {
    positions: new Set(settled.map(({ position }) => position)),
    due: shareOf(itemsOf(mine.filter(isFirst)).size, task.controls.share) - done.size,
  };
}

/** Returns a share of a number, rounded down, with allowance for the rounding of products such as 0.29 × 100. */
function shareOf(count: number, share: number): number {
  return Math.floor(count * share + 1e-9);
}

function isFirst(label: LabelMark): boolean {
  return label.purpose === 'new' && isAnswer(label);
}

function itemsOf(labels: readonly LabelMark[]): Set<number> {
  return new Set(labels.flatMap(({ item }) => (item === null ? [] : [item])));
}

/** Returns items in a random order, which their positions, the seed of the task and a label determine. */
function inOrderOf(
  { task, items }: ReviewView,
  label: string,
  chosen: readonly DerivedItem[],
): DerivedItem[] {
  const random = createRandom(task.seed).fork(label);
  const byPosition = new Map(chosen.map((item) => [item.position, item]));
  const placed = items.flatMap(({ position }) => {
    const place = random.next();
    const item = byPosition.get(position);
    return item === undefined ? [] : [{ item, place }];
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
