import type { JudgeEstimate } from '../../judges/judge.ts';
import type { MetricInput } from '../../metrics/metric.ts';
import type { Case } from '../../schema/case.ts';
import { exchange } from '../../schema/trial.ts';
import type { Evaluation } from '../evaluation.ts';
import { selectCases } from './select-cases.ts';

/** What judging a run would take at most, if nothing was asked before. */
export type JudgingEstimate = Omit<JudgeEstimate, 'cost'> & {
  /** In US dollars; null when the price of a judge is not known. */
  readonly cost: number | null;
};

const typicalAnswer = 'An answer of a few sentences, as long as many are. '.repeat(8);

/**
 * Estimates what the judges of an evaluation cost, case by case, with the expected answer in the place of the one that is
 * not there yet. Null when nothing is judged.
 */
export async function estimateJudging(evaluation: Evaluation): Promise<JudgingEstimate | null> {
  const judged = evaluation.metrics.filter(({ metric }) => metric.judge !== undefined);
  if (judged.length === 0) return null;
  const trialsPerCase = evaluation.targets.length * evaluation.attempts;
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0 };
  let cost: number | null = 0;
  for await (const { case: testCase } of selectCases(evaluation, () => {})) {
    for (const estimate of await estimateCase(testCase, judged)) {
      sum.calls += estimate.calls * trialsPerCase;
      sum.inputTokens += estimate.inputTokens * trialsPerCase;
      sum.outputTokens += estimate.outputTokens * trialsPerCase;
      cost = cost === null || estimate.cost === undefined ? null : cost + estimate.cost * trialsPerCase;
    }
  }
  return { ...sum, cost };
}

async function estimateCase(testCase: Case, judged: Evaluation['metrics']): Promise<JudgeEstimate[]> {
  const input = standIn(testCase);
  const byJudge = Map.groupBy(judged, ({ metric }) => metric.judge);
  return await Promise.all(
    Array.from(byJudge, async ([judge, metrics]) => {
      const questions = metrics.flatMap(({ metric }) => [...(metric.questions?.(input) ?? [])]);
      return (await judge?.estimate(questions)) ?? { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    }),
  );
}

/** A trial as it may come out. */
function standIn(testCase: Case): MetricInput {
  const [expected] = [testCase.expected.answer ?? []].flat();
  const answer = expected ?? typicalAnswer;
  return {
    case: testCase,
    trial: {
      key: '',
      ordinal: 0,
      caseId: testCase.id,
      caseHash: '',
      target: '',
      attempt: 1,
      seed: 0,
      status: 'completed',
      transcript: exchange(testCase.input, answer, []),
      answer,
      documents: [{ id: 'document', text: typicalAnswer.repeat(5) }],
      retries: 0,
      startedAt: new Date(0).toISOString(),
    },
  };
}
