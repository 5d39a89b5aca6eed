import {
  nameMeasure,
  noticePhrase,
  rescoreCommands,
  describeMethods,
  describeRegression,
  describeTargetChanges,
  describeVerdict,
} from '../../report/comparison/phrases.ts';
import {
  type ComparisonInput,
  formatFinding,
  formatLimits,
  formatMean,
  formatPlaces,
  formatPValue,
  formatSigned,
  formatWins,
  pickRows,
  placesNote,
} from '../../report/comparison/rows.ts';
import { listUncovered } from '../../report/comparison/parts.ts';
import { formatCount, formatPercent, formatPlural, formatTime } from '../../report/format.ts';
import { diffWords } from '../../report/comparison/word-difference.ts';
import type {
  Flip,
  PairComparison,
  RunComparison,
  RunDifference,
} from '../../../core/schema/run-comparison.ts';
import { codeSpan, quantityText, setPhrase, setTable } from '../markdown/code-span.ts';

const mostListed = 8;

/** Formats a comparison for a pull request, the verdict first, with all text from targets, datasets and metrics as code. */
export function comparisonMarkdown(input: ComparisonInput): string {
  const { comparison } = input;
  const parts = [
    '## Touchstone compare\n',
    ...comparison.comparisons.flatMap((pair) => pairParts(pair, input)),
    rankingText(comparison),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function pairParts(pair: PairComparison, input: ComparisonInput): string[] {
  const { outcome, sentences } = describeVerdict(pair);
  const regression = describeRegression(pair);
  return [
    `**${outcome}.** ${sentences.map(setPhrase).join(' ')}\n`,
    regression === undefined ? '' : `**${setPhrase(regression)}**\n`,
    noticeText(pair, input),
    `${sidesText(pair)}${changesText(pair)}`,
    differenceTable(pair),
    unpairedText(pair),
    flipText(pair),
    `${describeMethods(pair, input.comparison).map(setPhrase).join(' ')}\n`,
  ];
}

function sidesText({ a, b }: PairComparison): string {
  const [sideA, sideB] = [a, b].map(({ run, target, cases, sources, createdAt }) =>
    [
      `run ${codeSpan(run)}`,
      `target ${codeSpan(target)}`,
      formatPlural(cases, 'question'),
      codeSpan(sources.join(', '), 160),
      formatTime(createdAt),
    ].join(' · '),
  );
  return `- A: ${sideA}\n- B: ${sideB}\n`;
}

function changesText({ targetChanges }: PairComparison): string {
  const changes = describeTargetChanges(targetChanges);
  return changes === undefined ? '' : `- ${setPhrase(changes)}\n`;
}

function noticeText(pair: PairComparison, input: ComparisonInput): string {
  if (pair.notices.length === 0) return '';
  const items = pair.notices.map((notice) => `- **Note:** ${setPhrase(noticePhrase(notice))}\n`);
  const commands = rescoreCommands(pair, input).map((command) => codeSpan(command, 240));
  const offer = commands.length === 0 ? '' : `- Score both by the same rules: ${commands.join(', then ')}\n`;
  return `${items.join('')}${offer}`;
}

function differenceTable(pair: PairComparison): string {
  const { rows, more } = pickRows(pair, false);
  if (rows.length === 0) return '';
  const titles = [
    'Measure',
    'A:',
    'B:',
    'B − A:',
    'Interval',
    'p, Holm:',
    '',
    'Better / worse / equal',
    'n:',
  ];
  const table = setTable(titles, rows.map(rowCells));
  return more > 0 ? `${table}\n… and ${formatCount(more)} more categories.\n` : table;
}

function rowCells(row: RunDifference): string[] {
  const { unit, meanA, meanB, difference, adjustedPValue, pairs, isRuleChanged } = row;
  const finding = formatFinding(row);
  return [
    `${setPhrase(nameMeasure(row))}${isRuleChanged ? ' (other rule)' : ''}`,
    quantityText(formatMean(meanA, unit), unit),
    quantityText(formatMean(meanB, unit), unit),
    quantityText(formatSigned(difference.value, unit), unit),
    quantityText(formatLimits(difference, unit), unit),
    formatPValue(adjustedPValue).replace('<', '&lt;'),
    finding === '' || row.finding === 'too-few' ? finding : `**${finding}**`,
    formatWins(row),
    difference.n === pairs ? formatCount(pairs) : `${formatCount(difference.n)} of ${formatCount(pairs)}`,
  ];
}

function unpairedText(pair: PairComparison): string {
  return listUncovered(pair)
    .map(({ reason, cases: { count, ids } }) => {
      const names = ids.slice(0, mostListed).map((id) => codeSpan(id));
      const rest = count > mostListed ? [`${formatCount(count - mostListed)} more`] : [];
      return `- ${formatPlural(count, 'question')} ${reason}: ${[...names, ...rest].join(', ')}\n`;
    })
    .join('');
}

function rankingText({ ranking = [], comparisons }: RunComparison): string {
  if (ranking.length === 0) return '';
  const unit = comparisons[0]?.differences[0]?.unit;
  const rows = ranking.map(({ run, target, toLeader, ...places }) => [
    formatPlaces(places),
    codeSpan(run),
    codeSpan(target),
    toLeader === null ? '' : formatSigned(toLeader.value, unit),
    toLeader === null ? '' : formatLimits(toLeader, unit),
  ]);
  return `${setTable(['Place:', 'Run', 'Target', 'To the first:', 'Interval'], rows)}\n${placesNote}\n`;
}

const longest = 400;
const mostFlips = 20;

/** Formats the questions that passed in only one of the runs, with both answers; empty when there are none. */
function flipText({ flips, flipsToWorse, flipsToBetter }: PairComparison): string {
  if (flipsToWorse + flipsToBetter === 0) return '';
  const title = `**Flipped:** ${formatCount(flipsToWorse)} to the worse, ${formatCount(flipsToBetter)} to the better\n`;
  const shown = flips.slice(0, mostFlips);
  const more = flipsToWorse + flipsToBetter - shown.length;
  return `${title}\n${shown.map(flipItem).join('')}${more > 0 ? `- … and ${formatCount(more)} more\n` : ''}`;
}

function flipItem({ change, caseId, question, a, b }: Flip): string {
  const totals = a.total === null ? '' : ` ${formatPercent(a.total)} → ${formatPercent(b.total)}`;
  return [
    `- ${change === 'worse' ? '✗' : '✓'} ${codeSpan(caseId)} ${codeSpan(question, 160)}${totals}\n`,
    `  - A: ${codeSpan(a.answer ?? '', longest)}\n`,
    `  - B: ${codeSpan(b.answer ?? '', longest)}\n`,
    changedWords(a.answer, b.answer),
  ].join('');
}

function changedWords(before: string | null, after: string | null): string {
  if (before === null || after === null) return '';
  const pieces = diffWords(before.slice(0, 20_000), after.slice(0, 20_000));
  const changed = pieces.filter(({ kind }) => kind !== 'same');
  if (changed.length === 0 || changed.length === pieces.length) return '';
  const words = changed.slice(0, 6).map(({ kind, text }) => `${kind} ${codeSpan(text, 80)}`);
  return `  - in words: ${words.join(', ')}${changed.length > 6 ? ', …' : ''}\n`;
}
