import type { LoadedEvaluation } from '../config/load-evaluation.ts';
import { estimateJudging, type JudgingEstimate } from '../run/estimate-judging.ts';
import { selectCases } from '../run/select-cases.ts';
import { formatMoney } from '../reporters/format-money.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { limitHeap } from './limit-heap.ts';
import type { Output } from './output.ts';

/** What a run would do. */
interface Plan {
  readonly cases: number;
  readonly targets: readonly string[];
  readonly attempts: number;
  /** Trials that a resumed run has already. */
  readonly kept: number;
  readonly calls: number;
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly maxRetries: number;
  /** No target says beforehand what an answer costs. */
  readonly price: null;
  /** What judges take at most; null when nothing is judged. */
  readonly judging?: JudgingEstimate | null;
}

/** `--dry-run`: says what would be called, and calls nothing. */
export async function printPlan(
  { evaluation }: LoadedEvaluation,
  {
    output,
    isJson,
    resumed,
  }: { output: Output; isJson: boolean; resumed?: { run: Run; store: Store } | undefined },
): Promise<void> {
  limitHeap();
  let cases = 0;
  for await (const _selected of selectCases(evaluation, () => {})) cases += 1;
  const judging = await estimateJudging(evaluation);
  const kept = resumed === undefined ? 0 : await countKept(resumed);
  const { attempts, targets, settings } = evaluation;
  const calls = cases * targets.length * attempts - kept;
  const names = targets.map(({ name }) => name);
  const plan: Plan = { cases, targets: names, attempts, kept, calls, ...settings, price: null, judging };
  await output.write(isJson ? `${JSON.stringify(plan, null, 2)}\n` : formatPlan(plan));
}

async function countKept({ run, store }: { run: Run; store: Store }): Promise<number> {
  let kept = 0;
  for await (const { trial } of store.readOutcomes(run.id)) if (trial.status !== 'cancelled') kept += 1;
  return kept;
}

/** A plan in words. */
export function formatPlan({
  cases,
  targets,
  attempts,
  kept,
  calls,
  judging = null,
  ...settings
}: Plan): string {
  const product = [
    count(cases, 'case'),
    `${count(targets.length, 'target')} (${targets.join(', ')})`,
    count(attempts, 'attempt'),
  ].join(' × ');
  const without = kept === 0 ? '' : `, less ${kept} kept`;
  return `Would call: ${product}${without} = ${count(calls, 'call')}
At most ${settings.concurrency} at a time for each target, ${settings.timeLimitMs} ms and ${count(settings.maxRetries, 'retry', 'retries')} for each call.
Price: unknown; no target says beforehand what an answer costs.
${judging === null ? '' : formatJudging(judging)}Nothing was called.
`;
}

function formatJudging({ calls, inputTokens, outputTokens, cost }: JudgingEstimate): string {
  const price = cost === null ? 'at an unknown price' : `about ${formatMoney(cost)}`;
  const tokens = `${inputTokens.toLocaleString('en')} + ${outputTokens.toLocaleString('en')} tokens`;
  return `Judges: at most ${count(calls, 'call')}, about ${tokens}, ${price}; less what was asked before.\n`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
