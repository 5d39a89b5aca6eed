import { createNumberList } from '../../lib/number-list.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Usage } from '../../schema/trial.ts';
import type { SideUsage, Total, UsageSummary } from '../../schema/usage-summary.ts';
import { createCompensatedSum } from '../../stats/compensated-sum.ts';
import { createCaseMeans } from './case-means.ts';
import type { ClusterNumbers } from './cluster-numbers.ts';
import { percentilesOf } from './percentiles-of.ts';

/** Adds up what calls took. A call that does not say how much counts as unknown. */
export function createUsageTally(attempts: number, clusters: ClusterNumbers) {
  const tokens = {
    inputTokens: createTotal(),
    outputTokens: createTotal(),
    cachedTokens: createTotal(),
    reasoningTokens: createTotal(),
  } satisfies Record<keyof Usage, unknown>;
  const cost = createTotal();
  const latencies = createNumberList();
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
          : { n: latencies.length, ...percentilesOf(latencies.toArray(), timed.moments()) },
    }),
  };
}

/** Adds up what was taken beside the target, in the trials in which anything was. */
function createSideTally() {
  const [inputTokens, outputTokens, cost] = [createTotal(), createTotal(), createTotal()];
  let trials = 0;
  return {
    add: (
      taken: { readonly usage?: Usage | undefined; readonly cost?: number | undefined } | undefined,
    ): void => {
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

/** Adds up amounts; one that is not known is counted, and never taken for 0. */
export function createTotal() {
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
