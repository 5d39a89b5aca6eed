import type { JudgeSummary } from '../../schema/judge-summary.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import { createTotal } from './tally-usage.ts';

/**
 * Adds up what the judgements of a run took. A call that answered several questions counts once. Undefined where nothing
 * was judged.
 */
export async function tallyJudgements(
  runId: string,
  judgements: AsyncIterable<Judgement>,
  targets: readonly TargetSummary[],
): Promise<JudgeSummary | undefined> {
  const tokens = { input: createTotal(), output: createTotal() };
  const cost = createTotal();
  const calls = new Set<string>();
  let [asked, cached] = [0, 0];
  for await (const judgement of judgements) {
    if (judgement.askedIn !== runId) {
      cached += 1;
      continue;
    }
    asked += 1;
    for (const call of judgement.calls) {
      if (calls.has(call.id)) continue;
      calls.add(call.id);
      // What got no reply at all, such as from a server that is down, was not paid for.
      if (call.reply === null && call.usage === undefined) continue;
      tokens.input.add(call.usage?.inputTokens);
      tokens.output.add(call.usage?.outputTokens);
      cost.add(call.cost);
    }
  }
  const failed = targets
    .flatMap(({ metrics }) => metrics)
    .reduce((sum, { judgeFaults = 0 }) => sum + judgeFaults, 0);
  if (asked + cached + failed === 0) return undefined;
  return {
    asked,
    cached,
    failed,
    calls: calls.size,
    inputTokens: tokens.input.summarize(),
    outputTokens: tokens.output.summarize(),
    cost: cost.summarize(),
  };
}
