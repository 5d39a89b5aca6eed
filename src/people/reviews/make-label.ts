import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import { randomId } from '../../core/lib/random-id.ts';
import {
  type Blindness,
  isAnswer,
  type Label,
  type LabelMark,
  type LabelOutcome,
  type LabelPurpose,
  labelsInForce,
  type LabelValue,
  personSchema,
} from '../../core/schema/review/label.ts';
import type { ReviewItem } from '../../core/schema/review/review-task.ts';
import { describeScale, isOnScale, type Rubric } from '../../core/schema/review/rubric.ts';
import type { Store } from '../../stores/store.ts';
import { firstInTurn, isShownPairValue, type Side, toPairValue, type Turn, turnOf } from './pairs/sides.ts';
import type { ReviewView } from './review-view.ts';
import { readItems } from '../../stores/reviews/review-records.ts';

/** The person who works on a task, and the time. */
export interface Reviewer {
  readonly person: string;
  readonly role?: 'reviewer' | 'adjudicator';
  /** The name of the access token that was used. */
  readonly token?: string;
  /** The current time, for tests. */
  readonly now?: Date;
}

/** The answer to the question of one rubric. */
export interface GivenLabel {
  readonly rubric: string;
  /** The value; null for "not applicable". */
  readonly value: LabelValue | null;
  readonly note?: string;
  readonly spans?: Label['spans'];
}

/** The answer of a person to one item. */
export interface GivenAnswer {
  readonly item: number;
  /** The purpose on the card; `new` by default. */
  readonly purpose?: LabelPurpose;
  /** One for each rubric of the task. */
  readonly labels: readonly GivenLabel[];
  /** The time from the display of the item to the label. */
  readonly seconds?: number;
  readonly order?: number;
  /** For a pair: the turn on the card. */
  readonly turn?: Turn;
  /** The things that the person could see although they are hidden otherwise, such as on another page of the dashboard. */
  readonly shown?: Partial<Blindness>;
  /** A unique text; a caller that sends the same answer again with it, since no reply came, stores it once. */
  readonly id?: string;
}

/** The answer to one rubric with its outcome. */
export interface Part {
  readonly rubric: Rubric;
  readonly given: GivenLabel;
  readonly outcome: LabelOutcome;
}

/** Returns the error that refuses an answer which does not fit the rubric. */
export function refuseAnswer(message: string): TouchstoneError {
  return new TouchstoneError('review-invalid', message);
}

/** Returns the outcome of a value, for a pair in the order in which it is shown. Throws `review-invalid` for a value that is not on the scale. */
export function outcomeOf({ id, scale, notApplicable }: Rubric, value: LabelValue | null): LabelOutcome {
  const isFit = scale.type === 'pair' ? isShownPairValue(value) : isOnScale(value, scale);
  if (value !== null && isFit) return { status: 'answered', value };
  if (value === null && notApplicable !== undefined) return { status: 'not-applicable' };
  const found = value === null ? '"not applicable" is' : `${JSON.stringify(value)} is`;
  throw refuseAnswer(`${found} no answer to the rubric ${id}: it asks for ${describeScale(scale)}.`);
}

/** Throws `review-invalid` for a value that needs a note and has none. */
export function requireNote({ id, noteOn = [] }: Rubric, { value, note = '' }: GivenLabel): void {
  if (value === null || !noteOn.includes(value) || note.trim() !== '') return;
  throw refuseAnswer(`The rubric ${id} asks for a note with the answer ${JSON.stringify(value)}.`);
}

