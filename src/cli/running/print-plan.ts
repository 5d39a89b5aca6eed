import { planReady, type RunPlan } from '../../library/api/project/plan-run.ts';
import type { ReadyRun } from '../../library/api/runs/make-run.ts';
import type { Store } from '../../stores/store.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { formatMoney } from '../../look/report/format.ts';
import type {
  BatchedEstimate,
  CallingEstimate,
  JudgingEstimate,
} from '../../evaluate/run/prepare/estimate.ts';
import type { Output } from '../output.ts';

/** The output and the stored runs that `printPlan` needs besides the run. */
interface PrintNeeds {
  readonly store: Store;
  readonly output: Output;
  /** `json` for a document, `verbose` to list every question. */
  readonly flags: { readonly json?: boolean; readonly verbose?: boolean };
}

/** Prints what a run would call, for `--dry-run`, and calls nothing. */
export async function printPlan(
  ready: ReadyRun,
  { output, flags: { json = false, verbose = false }, store }: PrintNeeds,
): Promise<void> {
  const plan = await planReady(ready, store, verbose);
  await output.write(json ? jsonDocument(plan) : formatPlan(plan));
}

/** Formats a plan as text. */
export function formatPlan(plan: RunPlan): string {
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
    ...(plan.tools === undefined ? [] : [`Tools: ${plan.tools}`]),
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
function formatProduct({ cases, targets, underConditions = [], attempts, kept, again }: RunPlan): string {
  const others = underConditions.length > 0 ? [`and ${underConditions.length} under conditions`] : [];
  const factors = [
    count(cases, 'question'),
    `${count(targets.length + underConditions.length, 'target')} (${[...targets, ...others].join(', ')})`,
    count(attempts, 'attempt'),
  ];
  const twice = again === undefined ? '' : `, and ${again} a second time`;
  return `${factors.join(' × ')}${kept === 0 ? '' : `, minus ${kept} already stored`}${twice}`;
}

function formatSettings({ concurrency, timeLimitMs, maxRetries, isInterleaved }: RunPlan): string {
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
