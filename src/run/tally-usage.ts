import { createNumberList } from '../lib/number-list.ts';
import type { PlayedUser } from '../schema/conversation.ts';
import type { Outcome } from '../schema/result.ts';
import type { Usage } from '../schema/trial.ts';
import type { Total, UsageSummary } from '../schema/usage-summary.ts';
import { createCompensatedSum } from '../stats/compensated-sum.ts';
import { percentilesOf } from './percentiles-of.ts';

/** Adds up what calls took. A call that does not say how much counts as unknown. */
export function createUsageTally() {
  const tokens = {
    inputTokens: createTotal(),
    outputTokens: createTotal(),
    cachedTokens: createTotal(),
    reasoningTokens: createTotal(),
  } satisfies Record<keyof Usage, unknown>;
  const cost = createTotal();
  const latencies = createNumberList();
  const users = createUserTally();
  let trials = 0;
  let retries = 0;

  return {
    add: ({ trial }: Outcome): void => {
      trials += 1;
      retries += trial.retries;
      tokens.inputTokens.add(trial.usage?.inputTokens);
      tokens.outputTokens.add(trial.usage?.outputTokens);
      tokens.cachedTokens.add(trial.usage?.cachedTokens);
      tokens.reasoningTokens.add(trial.usage?.reasoningTokens);
      cost.add(trial.cost);
      users.add(trial.conversation?.user);
      if (trial.latency !== undefined) latencies.push(trial.latency.totalMs);
    },
    summarize: (): UsageSummary => ({
      trials,
      inputTokens: tokens.inputTokens.summarize(),
      outputTokens: tokens.outputTokens.summarize(),
      cachedTokens: tokens.cachedTokens.summarize(),
      reasoningTokens: tokens.reasoningTokens.summarize(),
      cost: cost.summarize(),
      ...users.summarize(),
      retries,
      latency: latencies.length === 0 ? null : { n: latencies.length, ...percentilesOf(latencies.toArray()) },
    }),
  };
}

/** Adds up what playing users took. */
function createUserTally() {
  const [inputTokens, outputTokens, cost] = [createTotal(), createTotal(), createTotal()];
  let trials = 0;
  return {
    add: (played: Pick<PlayedUser, 'usage' | 'cost'> | undefined): void => {
      if (played === undefined) return;
      trials += 1;
      inputTokens.add(played.usage?.inputTokens);
      outputTokens.add(played.usage?.outputTokens);
      cost.add(played.cost);
    },
    summarize: (): Pick<UsageSummary, 'users'> => {
      if (trials === 0) return {};
      const totals = {
        inputTokens: inputTokens.summarize(),
        outputTokens: outputTokens.summarize(),
        cost: cost.summarize(),
      };
      return { users: { trials, ...totals } };
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
