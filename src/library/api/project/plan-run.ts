import { certainAttempts, curtailingRule } from '../../../decide/analysis/attempts.ts';
import { isSaidDeterministic, questionsAskedTwice } from '../../../decide/analysis/hash-answer.ts';
import type { AgentLimits } from '../../config/config.ts';
import { type LoadedEvaluation, loadEvaluation } from '../../config/load-evaluation.ts';
import { parseCaseFilter } from '../../../look/queries/filters.ts';
import { smallestGain } from '../../../look/queries/plan.ts';
import { caseTitle } from '../../../look/report/case-outcome.ts';
import {
  type BatchedEstimate,
  type CallingEstimate,
  countAnswered,
  estimateBatched,
  estimateCalling,
  estimateJudging,
  type JudgingEstimate,
} from '../../../evaluate/run/prepare/estimate.ts';
import { selectCases } from '../../../evaluate/run/prepare/select-cases.ts';
import { listedQuestion } from '../../../core/schema/case.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import { type Gate, sequentialOf } from '../../../core/schema/gate.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { readyRun, type ReadyRun, withRunStore } from '../runs/make-run.ts';

/** The plan of a run: what it would ask, and the price. */
export interface RunPlan {
  readonly cases: number;
  /** Every question, for programs that show each as a test; only with `--verbose`. */
  readonly questions?: readonly PlannedQuestion[];
  /** The names of the unchanged targets. */
  readonly targets: readonly string[];
  /** The names of the targets under conditions; absent when there are none. */
  readonly underConditions?: readonly string[];
  /** Notes on what is skipped, and why. */
  readonly notices?: readonly string[];
  readonly attempts: number;
  /** The fewest calls; present when attempts stop once the verdict of a case is settled. */
  readonly leastCalls?: number;
  /** The number of trials that a resumed run has already. */
  readonly kept: number;
  /** The number of second calls, by which targets that are said to be deterministic are tried; absent without any. */
  readonly again?: number;
  readonly calls: number;
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly maxRetries: number;
  /** The estimated price of the calls from the cost of earlier runs; null when no earlier run has a cost. */
  readonly price: CallingEstimate | null;
  /** The estimated price of the calls that are made in batches; absent when there are none. */
  readonly batched?: BatchedEstimate;
  /** True when targets take turns and share one limit of concurrent calls. */
  readonly isInterleaved?: true;
  /** The highest probability of a wrong decision by a sequential gate; absent when every question is asked. */
  readonly sequentialError?: number;
  /** The cost limit in US dollars; absent without a limit. */
  readonly maxCost?: number;
  /** The line about the tools of the targets; absent where they do not pass through Touchstone. */
  readonly tools?: string;
  /** The most that judging takes; null when nothing is judged. */
  readonly judging?: JudgingEstimate | null;
}

/** A question of a plan: its id, and the title by which the JUnit report names it. */
interface PlannedQuestion {
  readonly id: string;
  readonly title: string;
}

/** A run that a program plans, besides its config. */
export interface PlanRequest {
  readonly targets?: readonly string[];
  /** The filter of questions, as after `--filter`. */
  readonly filter?: string;
  readonly limit?: number;
  readonly attempts?: number;
  /** The run of which only what failed is asked again. */
  readonly failedOf?: string;
  /** The run to resume. */
  readonly resume?: string;
  /** The store in place of the config's: a folder, or the address of a database. */
  readonly store?: string;
  /** True to leave out the time and the smallest visible gain, for which all scores of an earlier run are read. */
  readonly isBrief?: boolean;
}

/** A plan with the time that it takes, what its size can show, and what agents may spend. */
export interface PlannedRun extends RunPlan {
  readonly timeMs: number | null;
  /** The smallest gain, in [0, 1], that this size shows with a chance of 80 %; null where no earlier run says it. */
  readonly smallestGain: number | null;
  readonly agents: AgentLimits;
}

/** Plans a run of a config, in its store, and asks nothing. Throws what `run` throws before it asks anything. */
export async function planRun(
  config: string | undefined,
  { targets, filter, limit, attempts, failedOf, resume, store: elsewhere, isBrief = false }: PlanRequest,
): Promise<PlannedRun> {
  const loaded = await loadEvaluation(config, {
    overrides: { attempts },
    targetNames: targets,
    selects: filter === undefined ? undefined : parseCaseFilter([filter]),
    limit,
  });
  return await withRunStore(loaded, { store: elsewhere }, 'plan', async (store) => {
    const ready = await readyRun(loaded, store, { failedOf, resume });
    const plan = await planReady(ready, store);
    const ahead = isBrief
      ? { timeMs: null, smallestGain: null }
      : await foreseen(ready.evaluation, plan, store);
    return { ...plan, ...ahead, agents: loaded.config.agents };
  });
}