/** Throws `label-refused` for a person who is not of the task, and for a closed task. */
export function requirePerson({ task }: ReviewView, { person, role = 'reviewer' }: Reviewer): void {
  const parsed = personSchema.safeParse(person);
  if (!parsed.success) throw refuseAnswer(`The name of a person ${parsed.error.issues[0]?.message}.`);
  const allowed = role === 'adjudicator' ? task.adjudicators : task.people;
  const refused =
    task.status === 'closed'
      ? 'is closed'
      : allowed.length > 0 && !allowed.includes(person) && `is for ${allowed.join(', ')} only`;
  if (refused !== false)
    throw new TouchstoneError('label-refused', `The review task ${task.id} ${refused}.`, {
      remedy: 'Choose another task: `touchstone review list`.',
    });
}

/** Returns the labels of a person for an item. Throws `label-refused` when there are none. */
export function requireOwnLabels({ marks }: ReviewView, person: string, item: number) {
  const own = labelsInForce(marks.filter((mark) => mark.person === person && mark.item === item));
  const answers = own.filter((mark) => isAnswer(mark) && mark.purpose !== 'repeat');
  if (answers.length > 0) return answers;
  throw new TouchstoneError('label-refused', `${person} has not labelled item ${item + 1} yet.`, {
    remedy: 'Label it first: what is shown before would be copied.',
  });
}

/** Reads an item. Throws `review-not-found`. */
export async function readItem({ documents }: Store, taskId: string, item: number): Promise<ReviewItem> {
  const [found] = await readItems(documents, taskId, [item]);
  if (found !== undefined) return found;
  throw new TouchstoneError('review-not-found', `The review task ${taskId} has no item ${item + 1}.`);
}

const allHidden: Blindness = { verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'hidden' };

/** Makes the label of a person by one rubric. */
export function makeLabel(
  view: ReviewView,
  { subject, stratum, probability, position }: ReviewItem,
  {
    reviewer,
    answer,
    part,
  }: { readonly reviewer: Reviewer; readonly answer: GivenAnswer; readonly part: Part },
): Label {
  const { person, token, now = new Date() } = reviewer;
  const { purpose = 'new', seconds = null, order, shown, id = randomId() } = answer;
  const { note, spans } = part.given;
  const isDispute = purpose === 'dispute';
  const { task } = view;
  const turn = answer.turn ?? turnOf(marksOf(view, position), { person, purpose });
  const first = subject.against && firstInTurn(task, position, turn);
  return {
    id: hashText(`${task.id} ${position} ${person} ${id} ${part.rubric.id}`),
    subject,
    rubric: { id: part.rubric.id, version: part.rubric.version },
    kind: isDispute ? 'adjudication' : 'label',
    purpose,
    ...sidedOutcome(part.outcome, first),
    ...(note !== undefined && note !== '' && { note }),
    ...(spans !== undefined && spans.length > 0 && { spans }),
    by: { person, token, role: isDispute ? 'adjudicator' : 'reviewer' },
    at: now.toISOString(),
    seconds,
    blind: { ...blindnessOf(purpose), ...shown },
    task: task.id,
    item: position,
    draw: { frame: task.frame.hash, stratum, probability, seed: task.seed },
    ...(order !== undefined && { order }),
  };
}

function marksOf({ marks }: ReviewView, position: number): LabelMark[] {
  return marks.filter(({ item }) => item === position);
}

/** Returns an outcome; the outcome of a pair with the answer that was meant in place of its side, and the answer that stood first. */
function sidedOutcome(outcome: LabelOutcome, first: Side | undefined): Pick<Label, 'outcome' | 'first'> {
  if (first === undefined) return { outcome };
  if (outcome.status !== 'answered' || !isShownPairValue(outcome.value)) return { outcome, first };
  return { outcome: { ...outcome, value: toPairValue(outcome.value, first) }, first };
}

/** A decision is made with sight of the labels; before a second look, the verdict may have been shown after the first. */
function blindnessOf(purpose: LabelPurpose): Blindness {
  if (purpose === 'repeat') return { ...allHidden, verdict: 'unknown', score: 'unknown', others: 'unknown' };
  return purpose === 'dispute' ? { ...allHidden, others: 'shown' } : allHidden;
}
