import { certainAttempts, curtailingRule } from '../../decide/analysis/attempts.ts';
import type { LoadedEvaluation } from '../../library/config/load-evaluation.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { caseTitle } from '../../look/report/case-outcome.ts';
import { formatMoney } from '../../look/report/format.ts';
import {
  type BatchedEstimate,
  type CallingEstimate,
  countAnswered,
  estimateBatched,
  estimateCalling,
  estimateJudging,
  type JudgingEstimate,
} from '../../evaluate/run/prepare/estimate.ts';
import { selectCases } from '../../evaluate/run/prepare/select-cases.ts';
import { questionOf } from '../../core/schema/case.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { type Gate, sequentialOf } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import { readRuns, type Store } from '../../stores/store.ts';
import type { Output } from '../output.ts';

/** The plan of a run, as `--dry-run` prints it. */
interface Plan {
  readonly cases: number;
  /** Every question, for programs that show each as a test; only with `--verbose`. */
  readonly questions?: readonly PlannedQuestion[];
  /** The names of the unchanged targets. */
  readonly targets: readonly string[];
  /** The names of the targets under conditions; absent when there are none. */
  readonly underConditions?: readonly string[];
  /** Notes on what is left out, and why. */
  readonly notices?: readonly string[];
  readonly attempts: number;
  /** The fewest calls; present when attempts stop once the verdict of a case is settled. */
  readonly leastCalls?: number;
  /** The number of trials that a resumed run has already. */
  readonly kept: number;
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
  /** The most that judging takes; null when nothing is judged. */
  readonly judging?: JudgingEstimate | null;
}

/** A question of a plan: its id, and the title by which the JUnit report names it. */
interface PlannedQuestion {
  readonly id: string;
  readonly title: string;
}

/** The output and the stored runs that `printPlan` needs beside the evaluation. */
interface PlanNeeds {
  readonly output: Output;
  /** `json` for a document, `verbose` to list every question. */
  readonly flags: { readonly json?: boolean; readonly verbose?: boolean };
  /** The store with earlier runs. */
  readonly store: Store;
  /** The run that would be resumed. */
  readonly resumed?: Run;
}

/** Prints what a run would call, for `--dry-run`, and calls nothing. */
export async function printPlan(
  { evaluation }: LoadedEvaluation,
  { output, flags: { json = false, verbose = false }, store, resumed }: PlanNeeds,
): Promise<void> {
  let cases = 0;
  const questions: PlannedQuestion[] = [];
  for await (const { case: asked } of selectCases(evaluation, () => {})) {
    cases += 1;
    if (verbose) questions.push({ id: asked.id, title: caseTitle(asked.id, questionOf(asked)) });
  }
  const judging = await estimateJudging(evaluation);
  const kept = resumed === undefined ? 0 : await countAnswered(evaluation, resumed, store);
  const { attempts, targets, settings, isInterleaved } = evaluation;
  const calls = cases * targets.length * attempts - kept;
  const order = isInterleaved === undefined ? {} : { isInterleaved };
  const counts = {
    cases,
    ...(verbose && { questions }),
    ...namesOf(evaluation),
    attempts,
    kept,
    calls,
    ...order,
    ...sequentialOfPlan(evaluation.gate),
    ...leastOf(evaluation, cases, kept),
  };
  const batched = await estimateBatched(evaluation);
  const others = targets.filter(({ target }) => target.batch === undefined);
  const runs = await Array.fromAsync(readRuns(store));
  const price = estimateCalling({ targets: others }, runs, calls / targets.length);
  const plan: Plan = { ...counts, ...settings, price, ...(batched && { batched }), judging };
  await output.write(json ? jsonDocument(plan) : formatPlan(plan));
}

function sequentialOfPlan(gate: Gate): Pick<Plan, 'sequentialError'> {
  const options = sequentialOf(gate);
  return options === undefined ? {} : { sequentialError: options.error };
}

