import type { ReportInput } from '../reporter.ts';
import { differenceTitle, sideNote, type SideRow, sideRows } from '../../report/rows/side-by-side.ts';
import { codeSpan, setTable } from './code-span.ts';

const mark = '★';
const mostCategories = 30;

/** Several targets side by side; empty for a single one. */
export function comparisonText({ run, summary }: ReportInput): string {
  const rows = sideRows(run, summary);
  if (rows.length === 0) return '';
  const targets = summary.targets.map(({ target }) => codeSpan(target));
  const isPair = targets.length === 2;
  const categories = rows.filter(({ group }) => group === 'category');
  const shown = [
    ...rows.filter(({ group }) => group !== 'category'),
    ...(categories.length < 2 ? [] : categories.slice(0, mostCategories)),
  ];
  const titles = [
    'Side by side',
    ...targets.map((target) => `${target}:`),
    ...(isPair ? [`${codeSpan(differenceTitle(summary.targets.map(({ target }) => target)))}:`] : []),
  ];
  const table = setTable(
    titles,
    shown.map((row) => [nameOf(row), ...cellsOf(row), ...(isPair ? [row.difference] : [])]),
  );
  const others = categories.length - mostCategories;
  const more = others > 0 ? `… and ${others} more categories.\n\n` : '';
  return `${table}\n${more}${sideNote(rows, mark)}\n`;
}

function nameOf({ name, group }: SideRow): string {
  const shown = typeof name === 'string' ? name : codeSpan(name.quoted);
  return group === 'category' ? `category ${shown}` : shown;
}

function cellsOf({ cells }: SideRow): string[] {
  return cells.map(({ text, interval, isBest }) => {
    const value = [text, interval].filter(Boolean).join(' ');
    return isBest ? `**${value}** ${mark}` : value;
  });
}
