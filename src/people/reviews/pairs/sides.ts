import {
  isAnswer,
  type LabelMark,
  labelsInForce,
  type LabelPurpose,
} from '../../../core/schema/review/label.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import { type PairValue, type ShownPairValue, shownPairValues } from '../../../core/schema/review/rubric.ts';
import { createRandom } from '../../../core/stats/random.ts';

/** One of the two answers of a pair: the subject of the item, or the answer against it. */
export type Side = 'a' | 'b';

/** The number of an order of the two answers. Which answer comes first in order 0 is drawn for each item. */
export type Turn = 0 | 1;

/** Returns the answer that comes first. The seed of the task and the position decide it, so that it can be derived again. */
export function firstInTurn({ seed }: Pick<ReviewTask, 'seed'>, position: number, turn: Turn): Side {
  const drawn = createRandom(seed).fork(`sides ${position}`).integer(2);
  return drawn === turn ? 'a' : 'b';
}

/** Returns the order in which an answer comes first. */
export function turnWithFirst(task: Pick<ReviewTask, 'seed'>, position: number, first: Side): Turn {
  return firstInTurn(task, position, 0) === first ? 0 : 1;
}

/**
 * Returns the order in which a person sees a pair: people see it in turns, so that, of two people, each sees another order, and one
 * person sees another order the second time.
 * @param marks - The labels of the item.
 */
export function turnOf(
  marks: readonly LabelMark[],
  { person, purpose }: { readonly person: string; readonly purpose: LabelPurpose },
): Turn {
  const firsts = labelsInForce(marks).filter((mark) => mark.purpose === 'new' && isAnswer(mark));
  const own = firsts.find((mark) => mark.person === person);
  const before = firsts.filter(
    (mark) => mark.person !== person && (purpose !== 'repeat' || own === undefined || mark.at < own.at),
  );
  const people = new Set(before.map((mark) => mark.person)).size;
  return ((people + Number(purpose === 'repeat')) % 2) as Turn;
}

/** Returns whether a value is one that a reviewer can give to a pair. */
export function isShownPairValue(value: unknown): value is ShownPairValue {
  return shownPairValues.some((each) => each === value);
}

/** Returns the value of a pair that a reviewer gave, who saw one of the answers first. */
export function toPairValue(value: ShownPairValue, first: Side): PairValue {
  if (value === 'tie' || value === 'both-bad') return value;
  return (value === 'first') === (first === 'a') ? 'a' : 'b';
}

/** Returns the value of a pair as a reviewer sees it, for whom one of the answers comes first. */
export function toShownValue(value: PairValue, first: Side): ShownPairValue {
  if (value === 'tie' || value === 'both-bad') return value;
  return value === first ? 'first' : 'second';
}

/** Returns a label about a pair as a preference: that both answers are bad is a tie. */
export function asPreference<Each extends Pick<LabelMark, 'outcome'>>(label: Each): Each {
  const { outcome } = label;
  if (outcome.status !== 'answered' || outcome.value !== 'both-bad') return label;
  return { ...label, outcome: { ...outcome, value: 'tie' } };
}