/** Foresees the time and the smallest visible gain of a plan, from the newest run that asked the same target. */
async function foreseen(
  { targets }: LoadedEvaluation['evaluation'],
  { cases, attempts, calls, concurrency }: RunPlan,
  store: Store,
): Promise<Pick<PlannedRun, 'timeMs' | 'smallestGain'>> {
  const [first] = targets;
  for await (const run of readRuns(store)) {
    const asked = run.targets.find(({ name }) => name === first?.name);
    const summary = run.summary?.targets.find(({ target }) => target === asked?.name);
    if (asked === undefined || summary === undefined || run.failedOf !== undefined) continue;
    const latency = summary.usage.latency?.p50 ?? null;
    return {
      timeMs: latency === null ? null : (latency * calls) / (concurrency * targets.length),
      smallestGain: await smallestGain(run, store, { target: asked.name, questions: cases, attempts }),
    };
  }
  return { timeMs: null, smallestGain: null };
}

/** Returns what a run would ask and what it would cost, and asks nothing. `verbose` lists every question. */
export async function planReady(
  { evaluation, resumed }: Pick<ReadyRun, 'evaluation' | 'resumed'>,
  store: Store,
  verbose = false,
): Promise<RunPlan> {
  await evaluation.tools?.learn();
  let cases = 0;
  let mocked = 0;
  const questions: PlannedQuestion[] = [];
  for await (const { case: asked } of selectCases(evaluation, () => {})) {
    cases += 1;
    mocked += Number((asked.toolResults ?? []).length > 0);
    if (verbose) questions.push({ id: asked.id, title: caseTitle(asked.id, listedQuestion(asked)) });
  }
  const judging = await estimateJudging(evaluation);
  const kept = resumed === undefined ? 0 : await countAnswered(evaluation, resumed, store);
  const { attempts, targets, settings, isInterleaved } = evaluation;
  const isOnce = attempts === 1 && resumed === undefined;
  const again = isOnce
    ? Math.min(cases, questionsAskedTwice) * targets.filter(isSaidDeterministic).length
    : 0;
  const calls = cases * targets.length * attempts - kept + again;
  const order = isInterleaved === undefined ? {} : { isInterleaved };
  const counts = {
    cases,
    ...(verbose && { questions }),
    ...namesOf(evaluation),
    attempts,
    kept,
    ...(again > 0 && { again }),
    calls,
    tools: evaluation.tools?.describe({ questions: cases, mocked }),
    ...order,
    ...sequentialOfPlan(evaluation.gate),
    ...leastOf(evaluation, cases, kept),
  };
  const batched = await estimateBatched(evaluation);
  const others = targets.filter(({ target }) => target.batch === undefined);
  const runs = await Array.fromAsync(readRuns(store));
  const price = estimateCalling({ targets: others }, runs, calls / targets.length);
  return { ...counts, ...settings, price, ...(batched && { batched }), judging };
}

function sequentialOfPlan(gate: Gate): Pick<RunPlan, 'sequentialError'> {
  const options = sequentialOf(gate);
  return options === undefined ? {} : { sequentialError: options.error };
}

function leastOf(
  evaluation: LoadedEvaluation['evaluation'],
  cases: number,
  kept: number,
): Pick<RunPlan, 'leastCalls'> {
  const rule = curtailingRule(evaluation);
  if (rule === undefined) return {};
  return { leastCalls: Math.max(0, cases * evaluation.targets.length * certainAttempts(rule) - kept) };
}

function namesOf({ targets, notices = [] }: LoadedEvaluation['evaluation']) {
  const plain = withoutConditions(targets);
  const others = targets.filter(({ condition }) => condition !== undefined);
  return {
    targets: plain.map(({ name }) => name),
    ...(others.length > 0 && { underConditions: others.map(({ name }) => name) }),
    ...(notices.length > 0 && { notices }),
  };
}

/** The price of planned calls. */
export interface PlannedCost {
  /** US dollars, targets and judges together; null when no price is known. */
  readonly usd: number | null;
  /** The runs whose mean price was used. */
  readonly from: readonly string[];
  /** The targets without a known price, and `judges`. */
  readonly unknown: readonly string[];
}

/** Adds up what is known of the price of a plan, and names what is not. */
export function costOfPlan(plan: RunPlan): PlannedCost {
  const { price, batched, judging } = plan;
  const parts = [price?.cost, batched?.cost, judging?.cost];
  const known = parts.filter((cost) => typeof cost === 'number');
  return {
    usd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    from: price?.from ?? [],
    unknown: unpricedOf(plan),
  };
}

function unpricedOf({ price, batched, judging, targets, underConditions = [] }: RunPlan): string[] {
  const inBatches = batched?.targets ?? [];
  const others = [...targets, ...underConditions].filter((name) => !inBatches.includes(name));
  return [
    ...(price === null ? others : price.unknown),
    ...(batched?.cost === null ? inBatches : []),
    ...(judging?.cost === null ? ['judges'] : []),
  ];
}
