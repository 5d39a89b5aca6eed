import { isAnswer, type LabelMark, labelsInForce } from '../../core/schema/review/label.ts';
import type { ItemState } from '../../core/schema/review/review-task.ts';
import type { RubricName } from '../../core/schema/review/rubric.ts';
import type { Interval } from '../../core/stats/interval.ts';
import { wilsonInterval } from '../../core/stats/proportion-interval.ts';
import { quantile } from '../../core/stats/quantile.ts';
import { asPreference } from './pairs/sides.ts';
import { type DerivedItem, deriveItems, type ReviewView } from './review-view.ts';
import { isSame } from '../../decide/certificates/settle.ts';

/** The time that one label is expected to take before any was given, in seconds. */
export const expectedSeconds = 40;

/** A count of pairs of labels, and of those that give the same answer, with Wilson's interval of the share. */
export interface Sameness {
  readonly pairs: number;
  readonly same: number;
  readonly share: Interval;
}

/** The work of one person on a task. */
export interface PersonProgress {
  readonly person: string;
  /** The number of items: labelled first, skipped, seen again, checked, and disputes decided. */
  readonly labelled: number;
  readonly skipped: number;
  readonly repeats: number;
  readonly controls: number;
  readonly decided: number;
  /** The median time of an item in seconds; null when unknown. */
  readonly medianSeconds: number | null;
  /** The longest sitting, in milliseconds: labels with at most ten minutes between them. */
  readonly longestSittingMs: number;
  /** Own first and second labels of the same item. */
  readonly steadiness: Sameness;
}

/** The progress of a task, as derived from its labels. */
export interface ReviewProgress {
  readonly items: number;
  /** The number of items in each state. */
  readonly states: Readonly<Record<ItemState['status'], number>>;
  /** The number of labels wanted, and of those given: one for each item and person. */
  readonly wanted: number;
  readonly given: number;
  /** The expected hours of work for the labels that are missing. */
  readonly hoursLeft: number;
  readonly people: readonly PersonProgress[];
  /** By rubric: the raw agreement of pairs of people on the same item, before any adjudication. */
  readonly agreement: readonly (Sameness & { readonly rubric: RubricName })[];
  /** The positions of the disputed items. */
  readonly disputed: readonly number[];
}

/** Derives the progress of a task. */
export function deriveProgress(view: ReviewView, now: Date): ReviewProgress {
  const items = deriveItems(view, now);
  const states: Record<ItemState['status'], number> = {
    open: 0,
    skipped: 0,
    reserved: 0,
    labelled: 0,
    disputed: 0,
    settled: 0,
  };
  for (const { state } of items) states[state.status] += 1;
  const wanted = sum(items.map(({ people }) => people));
  const given = sum(items.map((item) => Math.min(item.people, peopleOf(item).size)));
  const seconds = medianOf(secondsOf(view.marks)) ?? expectedSeconds;
  return {
    items: items.length,
    states,
    wanted,
    given,
    hoursLeft: ((wanted - given) * seconds) / 3600,
    people: derivePeople(view),
    agreement: view.rubrics.map(({ id, version, scale }) => {
      const labelsOf = (marks: readonly LabelMark[]) =>
        firstLabels(marks, id).map((label) => (scale.type === 'pair' ? asPreference(label) : label));
      return {
        rubric: { id, version },
        ...toSameness(items.flatMap(({ marks }) => pairsOf(labelsOf(marks)))),
      };
    }),
    disputed: items
      .filter(({ settlements }) => settlements.some(({ status }) => status === 'disputed'))
      .map(({ position }) => position),
  };
}

/** Returns the first answers of people, as they were before anything was shown: without corrections. */
function firstLabels(marks: readonly LabelMark[], rubricId?: string): LabelMark[] {
  return labelsInForce(marks.filter(({ kind }) => kind !== 'correction')).filter(
    (mark) =>
      mark.purpose === 'new' && isAnswer(mark) && (rubricId === undefined || mark.rubric.id === rubricId),
  );
}

function peopleOf({ marks }: DerivedItem): Set<string> {
  return new Set(firstLabels(marks).map(({ person }) => person));
}

type Pair = readonly [LabelMark, LabelMark];

/** Returns every pair of labels of different people. */
function pairsOf(labels: readonly LabelMark[]): Pair[] {
  return labels.flatMap((one, index) => labels.slice(index + 1).map((other): Pair => [one, other]));
}

function toSameness(pairs: readonly Pair[]): Sameness {
  const same = pairs.filter(([one, other]) => isSame(one, other)).length;
  return { pairs: pairs.length, same, share: wilsonInterval({ successes: same, trials: pairs.length }) };
}

function derivePeople({ marks }: ReviewView): PersonProgress[] {
  const byPerson = Map.groupBy(marks, ({ person }) => person);
  return [...byPerson]
    .map(([person, given]) => toPerson(person, given))
    .sort((one, other) => (one.person < other.person ? -1 : 1));
}

function toPerson(person: string, marks: readonly LabelMark[]): PersonProgress {
  const inForce = labelsInForce(marks);
  const count = (test: (label: LabelMark) => boolean) =>
    new Set(inForce.filter(test).map(({ item, id }) => item ?? id)).size;
  return {
    person,
    labelled: count((label) => label.purpose === 'new' && isAnswer(label)),
    skipped: count(({ outcome }) => outcome.status === 'skipped'),
    repeats: count((label) => label.purpose === 'repeat' && isAnswer(label)),
    controls: count((label) => label.purpose === 'control' && isAnswer(label)),
    decided: count((label) => label.purpose === 'dispute' && isAnswer(label)),
    medianSeconds: medianOf(secondsOf(inForce)),
    longestSittingMs: longestSittingMs(marks),
    steadiness: toSameness(repeatedLabels(marks)),
  };
}

/** Returns the first and second labels of the items that a person has labelled twice. */
function repeatedLabels(marks: readonly LabelMark[]): Pair[] {
  const answers = labelsInForce(marks.filter(({ kind }) => kind !== 'correction')).filter(isAnswer);
  const firsts = answers.filter(({ purpose }) => purpose === 'new');
  return answers.flatMap((again) => {
    if (again.purpose !== 'repeat') return [];
    const first = firsts.find(({ item, rubric }) => item === again.item && rubric.id === again.rubric.id);
    return first === undefined ? [] : [[first, again] as const];
  });
}

/** The time without a label after which a sitting has ended. */
const breakMs = 600_000;

/** Returns the length of the longest sitting of a person in milliseconds. */
export function longestSittingMs(marks: readonly Pick<LabelMark, 'at'>[]): number {
  const times = marks.map(({ at }) => Date.parse(at)).sort((one, other) => one - other);
  let [longest, start] = [0, times[0] ?? 0];
  for (const [index, time] of times.entries()) {
    if (time - (times[index - 1] ?? time) > breakMs) start = time;
    longest = Math.max(longest, time - start);
  }
  return longest;
}

/** Returns the seconds of each item: its labels by several rubrics took the time of one together. */
function secondsOf(marks: readonly LabelMark[]): number[] {
  const taken = new Map<string, number>();
  for (const { item, person, at, seconds, outcome } of marks)
    if (seconds !== null && outcome.status !== 'withdrawn') taken.set(`${item} ${at} ${person}`, seconds);
  return [...taken.values()];
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile({ values, p: 0.5, method: 'linear' }).value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
