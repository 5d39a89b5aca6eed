import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { describeRanking } from '../../report/comparison/preferences.ts';
import { formatCount, formatInterval, formatMoney, formatPercent } from '../../report/format.ts';
import type { PreferenceReport, TargetPreference } from '../../../core/schema/api/preference/report.ts';
import { codeSpan, setTable } from '../markdown/code-span.ts';

/** Formats the report of comparing answers in pairs for a pull request, with all texts from targets and judges as code. */
export function preferenceMarkdown(report: PreferenceReport): string {
  const { rule, judging, isStopped, pairs } = report;
  const calls =
    judging.calls === 0 ? 'no calls, all judgements were stored' : `${formatCount(judging.calls)} calls`;
  const cost =
    judging.calls === 0 ? '' : `, ${judging.cost === null ? 'cost unknown' : formatMoney(judging.cost)}`;
  const order =
    rule.order === 'both'
      ? 'Every pair in both orders; a win counts only if it survives the swap.'
      : 'Every pair once, in a random order: the position may decide.';
  const parts = [
    '## Touchstone prefer\n',
    ...pairs.map((pair) => `**${outcomeOf(pair)}.**\n`),
    pairTable(pairs),
    ...pairs.flatMap(notMeasuredText),
    rankingText(report),
    `Judge ${name(rule.judge.name)}: ${calls}${cost}. ${order} A tie is half a win.\n`,
    `Criterion: ${codeSpan(toTerminalText(rule.criterion), 400)}\n`,
    ...(isStopped ? ['Stopped before all pairs were asked; the same command continues.\n'] : []),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Formats a name from outside: as code, and with marks in place of characters that cannot be seen. */
function name(text: string): string {
  return codeSpan(toTerminalText(text));
}

function outcomeOf({ verdict, a, b }: TargetPreference): string {
  if (verdict === 'not-enough-data') return `Not enough data: ${name(a)} against ${name(b)}`;
  if (verdict === 'no-visible-difference') return `No visible difference: ${name(a)} against ${name(b)}`;
  const [better, worse] = verdict === 'a-better' ? [a, b] : [b, a];
  return `${name(better)} is preferred to ${name(worse)}`;
}

function pairTable(pairs: readonly TargetPreference[]): string {
  const titles = ['A', 'B', 'A wins:', 'Wins:', 'Ties:', 'Losses:', 'Pairs:', 'At equal lengths:', 'Flips:'];
  const rows = pairs.map(
    ({ a, b, winRate, wins, ties, losses, measured, planned, lengthControlled, position }) => [
      name(a),
      name(b),
      `${formatPercent(winRate.value)} ${formatInterval(winRate)}`.trim(),
      ...[wins, ties, losses].map(formatCount),
      `${formatCount(measured)} of ${formatCount(planned)}`,
      formatPercent(lengthControlled.value),
      position.swapped === 0
        ? `first ${position.toFirst}, second ${position.toSecond}`
        : `${formatCount(position.swapped - position.consistent)} of ${formatCount(position.swapped)}`,
    ],
  );
  return setTable(titles, rows);
}

function notMeasuredText({ a, b, notMeasured }: TargetPreference): string[] {
  if (notMeasured.length === 0) return [];
  const reasons = notMeasured.map(({ code, pairs }) => `${formatCount(pairs)} ${codeSpan(code)}`);
  return [`${name(a)} against ${name(b)}, not measured: ${reasons.join(', ')}.\n`];
}

function rankingText({ ranking }: PreferenceReport): string {
  if (ranking === undefined) return '';
  const rows = ranking.targets.map(({ name: target, rank, lastRank, elo }) => [
    rank === lastRank ? `${rank}` : `${rank}–${lastRank}`,
    name(target),
    elo.toFixed(0),
  ]);
  const table = rows.length === 0 ? '' : `${setTable(['Place', 'Target', 'Elo scale:'], rows)}\n`;
  return `${table}${describeRanking(ranking).join(' ')}\n`;
}
