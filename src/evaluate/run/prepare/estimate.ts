import type { Judge, JudgeEstimate, JudgeQuestion } from '../../judges/judge.ts';
import { createHashSet } from '../../../core/lib/content-hash.ts';
import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { Metric, MetricInput } from '../../metrics/metric.ts';
import { type Case, questionOf } from '../../../core/schema/case.ts';
import type { PlannedCase } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { exchange, inputMessages } from '../../../core/schema/trial.ts';
import type { UsageSummary } from '../../../core/schema/usage.ts';
import type { Store } from '../../../stores/store.ts';
import type { ChatModel, ChatRequest } from '../../models/model.ts';
import { callPendingCode, type Target, TargetFailure } from '../../targets/target.ts';
import type { Evaluation } from '../evaluation.ts';
import { batchedOf } from '../participants.ts';
import { neverStopped } from '../run-needs.ts';
import { findLineage, placesOfCases } from './lineage.ts';
import { uniqueHash } from './plan.ts';
import { trialsOfCase } from './trials-of-case.ts';
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
export function meanCost({ trials, cost, users, rewriting }: UsageSummary): number | undefined {
  const beside = [users, rewriting].flatMap((side) => side?.cost.sum ?? []);
  if (cost.sum === null && beside.length === 0) return undefined;
  const ofTarget = cost.sum === null ? 0 : cost.sum / cost.reported;
  return beside.reduce((sum, side) => sum + side / trials, ofTarget);
}

/** The likely cost of calling targets in batches, in US dollars; null when a price is not known. */
export interface BatchedEstimate {
  readonly targets: readonly string[];
  readonly cost: number | null;
  /** The cost of asking the same one by one. */
  readonly usualCost: number | null;
}

/** Estimates the cost of the targets that are asked in batches, question by question. Returns null when none is. */
export async function estimateBatched(evaluation: Evaluation): Promise<BatchedEstimate | null> {
  const batched = batchedOf(evaluation.targets);
  if (batched.length === 0) return null;
  let [cost, usualCost] = [0, 0];
  for await (const { case: testCase } of selectCases(evaluation, () => {})) {
    for (const { target } of batched) {
      const request = await requestOf(target, testCase);
      const api = target.batch;
      const price = request && (await api?.estimate(api.write('', request)));
      // A cost that is not known makes the sum unknown.
      cost += (price ?? Number.NaN) * evaluation.attempts;
      usualCost += ((price ?? Number.NaN) / (api?.price ?? 1)) * evaluation.attempts;
    }
  }
  await Promise.all(batched.map(async ({ target }) => await target.close?.()));
  const known = (sum: number) => (Number.isNaN(sum) ? null : sum);
  return { targets: batched.map(({ name }) => name), cost: known(cost), usualCost: known(usualCost) };
}

/** Returns the request that a target makes for a case, without making it. */
async function requestOf(target: Target, { id, input, metadata }: Case): Promise<ChatRequest | undefined> {
  let asked: ChatRequest | undefined;
  const messages = inputMessages(input);
  const session = { id, turn: 1, memory: {} };
  const askInBatch = async (_model: ChatModel, request: ChatRequest) => {
    asked = request;
    throw new TargetFailure(callPendingCode, 'it is not made');
  };
  await target
    .call(
      { key: id, caseId: id, input: questionOf({ input }), messages, session, metadata, attempt: 1, seed: 0 },
      { signal: neverStopped.abort, askInBatch },
    )
    .catch((error: unknown) => {
      if (!(error instanceof TargetFailure)) throw error;
    });
  return asked;
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
