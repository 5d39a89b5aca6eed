import type { JudgeEstimate } from '../../judges/judge.ts';
import { createHashSet } from '../../lib/content-hash.ts';
import { inBatches } from '../../lib/async-iterables.ts';
import type { MetricInput } from '../../metrics/metric.ts';
import type { Case } from '../../schema/case.ts';
import type { PlannedCase } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { exchange } from '../../schema/trial.ts';
import type { UsageSummary } from '../../schema/usage.ts';
import type { Store } from '../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { findLineage, placesOfCases } from './lineage.ts';
import { tellApart, trialsOfCase } from './plan.ts';
import { selectCases } from './select-cases.ts';

const batchSize = 100;

/** How many trials of an evaluation are answered already when a run is gone on with, in whichever run their answers stand. */
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

/** The cases of an evaluation as a plan would have them, each by the hash that it would have there. */
async function* plannedCases(evaluation: Evaluation): AsyncGenerator<PlannedCase> {
  const contents = createHashSet();
  for await (const { case: testCase, hash } of selectCases(evaluation, () => {})) {
    yield { case: testCase, hash: tellApart(hash, contents), position: 0, place: '' };
  }
}

/** What calling targets is likely to cost, as far as earlier runs tell; judges apart. */
export interface CallingEstimate {
  /** In US dollars, models that play users or rewrite questions included, of the targets of which anything is known. */
  readonly cost: number;
  /** The runs whose mean cost of a trial was taken. */
  readonly from: readonly string[];
  /** Targets of which no run says what an answer costs. */
  readonly unknown: readonly string[];
}

/**
 * The price of so many trials of each target, by the mean of the newest run that knows one of the same target; null when
 * nothing is known of any.
 * @param runs - The newest first.
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

/** Of a trial, with who played its user or rewrote its question; undefined when no trial said. */
function meanCost({ trials, cost, users, rewriting }: UsageSummary): number | undefined {
  const beside = [users, rewriting].flatMap((side) => side?.cost.sum ?? []);
  if (cost.sum === null && beside.length === 0) return undefined;
  const ofTarget = cost.sum === null ? 0 : cost.sum / cost.reported;
  return beside.reduce((sum, side) => sum + side / trials, ofTarget);
}

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
