import {
  isAnswer,
  type LabelMark,
  labelsInForce,
  type LabelPurpose,
} from '../../core/schema/review/label.ts';
import type { Reservation } from '../../core/schema/review/review-task.ts';

/** The wish of a person to label an item. */
export interface Wish {
  readonly item: number;
  readonly purpose: LabelPurpose;
}

/** The knowledge of a store about an item when a person wants to label it. */
export interface ItemAtHand {
  /** All labels of the item. */
  readonly marks: readonly LabelMark[];
  /** The number of people who are to label it. */
  readonly people: number;
  readonly reservation: Reservation | undefined;
}

/** The reason why a person may not label an item now; undefined when the person may. */
export type Refusal = 'reserved' | 'enough-labels' | 'labelled-before' | undefined;

/**
 * Decides whether a person may label an item. A store decides so in the transaction in which it stores the reservation or
 * the labels, so that an item never gets more labels than wanted, whatever other processes do.
 * @param now - ISO 8601.
 */
export function refuseLabel(
  { marks, people, reservation }: ItemAtHand,
  { person, purpose, now }: { readonly person: string; readonly purpose: LabelPurpose; readonly now: string },
): Refusal {
  if (reservation !== undefined && reservation.person !== person && reservation.until > now)
    return 'reserved';
  const inForce = labelsInForce(marks);
  const own = inForce.filter((label) => label.person === person);
  const firsts = () => inForce.filter((label) => label.purpose === 'new' && isAnswer(label));
  const hasOwn = (...purposes: LabelPurpose[]) => own.some((label) => purposes.includes(label.purpose));
  switch (purpose) {
    case 'new':
      if (hasOwn('new', 'control')) return 'labelled-before';
      return new Set(firsts().map((label) => label.person)).size >= people ? 'enough-labels' : undefined;
    case 'dispute':
      if (firsts().some((label) => label.person === person) || hasOwn('dispute')) return 'labelled-before';
      return inForce.some((label) => label.purpose === 'dispute' && isAnswer(label))
        ? 'enough-labels'
        : undefined;
    case 'control':
      return own.length > 0 ? 'labelled-before' : undefined;
    case 'repeat':
      return hasOwn('repeat') ? 'labelled-before' : undefined;
  }
}
