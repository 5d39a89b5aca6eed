import { equivalentVersions } from '../../../../decide/certificates/rubric.ts';
import { pairLabels } from '../../../../decide/certificates/pair-labels.ts';
import { questionOf } from '../../../../core/schema/case.ts';
import type { Result } from '../../../../core/schema/result.ts';
import type { ReviewItem } from '../../../../core/schema/review/review-task.ts';
import type { Run, RunMetric } from '../../../../core/schema/run.ts';
import { passedBy } from '../../../../core/schema/verdict.ts';
import { labelKind } from '../../../../stores/kinds/label.ts';
import { equivalenceKind } from '../../../../stores/kinds/rubric.ts';
import { readItems, readMarks } from '../../../../stores/reviews/review-records.ts';
import type { Store } from '../../../../stores/store.ts';
import { TouchstoneError } from '../../../../core/errors.ts';
import { readAnswer } from '../../cards.ts';
import { readView } from '../../read-view.ts';
import { type CalibrationChoice, chooseTask, judgedMetric, throwNoRubric } from '../read-calibration.ts';
import { findJudgedRun } from '../find-judged-run.ts';
import { halfOf, type ItemTexts } from '../tuned-judge.ts';
import type { Disagreement } from './request-edits.ts';

/** An answer of the tune half with what people say of it, and what the judge says. */
export interface TuneAnswer {
  readonly result: Result;
  readonly caseId: string;
  readonly truth: boolean;
  readonly passed: boolean;
}

/** The answers that a judge can be improved from, and the texts that it must not be shown. */
export interface TuneHalf {
  readonly run: Run;
  readonly metric: RunMetric;
  readonly answers: readonly TuneAnswer[];
  /** Those about which the judge and people differ, both kinds in turns; at most 30. */
  readonly disagreements: readonly Disagreement[];
  /** The texts of the items that certify. */
  readonly certify: readonly ItemTexts[];
}

/** The least number of labelled answers in the tune half, and the most disagreements that are sent. */
const leastLabels = 10;
const mostSent = 30;

/**
 * Reads the labelled answers of the tune half with the verdicts of the judge in a run. Throws `too-few-labels` for fewer than ten, and
 * the errors of a calibration.
 */
export async function readTuneHalf(store: Store, choice: CalibrationChoice): Promise<TuneHalf> {
  const { documents } = store;
  const task = await chooseTask(store, choice);
  const { rubrics } = await readView(documents, task.id);
  const rubric = rubrics.find(({ id }) => id === choice.rubric) ?? throwNoRubric(choice.rubric, task);
  const run = await findJudgedRun(store, task, rubric, choice.run);
  const metric = judgedMetric(run, rubric);
  const all = await readItems(documents, task.id);
  const results = new Map<ReviewItem, Result>();
  for (const item of all) {
    const result = await readAnswer(store, { ...item.subject, run: run.id });
    if (result !== undefined) results.set(item, result);
  }
  const items = all.filter(({ subject }) => halfOf(subject) === 'tune');
  const { answers } = pairLabels({
    items,
    marks: await readMarks(documents, task.id),
    rubric,
    versions: equivalentVersions(rubric, await Array.fromAsync(documents.list(equivalenceKind))),
    passedOf: (item) => passedBy(results.get(item)?.verdicts[metric.name]),
    clusterOf: ({ subject }) => subject.caseId,
  });
  if (answers.length < leastLabels) {
    throw new TouchstoneError(
      'too-few-labels',
      `The half of the labels for tuning has ${answers.length} answers that count; at least ${leastLabels} are needed.`,
      { remedy: `Label more answers: \`touchstone review create --rubric ${rubric.id}\`.` },
    );
  }
  const byPosition = new Map(items.map((item) => [item.position, item]));
  const notes = await readNotesAt(store, task.id);
  const found = answers.flatMap(({ item, truth, passed }) => {
    const own = byPosition.get(item);
    const result = own && results.get(own);
    if (result === undefined || own === undefined) return [];
    return [{ result, caseId: own.subject.caseId, truth, passed, note: notes.get(item) }];
  });
  const differing = found.filter(({ truth, passed }) => truth !== passed);
  const [lenient, strict] = [
    differing.filter(({ passed }) => passed),
    differing.filter(({ passed }) => !passed),
  ];
  const inTurns = Array.from({ length: Math.max(lenient.length, strict.length) }, (_, index) => [
    ...lenient.slice(index, index + 1),
    ...strict.slice(index, index + 1),
  ]).flat();
  return {
    run,
    metric,
    answers: found,
    disagreements: inTurns.slice(0, mostSent).map((each) => toDisagreement(each, metric.name)),
    certify: all
      .filter(({ subject }) => halfOf(subject) === 'certify')
      .flatMap((item) => {
        const result = results.get(item);
        return result === undefined ? [] : [{ caseId: item.subject.caseId, ...textsOf(result) }];
      }),
  };
}

/** Reads a note of each item that has one. */
async function readNotesAt({ documents }: Store, task: string): Promise<Map<number, string>> {
  const notes = new Map<number, string>();
  for await (const { item, note } of documents.list(labelKind, { where: { task } }))
    if (item !== null && note !== undefined) notes.set(item, note);
  return notes;
}

function toDisagreement(
  { result, caseId, truth, note }: TuneAnswer & { readonly note: string | undefined },
  metric: string,
): Disagreement {
  const verdict = result.verdicts[metric];
  return {
    caseId,
    ...textsOf(result),
    passes: truth,
    ...(note !== undefined && { note }),
    ...(verdict?.status === 'scored' && verdict.explanation !== undefined && { reason: verdict.explanation }),
  };
}

function textsOf({ case: testCase, trial }: Result) {
  return { question: questionOf(testCase), answer: trial.answer ?? '' };
}
