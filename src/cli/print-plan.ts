import type { LoadedEvaluation } from '../config/load-evaluation.ts';
import { type CallingEstimate, estimateCalling } from '../run/estimate-calling.ts';
import { estimateJudging, type JudgingEstimate } from '../run/estimate-judging.ts';
import { selectCases } from '../run/select-cases.ts';
import { countAnswered } from '../run/take-over.ts';
import { formatMoney } from '../reporters/format-money.ts';
import { withoutConditions } from '../schema/condition.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { limitHeap } from './limit-heap.ts';
import type { Output } from './output.ts';

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
  /** Trials that a resumed run has already. */
  readonly kept: number;
  readonly calls: number;
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly maxRetries: number;
  /** By what earlier runs cost; null when none says. */
  readonly price: CallingEstimate | null;
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
  limitHeap();
  let cases = 0;
  for await (const _selected of selectCases(evaluation, () => {})) cases += 1;
  const judging = await estimateJudging(evaluation);
  const kept = resumed === undefined ? 0 : await countAnswered(evaluation, resumed, store);
  const { attempts, targets, settings } = evaluation;
  const calls = cases * targets.length * attempts - kept;
  const counts = { cases, ...namesOf(evaluation), attempts, kept, calls };
  const price = estimateCalling(evaluation, await store.listRuns(), calls / targets.length);
  const plan: Plan = { ...counts, ...settings, price, judging };
  await output.write(isJson ? `${JSON.stringify(plan, null, 2)}\n` : formatPlan(plan));
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
  price,
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
At most ${settings.concurrency} at a time for each target, ${settings.timeLimitMs} ms and ${count(settings.maxRetries, 'retry', 'retries')} for each call.
${formatPrice(price)}${maxCost === undefined ? '' : `Limit: ${formatMoney(maxCost)}, judges included.\n`}${judging === null ? '' : formatJudging(judging)}${list('Conditions', underConditions)}${list('Notices', notices)}Nothing was called.
`;
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
