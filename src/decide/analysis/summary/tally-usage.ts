import { isPreference, type Judgement } from '../../../core/schema/judgement.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { TargetSummary, UnreadKey } from '../../../core/schema/summary.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import type { JudgeSummary, SideUsage, Total, UsageSummary } from '../../../core/schema/usage.ts';
import { createCompensatedSum } from '../../../core/stats/compensated-sum.ts';
import { createCaseMeans } from './case-means.ts';
import type { ClusterNumbers } from './estimates.ts';
import { percentilesOf } from './percentiles.ts';

const mostUnread = 50;

/** Creates a tally of the members of replies that nothing read. */
export function createUnreadTally() {
  const keys = new Map<string, UnreadKey>();
  return {
    add: ({ trial: { unread = [] } }: Outcome): void => {
      for (const member of unread) {
        const known = keys.get(member.key);
        if (known !== undefined) keys.set(member.key, { ...known, ...member, trials: known.trials + 1 });
        else if (keys.size < mostUnread) keys.set(member.key, { ...member, trials: 1 });
      }
    },
    summarize: (): Pick<TargetSummary, 'unreadKeys'> => {
      const sorted = [...keys.values()].toSorted((one, other) => other.trials - one.trials);
      return sorted.length === 0 ? {} : { unreadKeys: sorted };
    },
  };
}

/** Creates a tally of the usage of calls. A call that did not report an amount counts as unknown. */
export function createUsageTally(attempts: number, clusters: ClusterNumbers) {
  const tokens = {
    inputTokens: createTotal(),
    outputTokens: createTotal(),
    cachedTokens: createTotal(),
    reasoningTokens: createTotal(),
  } satisfies Record<keyof Usage, unknown>;
  const cost = createTotal();
  const latencies: number[] = [];
  const timed = createCaseMeans(attempts, clusters);
  const users = createSideTally();
  const rewriting = createSideTally();
  let trials = 0;
  let retries = 0;

  return {
    add: (outcome: Outcome): void => {
      const { trial } = outcome;
      trials += 1;
      retries += trial.retries;
      tokens.inputTokens.add(trial.usage?.inputTokens);
      tokens.outputTokens.add(trial.usage?.outputTokens);
      tokens.cachedTokens.add(trial.usage?.cachedTokens);
      tokens.reasoningTokens.add(trial.usage?.reasoningTokens);
      cost.add(trial.cost);
      users.add(trial.conversation?.user);
      rewriting.add(trial.rewriting);
      if (trial.latency === undefined) return;
      latencies.push(trial.latency.totalMs);
      timed.add(outcome, trial.latency.totalMs);
    },
    summarize: (): UsageSummary => ({
      trials,
      inputTokens: tokens.inputTokens.summarize(),
      outputTokens: tokens.outputTokens.summarize(),
      cachedTokens: tokens.cachedTokens.summarize(),
      reasoningTokens: tokens.reasoningTokens.summarize(),
      cost: cost.summarize(),
      users: users.summarize(),
      rewriting: rewriting.summarize(),
      retries,
      latency:
        latencies.length === 0
          ? null
          : { n: latencies.length, ...percentilesOf(Float64Array.from(latencies), timed.moments()) },
    }),
  };
}

/** Creates a tally of usage besides the target, over the trials that have any. */
function createSideTally() {
  const [inputTokens, outputTokens, cost] = [createTotal(), createTotal(), createTotal()];
  let trials = 0;
  return {
    add: (taken: { readonly usage?: Usage; readonly cost?: number } | undefined): void => {
      if (taken === undefined) return;
      trials += 1;
      inputTokens.add(taken.usage?.inputTokens);
      outputTokens.add(taken.usage?.outputTokens);
      cost.add(taken.cost);
    },
    summarize: (): SideUsage | undefined => {
      if (trials === 0) return undefined;
      return {
        trials,
        inputTokens: inputTokens.summarize(),
        outputTokens: outputTokens.summarize(),
        cost: cost.summarize(),
      };
    },
  };
}

/** Creates a sum of amounts in which unknown ones are counted, and never taken for 0. */
function createTotal() {
  const sum = createCompensatedSum();
  let reported = 0;
  let unknown = 0;
  return {
    add: (amount: number | undefined): void => {
      if (amount === undefined) {
        unknown += 1;
        return;
      }
      reported += 1;
      sum.add(amount);
    },
    summarize: (): Total => ({ sum: reported === 0 ? null : sum.total(), reported, unknown }),
  };
}

/**
 * Sums the usage of a run's judgements, without comparisons of answers, which no verdict of the run is based on. A call
 * that answered several questions counts once. Returns undefined when nothing was judged.
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
    if (isPreference(judgement)) continue;
    if (judgement.askedIn !== runId) {
      cached += 1;
      continue;
    }
    asked += 1;
    for (const call of judgement.calls) {
      if (calls.has(call.id)) continue;
      calls.add(call.id);
      // A call without any reply, for instance from a server that is down, is not charged.
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
