import { toTerminalText } from '../lib/terminal-text.ts';
import { formatDuration } from '../report/format/format-duration.ts';
import { formatMoney } from '../report/format/format-money.ts';
import { formatCount, formatPlural, formatPoints } from '../report/format/format-number.ts';
import type { SizePlan } from '../schema/size-plan.ts';

/** A plan in words: what it takes, what there is, and what it rests on. */
export function formatSizePlan(plan: SizePlan): string {
  const { difference, power, confidence, choices } = plan;
  const rows = choices.map(({ attempts, questions, calls, cost, timeMs }) => [
    formatPlural(attempts, 'attempt'),
    formatPlural(questions, 'question'),
    formatPlural(calls, 'call'),
    cost === null ? 'price unknown' : formatMoney(cost),
    timeMs === null ? '' : `about ${formatDuration(timeMs)}`,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  return `To see a difference of ${formatPoints(difference)} points between two versions that answer the same questions,
with a chance of ${percent(power)} and at most ${percent(1 - confidence)} false alarms:

${table.join('\n')}

${groundsOf(plan)}
`;
}

function groundsOf({ run, targets, spread, detectable, choices }: SizePlan): string {
  const { questions, attempts, withinVariance, isMeasured } = spread;
  const size = `${formatPlural(questions, 'question')}${attempts > 1 ? `, ${formatCount(attempts)} attempts each` : ''}`;
  const names = targets.map(toTerminalText).join(' and ');
  const source = isMeasured
    ? `From the differences between ${names} in run ${run}.`
    : `From the scores of ${names} in run ${run}, assuming that the scores of another version correlate with them by 0.5, question by question; a run of two versions would measure that.`;
  const repeats =
    withinVariance === null
      ? ' What more attempts would save is not known: each question was tried once.'
      : choices.length === 1
        ? ' More attempts would save nothing: attempts at a question come out alike.'
        : '';
  return `The run itself (${size}) would show ${formatPoints(detectable)} points.\n${source}${repeats}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
