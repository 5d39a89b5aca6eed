import type { Trend, TrendSearch } from '../../schema/trends.ts';
import { isTooFew } from '../../schema/estimate.ts';
import { formatInterval, formatPercent, missing } from '../../report/format/format-number.ts';
import { formatLimits, formatSigned } from '../../report/comparison/format-difference.ts';
import { shortCommit } from '../../report/format/format-git.ts';
import { type Line, span } from '../terminal/line.ts';
import { setTable } from '../terminal/table.ts';
import { shareTone } from '../terminal/tone.ts';
import { changeMarks } from '../../report/trends/change-phrases.ts';

/** The categories of the newest run, weakest first, each with its last change. */
export function categoryLines({ searches }: Trend, width: number): Line[] {
  const categories = searches
    .filter(({ measure }) => measure === 'category')
    .toSorted((a, b) => (a.newest?.value ?? 1) - (b.newest?.value ?? 1));
  if (categories.length === 0) return [];
  const columns = [
    { title: 'Category, newest run' },
    { title: 'Score', align: 'right' },
    { title: '' },
    { title: 'Last change' },
  ] as const;
  return [[], ...setTable({ columns, rows: categories.map(rowCells) }, width)];
}

function rowCells(search: TrendSearch): Line[] {
  const { name, newest } = search;
  const isSure = newest !== undefined && !isTooFew(newest);
  return [
    [span(name)],
    [span(formatPercent(newest?.value), isSure ? shareTone(newest.value) : undefined)],
    [span(isSure ? formatInterval(newest) : 'too few to say', 'quiet')],
    [lastChange(search)],
  ];
}

const tones = { better: 'good', worse: 'bad', different: 'fair' } as const;

function lastChange({ changes, reason }: TrendSearch): ReturnType<typeof span> {
  const change = changes.at(-1);
  if (change === undefined) return span(reason === undefined ? 'none visible' : missing, 'quiet');
  const { finding, difference, lower, upper, after } = change;
  const limits = formatLimits(
    { value: difference, lower, upper, n: 0, confidence: 0.95, method: '' },
    undefined,
  );
  const where = after.git === undefined ? after.run : shortCommit(after.git);
  const size = `${formatSigned(difference, undefined)} ${limits}`;
  return span(`${changeMarks[finding]} ${size} at ${where}`, tones[finding]);
}
