import { categoryCells } from '../../report/rows/category-cells.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount } from '../../report/format/format-number.ts';
import { type Line, span } from './line.ts';
import { setTable } from './table.ts';

const mostCategories = 30;

/** Every metric over every category: the last metrics are left out where the width does not allow them. */
export function categoryMetricLines({ target }: ReportedTarget, width: number): Line[] {
  const table = categoryCells(target);
  if (table === undefined) return [];
  const columns = [
    { title: 'By category' },
    ...table.metrics.map((title, index) => ({ title, align: 'right', isOptional: index > 0 }) as const),
  ];
  const rows = table.rows
    .slice(0, mostCategories)
    .map(({ category, cells }) => [[span(category)], ...cells.map(({ text }) => [span(text)])]);
  const others = table.rows.length - rows.length;
  const more = others > 0 ? [[span(`  … and ${formatCount(others)} more`, 'quiet')]] : [];
  return [...setTable({ columns, rows }, width), ...more];
}
