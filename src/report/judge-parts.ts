import type { JudgeSummary } from '../schema/judge-summary.ts';
import { formatMoney } from './format/format-money.ts';
import { formatCount, formatPlural } from './format/format-number.ts';

/**
 * What judging took, part by part, apart from what the targets took: judgements asked for and found, calls, tokens and
 * cost, and the verdicts that are missing. What calls did not report is said to be unknown, with their number.
 */
export function judgeParts(judge: JudgeSummary): string[] {
  const { asked, cached, failed, calls, inputTokens, outputTokens, cost } = judge;
  const unknown =
    calls > 0 && cost.unknown > 0 ? [`cost unknown for ${formatPlural(cost.unknown, 'call')}`] : [];
  return [
    `${formatPlural(asked, 'judgement')} in ${formatPlural(calls, 'call')}`,
    ...(cached === 0 ? [] : [`${formatCount(cached)} known before, not paid again`]),
    ...(inputTokens.sum === null ? [] : [`${formatCount(inputTokens.sum)} tokens in`]),
    ...(outputTokens.sum === null ? [] : [`${formatCount(outputTokens.sum)} tokens out`]),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
    ...unknown,
    ...(failed === 0 ? [] : [`${formatPlural(failed, 'verdict')} missing because the judge failed`]),
  ];
}
