import type { LabelOutcome, LabelValue, SkipReason } from '../../../../src/core/schema/review/label.ts';
import type { Rubric, ShownPairValue } from '../../../../src/core/schema/review/rubric.ts';

/** A value that a key gives, and what it means. */
interface AnswerOption {
  readonly key: string;
  /** The value; null for "not applicable". */
  readonly value: LabelValue | null;
  readonly label: string;
}

/** The values of a pair, in which the arrows are keys too. */
const pairOptions: readonly AnswerOption[] = [
  { key: '1', value: 'first', label: '← The first answer is better' },
  { key: '2', value: 'second', label: 'The second answer is better →' },
  { key: 't', value: 'tie', label: 'Neither is better' },
  { key: '0', value: 'both-bad', label: 'Both are bad' },
];

/** The words of the values of a pair. */
const pairWords: Readonly<Record<string, string>> = {
  first: 'the first is better',
  second: 'the second is better',
  tie: 'neither is better',
  'both-bad': 'both are bad',
};

/** Returns the values of a rubric with their keys; none for a text, which is typed. */
export function optionsOf({ scale, notApplicable }: Rubric): AnswerOption[] {
  const none =
    notApplicable === undefined ? [] : [{ key: '0', value: null, label: `Not applicable: ${notApplicable}` }];
  if (scale.type === 'yes-no')
    return [{ key: 'y', value: true, label: 'Yes' }, { key: 'n', value: false, label: 'No' }, ...none];
  if (scale.type === 'text') return none;
  if (scale.type === 'pair') return [...pairOptions];
  const labels = scale.type === 'ordinal' ? scale.anchors : scale.choices;
  const points = labels.map((label, index) => ({
    key: String(index + 1),
    value: scale.type === 'ordinal' ? index + 1 : label,
    label,
  }));
  return [...points, ...none];
}

/** Returns the index of the first answer that needs a note and has none; -1 when there is none. */
export function firstWithoutNote(
  drafts: readonly { readonly value: LabelValue | null | undefined; readonly note: string }[],
  rubrics: readonly Rubric[],
): number {
  return drafts.findIndex(
    ({ value, note }, index) =>
      value !== undefined &&
      value !== null &&
      rubrics[index]?.noteOn?.includes(value) === true &&
      note.trim() === '',
  );
}

/** The reasons for skipping an item, with their keys. */
export const skipReasons: readonly {
  readonly key: string;
  readonly reason: SkipReason;
  readonly label: string;
}[] = [
  { key: '1', reason: 'unclear', label: 'The question or the answer is unclear to me' },
  { key: '2', reason: 'broken', label: 'The item is broken' },
  { key: '3', reason: 'no-expertise', label: 'I do not know enough about it' },
];

/** Writes which of two answers is better, in words. */
export function wordsOfPair(value: ShownPairValue): string {
  return pairWords[value] ?? value;
}

/** Writes what a label says, in words; of a pair when `isPair` is true. */
export function wordsOfOutcome(outcome: LabelOutcome, isPair = false): string {
  if (outcome.status === 'not-applicable') return 'not applicable';
  if (outcome.status !== 'answered') return outcome.status;
  if (typeof outcome.value === 'boolean') return outcome.value ? 'yes' : 'no';
  const value = String(outcome.value);
  return isPair ? (pairWords[value] ?? value) : value;
}
