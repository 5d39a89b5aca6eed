import type { Judge, JudgeEstimate, JudgeQuestion } from '../../judges/judge.ts';
import { createHashSet } from '../../../core/lib/content-hash.ts';
import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { Metric, MetricInput } from '../../metrics/metric.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { PlannedCase } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { exchange } from '../../../core/schema/trial.ts';
import type { UsageSummary } from '../../../core/schema/usage.ts';
import type { Store } from '../../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { findLineage, placesOfCases } from './lineage.ts';
import { uniqueHash, trialsOfCase } from './plan.ts';
import { selectCases } from './select-cases.ts';

const batchSize = 100;

/**
 * Counts the trials of an evaluation that are answered already when a run is continued, in whichever run of the lineage
 * their answers are.
 */
export async function countAnswered(evaluation: Evaluation, run: Run, store: Store): Promise<number> {
  const { others } = await findLineage(run, store);
  const sources = await Promise.all(
    [run, ...others].map(async (source) => ({
      source,
      places: await placesOfCases(source, store),
    })),
  );
  let answered = 0;
  for await (const cases of inBatches(plannedCases(evaluation), batchSize)) {
    const keys = new Set<string>();
    for (const { source, places } of sources) {
      const specs = cases.flatMap((planned) => {
        const position = places.get(planned.hash);
        return position === undefined ? [] : trialsOfCase(source, { ...planned, position });
      });
      for (const key of await store.findDone(source.id, specs)) keys.add(key);
    }
    answered += keys.size;
  }
  return answered;
}

/** Yields the cases of an evaluation as a plan would have them, each with the hash that it would have there. */
async function* plannedCases(evaluation: Evaluation): AsyncGenerator<PlannedCase> {
  const contents = createHashSet();
  for await (const { case: testCase, hash } of selectCases(evaluation, () => {})) {
    yield { case: testCase, hash: uniqueHash(hash, contents), position: 0, place: '' };
  }
}

/** The likely cost of calling targets, estimated from earlier runs. Judges are not included. */
export interface CallingEstimate {
  /** US dollars, including models that play users or rewrite questions, for the targets whose price is known. */
  readonly cost: number;
  /** The ids of the runs whose mean cost of a trial was used. */
  readonly from: readonly string[];
  /** The targets whose price no run knows. */
  readonly unknown: readonly string[];
}

/**
 * Estimates the cost of calling each target this many times, from the mean cost in the newest run that knows one of the
 * same target; null when no price is known.
 * @param runs - Earlier runs, newest first.
 */
export function estimateCalling(
  { targets }: Pick<Evaluation, 'targets'>,
  runs: readonly Run[],
  trialsOfEach: number,
): CallingEstimate | null {
  const found = targets.map(({ name, fingerprint }) => ({ name, known: findMean(fingerprint, runs) }));
  const known = found.flatMap((each) => each.known ?? []);
  if (known.length === 0) return null;
  return {
    cost: known.reduce((sum, { mean }) => sum + mean * trialsOfEach, 0),
    from: [...new Set(known.map(({ run }) => run))],
    unknown: found.filter((each) => each.known === undefined).map(({ name }) => name),
  };
}

function findMean(fingerprint: string, runs: readonly Run[]) {
  for (const { id, targets, summary } of runs) {
    const name = targets.find((target) => target.fingerprint === fingerprint)?.name;
    const usage = summary?.targets.find(({ target }) => target === name)?.usage;
    const mean = usage === undefined ? undefined : meanCost(usage);
    if (mean !== undefined) return { run: id, mean };
  }
  return undefined;
}

/**
 * Returns the mean cost of a trial, including its simulated user and rewritten questions; undefined when no trial
 * reported any.
 */
function meanCost({ trials, cost, users, rewriting }: UsageSummary): number | undefined {
  const beside = [users, rewriting].flatMap((side) => side?.cost.sum ?? []);
  if (cost.sum === null && beside.length === 0) return undefined;
  const ofTarget = cost.sum === null ? 0 : cost.sum / cost.reported;
  return beside.reduce((sum, side) => sum + side / trials, ofTarget);
}

/** The calls and tokens of judging a run at most, if nothing was asked before. */
export type JudgingEstimate = Omit<JudgeEstimate, 'cost' | 'usualCost'> & {
  /** US dollars; null when the price of a judge is unknown. */
  readonly cost: number | null;
  /** The cost of asking the same one by one, where batches make it cheaper. */
  readonly usualCost?: number;
};

const typicalAnswer = 'An answer of a few sentences, as long as many are. '.repeat(8);

/**
 * Estimates the cost of the judges of an evaluation, case by case, with the expected answer in place of the missing
 * one. Returns null when nothing is judged.
 */
export async function estimateJudging(evaluation: Evaluation): Promise<JudgingEstimate | null> {
  const judged = evaluation.metrics.filter(
    ({ metric }) => metric.judge !== undefined || metric.parts !== undefined,
  );
  if (judged.length === 0) return null;
  const trialsPerCase = evaluation.targets.length * evaluation.attempts;
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0 };
  let cost: number | null = 0;
  let usualCost = 0;
  for await (const { case: testCase } of selectCases(evaluation, () => {})) {
    for (const estimate of await estimateCase(testCase, judged)) {
      sum.calls += estimate.calls * trialsPerCase;
      sum.inputTokens += estimate.inputTokens * trialsPerCase;
      sum.outputTokens += estimate.outputTokens * trialsPerCase;
      usualCost += (estimate.usualCost ?? estimate.cost ?? 0) * trialsPerCase;
      cost = cost === null || estimate.cost === undefined ? null : cost + estimate.cost * trialsPerCase;
    }
  }
  const isJudged = sum.calls > 0 || judged.some(({ metric }) => metric.judge !== undefined);
  const isCheaper = cost !== null && cost < usualCost;
  return isJudged ? { ...sum, cost, ...(isCheaper && { usualCost }) } : null;
}

async function estimateCase(testCase: Case, judged: Evaluation['metrics']): Promise<JudgeEstimate[]> {
  const input = typicalInput(testCase);
  const asked = new Map<Judge, Map<string, JudgeQuestion>>();
  for (const { metric } of judged) collectQuestions(metric, input, asked);
  return await Promise.all(
    Array.from(asked, async ([judge, questions]) => await judge.estimate([...questions.values()])),
  );
}

/** Collects the questions of a metric and of those that it consists of by judge; one that several metrics ask, once. */
function collectQuestions(
  metric: Metric,
  input: MetricInput,
  asked: Map<Judge, Map<string, JudgeQuestion>>,
): void {
  if (metric.parts !== undefined) {
    for (const part of metric.parts(input)) collectQuestions(part.metric, part.input, asked);
    return;
  }
  if (metric.judge === undefined) return;
  const questions = asked.get(metric.judge) ?? new Map<string, JudgeQuestion>();
  asked.set(metric.judge, questions);
  for (const question of metric.questions?.(input) ?? []) questions.set(JSON.stringify(question), question);
}

/** Builds a trial as it may come out. */
function typicalInput(testCase: Case): MetricInput {
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