function leastOf(
  evaluation: LoadedEvaluation['evaluation'],
  cases: number,
  kept: number,
): Pick<Plan, 'leastCalls'> {
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

/** Formats a plan as text. */
export function formatPlan(plan: Plan): string {
  const {
    underConditions = [],
    notices = [],
    questions = [],
    leastCalls,
    sequentialError,
    maxCost,
    judging = null,
  } = plan;
  const lines = [
    `Would call: ${formatProduct(plan)} = ${count(plan.calls, 'call')}`,
    formatSettings(plan),
    ...(leastCalls === undefined ? [] : [formatLeastCalls(leastCalls)]),
    ...(sequentialError === undefined ? [] : [formatSequential(sequentialError)]),
    ...(plan.batched === undefined ? [] : [formatBatched(plan.batched)]),
    ...(plan.batched?.targets.length === plan.targets.length ? [] : [formatPrice(plan.price)]),
    ...(maxCost === undefined ? [] : [`Limit: ${formatMoney(maxCost)}, judges included.`]),
    ...(judging === null ? [] : [formatJudging(judging)]),
    ...formatList('Conditions', underConditions),
    ...formatList('Notices', notices),
    ...formatList(
      'Questions',
      questions.map(({ title }) => title),
    ),
    'Nothing was called.',
  ];
  return `${lines.join('\n')}\n`;
}

/** Formats the factors of the number of calls: cases, targets and attempts. */
function formatProduct({ cases, targets, underConditions = [], attempts, kept }: Plan): string {
  const others = underConditions.length > 0 ? [`and ${underConditions.length} under conditions`] : [];
  const factors = [
    count(cases, 'question'),
    `${count(targets.length + underConditions.length, 'target')} (${[...targets, ...others].join(', ')})`,
    count(attempts, 'attempt'),
  ];
  return `${factors.join(' × ')}${kept === 0 ? '' : `, minus ${kept} already stored`}`;
}

function formatSettings({ concurrency, timeLimitMs, maxRetries, isInterleaved }: Plan): string {
  const scope = isInterleaved === true ? 'for all targets, which take turns' : 'for each target';
  return `At most ${concurrency} at a time ${scope}, ${timeLimitMs} ms and ${count(maxRetries, 'retry', 'retries')} for each call.`;
}

function formatLeastCalls(leastCalls: number): string {
  return `Attempts at a question stop once its verdict is settled: at least ${leastCalls} calls, at most the number above.`;
}

function formatSequential(error: number): string {
  const share = `${Number((error * 100).toPrecision(3))} %`;
  return `Asked in a random order, and only until the gate is decided (at most ${share} of runs pass a target that breaks a rule, or fail one that meets every rule): the number above is the most.`;
}

function formatPrice(price: CallingEstimate | null): string {
  if (price === null) return 'Price: unknown, since no earlier run recorded what an answer costs.';
  const { cost, from, unknown } = price;
  const without = unknown.length === 0 ? '' : `; without ${unknown.join(', ')}, whose price is unknown`;
  return `Price: about ${formatMoney(cost)}, from the cost of an attempt in ${from.join(', ')}${without}.`;
}

function formatBatched({ targets, cost, usualCost }: BatchedEstimate): string {
  const price =
    cost === null ? 'unknown, in batches' : `about ${formatMoney(cost)}${saving(cost, usualCost)}`;
  return `Price of ${targets.join(', ')}: ${price}.`;
}

/** Says what the same would cost one by one, where that is more. */
function saving(cost: number, usualCost: number | null = null): string {
  if (usualCost === null || usualCost <= cost) return ' in batches';
  return ` in batches (one by one ${formatMoney(usualCost)}: ${formatMoney(usualCost - cost)} saved)`;
}

function formatJudging({ calls, inputTokens, outputTokens, cost, usualCost }: JudgingEstimate): string {
  const saved = cost === null || usualCost === undefined ? '' : saving(cost, usualCost);
  const price = cost === null ? 'at an unknown price' : `about ${formatMoney(cost)}${saved}`;
  const tokens = `${inputTokens.toLocaleString('en')} + ${outputTokens.toLocaleString('en')} tokens`;
  return `Judges: at most ${count(calls, 'call')}, about ${tokens}, ${price}; stored judgements are reused.`;
}

function formatList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)];
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
