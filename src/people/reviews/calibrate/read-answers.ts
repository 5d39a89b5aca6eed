import { questionOf } from '../../../core/schema/case.ts';
import { modelsOf } from '../../../core/schema/judgement.ts';
import type { Subject } from '../../../core/schema/review/label.ts';
import type { Run } from '../../../core/schema/run.ts';
import { passedBy, type Verdict } from '../../../core/schema/verdict.ts';
import type { Store } from '../../../stores/store.ts';
import { answerKey, subjectOf } from '../frame.ts';

/** Reads the models that replied to the judge, as they name themselves, and the prompts that are the same for all answers. */
export async function readReplies(store: Store, run: Run, answers: readonly JudgedAnswer[]) {
  const wanted = new Set(answers.flatMap(({ judgements }) => judgements));
  const models = new Set<string>();
  const prompts = new Set<string>();
  for await (const judgement of store.readJudgements(run.id)) {
    if (!wanted.has(judgement.id)) continue;
    for (const model of modelsOf(judgement)) models.add(model);
    for (const { prompt } of judgement.calls)
      for (const { role, content } of prompt) if (role === 'system') prompts.add(content);
  }
  return { models: [...models].toSorted(), prompts };
}

/** An answer of a run with the verdict of a judge. */
export interface JudgedAnswer {
  /** The trial and the answer. */
  readonly key: string;
  readonly subject: Subject;
  /** The verdict; null when there is none. */
  readonly passed: boolean | null;
  /** The verdict of each sample; empty when the judge was asked once. */
  readonly samples: readonly boolean[];
  readonly judgements: readonly string[];
  readonly question: string;
  readonly answer: string;
  readonly category: string;
  /** The cluster of the case, or the case. */
  readonly cluster: string;
}

/** Reads the answers of a run with the verdicts of a metric, in the order of the plan; trials without an answer are skipped. */
export async function readAnswers(store: Store, run: Run, metric: string): Promise<JudgedAnswer[]> {
  const answers: JudgedAnswer[] = [];
  for await (const result of store.readResults(run.id)) {
    const { trial, verdicts, case: testCase } = result;
    if (trial.status !== 'completed' || trial.spoilt !== undefined) continue;
    const subject = subjectOf(result, run);
    const verdict = verdicts[metric];
    answers.push({
      key: answerKey(subject),
      subject,
      passed: passedBy(verdict),
      samples: samplesOf(verdict),
      judgements: verdict?.status === 'scored' ? (verdict.judgements ?? []) : [],
      question: questionOf(testCase),
      answer: trial.answer ?? '',
      category: testCase.category ?? 'uncategorized',
      cluster: testCase.cluster ?? testCase.id,
    });
  }
  return answers;
}

function samplesOf(verdict: Verdict | undefined): boolean[] {
  if (verdict?.status !== 'scored') return [];
  return (verdict.samples ?? []).map(({ passed, value }) => passed ?? value >= 0.5);
}
