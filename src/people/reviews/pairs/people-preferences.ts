import { rankTargets, summarizePair } from '../../../decide/analysis/preference/summarize-preferences.ts';
import { type AnswerPreference, type TargetPreference } from '../../../core/schema/api/preference/report.ts';
import {
  type PeoplePair,
  type PeoplePreferenceReport,
  peoplePreferenceVersion,
} from '../../../core/schema/api/preference/people.ts';
import { isAnswer, type Label, labelsInForce, markOf } from '../../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import type { Run } from '../../../core/schema/run.ts';
import { mcnemar } from '../../../core/stats/paired/mcnemar.ts';
import type { Store } from '../../../stores/store.ts';
import { peopleAgreement } from '../calibrate/agreement.ts';
import { readAnswer } from '../cards.ts';
import { readView } from '../read-view.ts';
import { settle, type Settlement } from '../../../decide/certificates/settle.ts';
import { type JudgedPair, judgesOnPairs, readJudgedPairs } from './judges-on-pairs.ts';
import { nameOf } from './reveal-pair.ts';
import { asPreference } from './sides.ts';
import { readItems } from '../../../stores/reviews/review-records.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';
import { labelKind } from '../../../stores/kinds/label.ts';

/**
 * Reads what people prefer, from the labels of a review task about pairs, and compares judges that have stored preferences with it on
 * the same pairs. Only labels that were given blind count. Pairs on which people disagree are not measured, until someone decides.
 * Throws `review-not-found` and `rubric-not-found`.
 */
export async function readPeoplePreferences(store: Store, taskId: string): Promise<PeoplePreferenceReport> {
  const { task, rubrics } = await readView(store.documents, taskId);
  const [rubric] = rubrics as [Rubric];
  const items = await readItems(store.documents, taskId);
  const all = await Array.fromAsync(store.documents.list(labelKind, { where: { task: taskId } }));
  const labels = all.filter(
    (label) => label.rubric.id === rubric.id && label.rubric.version === rubric.version,
  );
  const byItem = Map.groupBy(labels, ({ item }) => item ?? -1);
  const clusters = await readClusters(store, task);
  const preferences: AnswerPreference[] = [];
  for (const item of items) {
    const own = byItem.get(item.position) ?? [];
    preferences.push({
      ...(await describeItem(store, task, item)),
      ...clusterOf(clusters.get(item.subject.caseHash)),
      outcome: outcomeOf(settleItem(own, rubric, item), own),
    });
  }
  const firsts = firstLabels(labels);
  const judged = await readJudgedPairs(store, task);
  const { targets } = task.pairs ?? { targets: [] };
  return {
    version: peoplePreferenceVersion,
    task: task.id,
    createdAt: task.createdAt,
    rubric: { id: rubric.id, version: rubric.version, question: rubric.question },
    targets,
    frame: task.frame.count,
    drawn: items.length,
    people: agreementOf(firsts),
    labels: firsts.length,
    bothBad: firsts.filter(({ outcome }) => outcome.status === 'answered' && outcome.value === 'both-bad')
      .length,
    pairs: pairsOf(targets).map(([a, b]) => {
      const own = preferences.filter((each) => each.a === a && each.b === b);
      const positions = new Set(
        items.filter((_, index) => isOf(preferences[index], a, b)).map((item) => item.position),
      );
      return toPair(own, { a, b, judged, labels: firsts.filter(({ item }) => positions.has(item ?? -1)) });
    }),
    ...(targets.length > 2 && { ranking: rankTargets(preferences, task.seed) }),
    preferences,
  };
}

function isOf(preference: AnswerPreference | undefined, a: string, b: string): boolean {
  return preference?.a === a && preference.b === b;
}

function pairsOf(targets: readonly { readonly name: string }[]): [a: string, b: string][] {
  return targets.flatMap(({ name: a }, place) =>
    targets.slice(place + 1).map(({ name: b }): [string, string] => [a, b]),
  );
}

/** Reads the cluster of each case of the run that the task is about; nothing where the run was deleted. */
async function readClusters(store: Store, { frame }: ReviewTask): Promise<Map<string, string>> {
  const clusters = new Map<string, string>();
  if ((await store.readRun(frame.run)) === undefined) return clusters;
  for await (const { hash, case: testCase } of store.readCases(frame.run))
    if (testCase.cluster !== undefined) clusters.set(hash, testCase.cluster);
  return clusters;
}

function clusterOf(cluster: string | undefined): { cluster?: string } {
  return cluster === undefined ? {} : { cluster };
}

