import type { Run } from '../schema/run.ts';
import type { SideUsage, Total, UsageSummary } from '../schema/usage-summary.ts';
import { formatMoney } from './format/format-money.ts';
import { formatCount, formatPlural } from './format/format-number.ts';
import { formatPercentileWithLimits } from './format/format-quantity.ts';

/**
 * What a target's calls took, part by part: calls and retries, tokens by kind, cost, and the latency unless a metric of
 * the run tells it. What calls did not report is said to be unknown, with their number.
 */
export function usageParts({ metrics }: Pick<Run, 'metrics'>, usage: UsageSummary): string[] {
  const { trials, retries, inputTokens, outputTokens, cost, latency } = usage;
  const tellsLatency = latency !== null && !metrics.some(({ use }) => use.use === 'latency');
  return [
    `${formatCount(trials)}, ${retries === 0 ? 'no retries' : formatPlural(retries, 'retry', 'retries')}`,
    ...tokenPart('tokens in', inputTokens, ['cached', usage.cachedTokens]),
    ...tokenPart('tokens out', outputTokens, ['reasoning', usage.reasoningTokens]),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
    ...unknownParts(usage),
    ...(tellsLatency ? [latencyPart(latency)] : []),
    ...sidePart(usage.users, (trials) => `simulated users in ${formatPlural(trials, 'conversation')}`),
    ...sidePart(usage.rewriting, (trials) => `questions rewritten in ${formatPlural(trials, 'trial')}`),
  ];
}

function tokenPart(name: string, { sum }: Total, [partName, part]: [string, Total]): string[] {
  if (sum === null) return [];
  const ofWhich = part.sum === null ? '' : ` (${formatCount(part.sum)} ${partName})`;
  return [`${formatCount(sum)} ${name}${ofWhich}`];
}

/** What some or all calls did not report, grouped by the number of these calls: sums are of the others. */
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

/** What playing users and rewriting questions took is told apart: it is none of the target's doing. */
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
