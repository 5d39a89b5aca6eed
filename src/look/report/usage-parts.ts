import { metricsMeasuring } from '../../core/schema/metric.ts';
import type { Run } from '../../core/schema/run.ts';
import type { SideUsage, Total, UsageSummary } from '../../core/schema/usage.ts';
import { formatCount, formatMoney, formatPercentileWithLimits, formatPlural } from './format.ts';
import { plainTargets, type ReportInput } from './report-input.ts';

/**
 * Lists the usage of a target's calls: calls and retries, tokens by kind, cost, and the latency unless a metric of
 * the run reports it. Amounts that calls did not report are listed as unknown, with their number.
 */
export function usageParts({ metrics }: Pick<Run, 'metrics'>, usage: UsageSummary): string[] {
  const { trials, retries, inputTokens, outputTokens, cost, latency } = usage;
  const showsLatency = latency !== null && metricsMeasuring({ metrics }, 'answer-time').length === 0;
  return [
    `${formatCount(trials)}, ${retries === 0 ? 'no retries' : formatPlural(retries, 'retry', 'retries')}`,
    ...tokenPart('tokens in', inputTokens, ['cached', usage.cachedTokens]),
    ...tokenPart('tokens out', outputTokens, ['reasoning', usage.reasoningTokens]),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
    ...unknownParts(usage),
    ...(showsLatency ? [latencyPart(latency)] : []),
    ...sidePart(usage.users, (trials) => `simulated users in ${formatPlural(trials, 'conversation')}`),
    ...sidePart(usage.rewriting, (trials) => `questions rewritten in ${formatPlural(trials, 'attempt')}`),
  ];
}

function tokenPart(name: string, { sum }: Total, [partName, part]: [string, Total]): string[] {
  if (sum === null) return [];
  const ofWhich = part.sum === null ? '' : ` (${formatCount(part.sum)} ${partName})`;
  return [`${formatCount(sum)} ${name}${ofWhich}`];
}

/** Lists what calls did not report, grouped by the number of these calls: sums cover only the others. */
function unknownParts({ trials, inputTokens, outputTokens, cost }: UsageSummary): string[] {
  const kinds = [
    ['tokens in', inputTokens.unknown],
    ['tokens out', outputTokens.unknown],
    ['cost', cost.unknown],
  ] as const;
  const byCount = Map.groupBy(
    kinds.filter(([, unknown]) => unknown > 0),
    ([, unknown]) => unknown,
  );
  return Array.from(byCount, ([unknown, of]) => {
    const names = of
      .map(([name]) => name)
      .join(', ')
      .replace('tokens in, tokens out', 'tokens');
    const what = names.replace(/, (?=[^,]*$)/, ' and ');
    return unknown === trials
      ? `${what} not reported`
      : `${what} unknown for ${formatPlural(unknown, 'call')}`;
  });
}

/** Describes the usage of playing users or rephrasing questions, separate from the usage of the target. */
function sidePart(usage: SideUsage | undefined, describe: (trials: number) => string): string[] {
  if (usage === undefined) return [];
  const { trials, inputTokens, outputTokens, cost } = usage;
  const tokens = (inputTokens.sum ?? 0) + (outputTokens.sum ?? 0);
  const parts = [
    describe(trials),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
  ];
  return [parts.join(', ')];
}

function latencyPart(latency: NonNullable<UsageSummary['latency']>): string {
  const times = (['p50', 'p90', 'p99'] as const).map(
    (name) => `${name} ${formatPercentileWithLimits(latency, name, 'ms')}`,
  );
  return `latency ${times.join(', ')}`;
}

/** Lists the usage of all calls under conditions together; empty when there are none. */
export function conditionUsage({ run, summary }: Pick<ReportInput, 'run' | 'summary'>): string[] {
  const plain = new Set(plainTargets(run));
  const usages = summary.targets.filter(({ target }) => !plain.has(target)).map(({ usage }) => usage);
  return usages.length === 0 ? [] : usageParts({ metrics: [] }, together(usages));
}

const amounts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens', 'cost'] as const;

/** Sums usage without latencies, because latencies under different conditions are not comparable. */
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
