import { certainAttempts, curtailingRule } from '../../analysis/attempts.ts';
import type { LoadedEvaluation } from '../../config/load-evaluation.ts';
import { jsonDocument } from '../../lib/objects.ts';
import { formatMoney } from '../../report/format.ts';
import {
  type CallingEstimate,
  countAnswered,
  estimateCalling,
  estimateJudging,
  type JudgingEstimate,
} from '../../run/prepare/estimate.ts';
import { selectCases } from '../../run/prepare/select-cases.ts';
import { withoutConditions } from '../../schema/condition.ts';
import { type Gate, sequentialOf } from '../../schema/gate.ts';
import type { Run } from '../../schema/run.ts';
import { readRuns, type Store } from '../../stores/store.ts';
import type { Output } from '../output.ts';

/** What a run would do. */
interface Plan {
  readonly cases: number;
  /** The targets as they are. */
  readonly targets: readonly string[];
  /** The same targets under conditions; absent when there are none. */
  readonly underConditions?: readonly string[];
  /** What is left out, and why. */
  readonly notices?: readonly string[];
  readonly attempts: number;
  /** Where no case is tried again once its verdict is settled. */
  readonly leastCalls?: number;
  /** Trials that a resumed run has already. */
  readonly kept: number;
  readonly calls: number;
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly maxRetries: number;
  /** By what earlier runs cost; null when none says. */
  readonly price: CallingEstimate | null;
  /** Whether targets take turns, all of them together so many at a time. */
  readonly isInterleaved?: true;
  /** The greatest chance of a wrong decision of a gate that ends the run; absent where everything is asked. */
  readonly sequentialError?: number;
  /** In US dollars; absent without a limit. */
  readonly maxCost?: number | undefined;
  /** What judges take at most; null when nothing is judged. */
  readonly judging?: JudgingEstimate | null;
}

interface PlanNeeds {
  readonly output: Output;
  readonly isJson: boolean;
  /** Where earlier runs are. */
  readonly store: Store;
  /** The run that would be gone on with. */
  readonly resumed?: Run | undefined;
}

/** `--dry-run`: says what would be called, and calls nothing. */
export async function printPlan(
  { evaluation }: LoadedEvaluation,
  { output, isJson, store, resumed }: PlanNeeds,
): Promise<void> {
  let cases = 0;
  for await (const _selected of selectCases(evaluation, () => {})) cases += 1;
  const judging = await estimateJudging(evaluation);
  const kept = resumed === undefined ? 0 : await countAnswered(evaluation, resumed, store);
  const { attempts, targets, settings, isInterleaved } = evaluation;
  const calls = cases * targets.length * attempts - kept;
  const order = isInterleaved === undefined ? {} : { isInterleaved };
  const counts = {
    cases,
    ...namesOf(evaluation),
    attempts,
    kept,
    calls,
    ...order,
    ...sequentialOfPlan(evaluation.gate),
    ...leastOf(evaluation, cases, kept),
  };
  const price = estimateCalling(evaluation, await Array.fromAsync(readRuns(store)), calls / targets.length);
  const plan: Plan = { ...counts, ...settings, price, judging };
  await output.write(isJson ? jsonDocument(plan) : formatPlan(plan));
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

/** A plan in words. */
export function formatPlan({
  cases,
  targets,
  underConditions = [],
  notices = [],
  attempts,
  kept,
  calls,
  leastCalls,
  price,
  sequentialError,
  maxCost,
  judging = null,
  ...settings
}: Plan): string {
  const names = [
    ...targets,
    ...(underConditions.length > 0 ? [`and ${underConditions.length} under conditions`] : []),
  ].join(', ');
  const product = [
    count(cases, 'case'),
    `${count(targets.length + underConditions.length, 'target')} (${names})`,
    count(attempts, 'attempt'),
  ].join(' × ');
  const without = kept === 0 ? '' : `, less ${kept} kept`;
  return `Would call: ${product}${without} = ${count(calls, 'call')}
At most ${settings.concurrency} at a time ${settings.isInterleaved === true ? 'for all targets, which take turns' : 'for each target'}, ${settings.timeLimitMs} ms and ${count(settings.maxRetries, 'retry', 'retries')} for each call.
${leastCalls === undefined ? '' : `No case is tried again once its verdict is settled: these are the most calls, ${leastCalls} the least.\n`}${sequentialError === undefined ? '' : formatSequential(sequentialError)}${formatPrice(price)}${maxCost === undefined ? '' : `Limit: ${formatMoney(maxCost)}, judges included.\n`}${judging === null ? '' : formatJudging(judging)}${list('Conditions', underConditions)}${list('Notices', notices)}Nothing was called.
`;
}

function formatSequential(error: number): string {
  const share = `${Number((error * 100).toPrecision(3))} %`;
  return `In a random order, and only until the gate is decided (at most ${share} of runs pass a target that breaks a rule, or fail one that keeps every rule): these are the most calls.\n`;
}

function formatPrice(price: CallingEstimate | null): string {
  if (price === null) return 'Price: unknown; no target says beforehand what an answer costs.\n';
  const { cost, from, unknown } = price;
  const without = unknown.length === 0 ? '' : `, without ${unknown.join(', ')}, of which none says`;
  return `Price: about ${formatMoney(cost)}, by what a trial cost in ${from.join(', ')}${without}.\n`;
}

function formatJudging({ calls, inputTokens, outputTokens, cost }: JudgingEstimate): string {
  const price = cost === null ? 'at an unknown price' : `about ${formatMoney(cost)}`;
  const tokens = `${inputTokens.toLocaleString('en')} + ${outputTokens.toLocaleString('en')} tokens`;
  return `Judges: at most ${count(calls, 'call')}, about ${tokens}, ${price}; less what was asked before.\n`;
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n${items.map((item) => `  ${item}\n`).join('')}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
