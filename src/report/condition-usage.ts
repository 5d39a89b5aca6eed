import type { SideUsage, Total, UsageSummary } from '../schema/usage-summary.ts';
import { plainTargets } from './rows/plain-targets.ts';
import type { ReportInput } from './report-input.ts';
import { usageParts } from './usage-parts.ts';

/** What the calls under all conditions of a run took together, part by part; empty where there are none. */
export function conditionUsage({ run, summary }: Pick<ReportInput, 'run' | 'summary'>): string[] {
  const plain = new Set(plainTargets(run));
  const usages = summary.targets.filter(({ target }) => !plain.has(target)).map(({ usage }) => usage);
  return usages.length === 0 ? [] : usageParts({ metrics: [] }, together(usages));
}

const amounts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens', 'cost'] as const;

/** Without latencies: those of different conditions have nothing in common. */
function together(all: readonly UsageSummary[]): UsageSummary {
  const totals = amounts.map((name) => [name, addTotals(all.map((usage) => usage[name]))]);
  return {
    ...(Object.fromEntries(totals) as Pick<UsageSummary, (typeof amounts)[number]>),
    trials: add(all.map(({ trials }) => trials)),
    users: addSides(all.flatMap(({ users }) => users ?? [])),
    rewriting: addSides(all.flatMap(({ rewriting }) => rewriting ?? [])),
    retries: add(all.map(({ retries }) => retries)),
    latency: null,
  };
}

function addSides(all: readonly SideUsage[]): SideUsage | undefined {
  if (all.length === 0) return undefined;
  return {
    trials: add(all.map(({ trials }) => trials)),
    inputTokens: addTotals(all.map(({ inputTokens }) => inputTokens)),
    outputTokens: addTotals(all.map(({ outputTokens }) => outputTokens)),
    cost: addTotals(all.map(({ cost }) => cost)),
  };
}

function addTotals(all: readonly Total[]): Total {
  const known = all.flatMap(({ sum }) => sum ?? []);
  return {
    sum: known.length === 0 ? null : add(known),
    reported: add(all.map(({ reported }) => reported)),
    unknown: add(all.map(({ unknown }) => unknown)),
  };
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