/** Describes the pair of an item, with the lengths of its answers where they are still in the store. */
async function describeItem(store: Store, task: ReviewTask, { subject }: ReviewItem) {
  const { caseId, caseHash, attempt, against = subject } = subject;
  const lengthOf = async (answer: typeof subject | typeof against): Promise<number | null> =>
    (await readAnswer(store, answer))?.trial.answer?.length ?? null;
  return {
    caseId,
    caseHash,
    attempt,
    a: nameOf(task, subject),
    b: nameOf(task, against),
    lengths: { a: await lengthOf(subject), b: await lengthOf(against) },
  };
}

function settleItem(
  labels: readonly Label[],
  { scale, settle: rule }: Rubric,
  { people }: ReviewItem,
): Settlement {
  const marks = labels.map((label) => asPreference(markOf(label)));
  return settle(marks, { scale, settle: rule, wanted: people, isBlindOnly: true });
}

function outcomeOf(settlement: Settlement, labels: readonly Label[]): AnswerPreference['outcome'] {
  const without = (code: string, reason: string): AnswerPreference['outcome'] => ({
    status: 'not-measured',
    code,
    reason,
    judgements: [],
  });
  if (settlement.status === 'disputed')
    return without('disputed', 'people disagree, and nothing was decided');
  if (settlement.status === 'open') return without('not-labelled', 'too few people have answered blind');
  const { value, labels: ids } = settlement;
  const winner = value === 'a' || value === 'b' ? value : 'tie';
  const notes = labels.flatMap(({ id, note }) => (ids.includes(id) && note !== undefined ? [note] : []));
  // Which side each person chose is counted over labels, disputed ones included.
  return { status: 'decided', winner, isConsistent: true, positions: [], reasons: notes, judgements: [] };
}

/** Returns the labels in force that people gave first, before anything was shown. */
function firstLabels(labels: readonly Label[]): Label[] {
  return labelsInForce(labels.filter(({ kind }) => kind === 'label')).filter((label) => {
    const mark = markOf(label);
    return mark.purpose === 'new' && isAnswer(mark) && mark.isBlind;
  });
}

function agreementOf(labels: readonly Label[]) {
  const byItem = Map.groupBy(labels, ({ item }) => item);
  const ratings = Array.from(byItem.values(), (own) => {
    const preferences = own.map((label) => [label.by.person, preferenceIn(label)] as const);
    return new Map(preferences);
  });
  return peopleAgreement(ratings.filter((ratingsOfItem) => ratingsOfItem.size > 1));
}

function preferenceIn(label: Label): string {
  const { outcome } = asPreference(label);
  return outcome.status === 'answered' ? String(outcome.value) : 'tie';
}

function toPair(
  preferences: readonly AnswerPreference[],
  {
    a,
    b,
    judged,
    labels,
  }: {
    readonly a: string;
    readonly b: string;
    readonly judged: readonly JudgedPair[];
    readonly labels: readonly Label[];
  },
): PeoplePair {
  const planned = preferences.length;
  const pair = summarizePair({ a, b, preferences, planned, casesOnlyInA: 0, casesOnlyInB: 0 });
  return { ...pair, position: sidesOf(labels), judges: judgesOnPairs(preferences, judged) };
}

/** Counts how often people preferred the answer on either side, with the sign test: sides were drawn, so that neither should win. */
function sidesOf(labels: readonly Label[]): TargetPreference['position'] {
  const chosen = labels.flatMap((label) => {
    const preference = preferenceIn(label);
    return label.first === undefined || preference === 'tie' ? [] : [preference === label.first];
  });
  const toFirst = chosen.filter((isFirst) => isFirst).length;
  const toSecond = chosen.length - toFirst;
  const pValue = chosen.length === 0 ? null : mcnemar({ aOnly: toFirst, bOnly: toSecond }).exactPValue;
  return { swapped: 0, consistent: 0, toFirst, toSecond, pValue };
}

/** Returns the newest review task about pairs of these runs; undefined when there is none. */
export async function findPairTask(
  { documents }: Pick<Store, 'documents'>,
  runs: readonly Pick<Run, 'id'>[],
  targets: readonly string[] = [],
): Promise<ReviewTask | undefined> {
  return (await listPairTasks({ documents }, runs, targets))[0];
}

/** Lists the review tasks about pairs of these runs and, where they are named, of these targets, the newest first. */
export async function listPairTasks(
  { documents }: Pick<Store, 'documents'>,
  runs: readonly Pick<Run, 'id'>[],
  targets: readonly string[] = [],
): Promise<ReviewTask[]> {
  return (await Array.fromAsync(documents.list(reviewTaskKind))).filter(({ pairs }) => {
    if (pairs === undefined) return false;
    const isIn = (run: string) => pairs.targets.some((each) => each.run === run);
    return (
      runs.every(({ id }) => isIn(id)) &&
      targets.every((name) => pairs.targets.some(({ target }) => target === name))
    );
  });
}
