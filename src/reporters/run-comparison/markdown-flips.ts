import type { Flip, PairComparison } from '../../schema/run-comparison.ts';
import { formatCount, formatPercent } from '../../report/format/format-number.ts';
import { codeSpan } from '../markdown/code-span.ts';
import { differInWords } from '../../report/comparison/word-difference.ts';

const longest = 400;
const mostFlips = 20;

/** The questions that passed in one run alone, with both answers; empty when there are none. */
export function flipText({ flips, flipsToWorse, flipsToBetter }: PairComparison): string {
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
  const pieces = differInWords(before.slice(0, 20_000), after.slice(0, 20_000));
  const changed = pieces.filter(({ kind }) => kind !== 'same');
  if (changed.length === 0 || changed.length === pieces.length) return '';
  const words = changed.slice(0, 6).map(({ kind, text }) => `${kind} ${codeSpan(text, 80)}`);
  return `  - in words: ${words.join(', ')}${changed.length > 6 ? ', …' : ''}\n`;
}
