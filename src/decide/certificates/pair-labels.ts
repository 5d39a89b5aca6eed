import type { LabelMark } from '../../core/schema/review/label.ts';
import { isAnswer, labelsInForce } from '../../core/schema/review/label.ts';
import type { LeftOut } from '../../core/schema/review/certificate.ts';
import type { DrawRule, ReviewItem, Stratum } from '../../core/schema/review/review-task.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import type { Category } from '../../core/stats/agreement/rating-table.ts';
import { passOf } from './rubric.ts';
import { settle } from './settle.ts';

/** An answer with the verdict of people and of the judge. */
export interface LabelledAnswer {
  /** The position of the item in its task. */
  readonly item: number;
  /** True when people, without sight of the judge's verdict, settled that the answer passes. */
  readonly truth: boolean;
  /** The judge's verdict. */
  readonly passed: boolean;
  readonly stratum: string;
  /** The probability of being drawn; null when picked by hand. */
  readonly probability: number | null;
  readonly category: string;
  readonly target: string;
  /** Answers that belong together, such as attempts at one case. */
  readonly cluster: string;
}

/** The labels of a task, and the verdicts of the judge on its items. */
export interface LabelsAndVerdicts {
  readonly items: readonly ReviewItem[];
  readonly marks: readonly LabelMark[];
  readonly rubric: Rubric;
  /** The versions of the rubric whose labels count. */
  readonly versions: ReadonlySet<string>;
  /** Returns the verdict of the judge on the answer of an item; null when there is none. */
  readonly passedOf: (item: ReviewItem) => boolean | null;
  /** Returns the cluster of the answer of an item. */
  readonly clusterOf: (item: ReviewItem) => string;
}

/** Answers with both verdicts, and what was ignored. */
export interface PairedLabels {
  readonly answers: readonly LabelledAnswer[];
  /** The ids of the labels that decided, in order. */
  readonly labels: readonly string[];
  /** The ids of all labels that settle an answer, in order, whether or not the judge has a verdict on it. */
  readonly settled: readonly string[];
  readonly leftOut: LeftOut;
  /** The first blind labels of people, one row for each item that at least two people labelled. */
  readonly ratings: readonly Ratings[];
}

/** The labels of one item, by person. */
export type Ratings = ReadonlyMap<string, Category>;

/**
 * Pairs what people settled without sight of the judge's verdict with the verdicts of the judge on the same answers. Disputed
 * items, items that are open, and answers without a verdict are counted, never guessed.
 */
export function pairLabels(all: LabelsAndVerdicts): PairedLabels {
  const { items, rubric, versions } = all;
  const own = all.marks.filter(({ rubric: name }) => name.id === rubric.id && versions.has(name.version));
  const marks = Map.groupBy(own, ({ item }) => item);
  const leftOut = { open: 0, disputed: 0, notApplicable: 0, notBlind: 0, noVerdict: 0 };
  const answers: LabelledAnswer[] = [];
  const labels: string[] = [];
  const settled: string[] = [];
  const ratings: Ratings[] = [];
  for (const item of items) {
    const ownMarks = marks.get(item.position) ?? [];
    const rated = ratingsOf(ownMarks, rubric);
    if (rated.size >= 2) ratings.push(rated);
    const found = judgeItem(item, ownMarks, all);
    settled.push(...(found.labels ?? []));
    if ('reason' in found) leftOut[found.reason] += 1;
    else {
      answers.push(found.answer);
      labels.push(...found.labels);
    }
  }
  return { answers, labels: labels.toSorted(), settled: settled.toSorted(), leftOut, ratings };
}

function judgeItem(
  item: ReviewItem,
  marks: readonly LabelMark[],
  { rubric, passedOf, clusterOf }: LabelsAndVerdicts,
):
  | { readonly reason: keyof LeftOut; readonly labels?: readonly string[] }
  | { readonly answer: LabelledAnswer; readonly labels: readonly string[] } {
  const { subject, stratum, probability, people: wanted } = item;
  const rules = { scale: rubric.scale, settle: rubric.settle, wanted };
  const settled = settle(marks, { ...rules, isBlindOnly: true });
  if (settled.status !== 'settled') {
    if (settled.status === 'disputed') return { reason: 'disputed' };
    return { reason: settle(marks, rules).status === 'settled' ? 'notBlind' : 'open' };
  }
  const truth = passOf(rubric, settled.value);
  if (truth === null) return { reason: 'notApplicable' };
  const passed = passedOf(item);
  if (passed === null) return { reason: 'noVerdict', labels: settled.labels };
  const { category = 'uncategorized', target } = subject;
  const cluster = clusterOf(item);
  return {
    answer: { item: item.position, truth, passed, stratum, probability, category, target, cluster },
    labels: settled.labels,
  };
}

/** Returns what each person said first, without sight of anything. */
function ratingsOf(marks: readonly LabelMark[], rubric: Rubric): Ratings {
  const blind = marks.filter(
    ({ isBlind, kind, outcome }) => (isBlind && kind === 'label') || outcome.status === 'withdrawn',
  );
  const answers = labelsInForce(blind).filter((mark) => mark.purpose === 'new' && isAnswer(mark));
  return new Map(
    answers.map(({ person, outcome }) => {
      const value = outcome.status === 'answered' ? outcome.value : null;
      return [person, passOf(rubric, value) ?? 'not applicable'];
    }),
  );
}

/** Labelled answers with the draw that they come from. */
interface DrawnAnswers {
  readonly draw: DrawRule['type'];
  readonly strata: readonly Stratum[];
  readonly answers: readonly LabelledAnswer[];
}

/**
 * Returns labelled answers with the probability that each counts with, or null when a draw says none. Within a stratum, all
 * are equally likely to be labelled: the items of a task are in random order, so those labelled first are a random part.
 */
export function weigh({
  draw,
  strata,
  answers,
}: DrawnAnswers): (LabelledAnswer & { probability: number })[] | null {
  const labelled = Map.groupBy(answers, ({ stratum }) => stratum);
  const found = answers.map((answer) => {
    const own = strata.find(({ name }) => name === answer.stratum);
    const count = labelled.get(answer.stratum)?.length ?? 0;
    if (own === undefined || answer.probability === null || own.drawn === 0) return undefined;
    const probability = draw === 'uncertainty' ? (answer.probability * count) / own.drawn : count / own.size;
    return { ...answer, probability: Math.min(1, probability) };
  });
  const known = found.filter((each) => each !== undefined);
  return known.length === answers.length ? known : null;
}
