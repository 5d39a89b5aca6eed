import type { Run } from '../../schema/run.ts';
import type { Summary, TargetSummary } from '../../schema/summary.ts';
import { type IntervalRow, intervalRows, sharedIntervalRows } from '../../report/rows/interval-rows.ts';
import { codeSpan, setPhrase, setTable } from './code-span.ts';

/** How every number of a target was made, folded away. */
export function intervalText(run: Run, target: TargetSummary): string {
  return folded(intervalRows(run, target), 'How sure each number is');
}

/** The same of what is not of a single target. */
export function sharedIntervalText(summary: Summary): string {
  return folded(sharedIntervalRows(summary), 'How sure each difference is');
}

function folded(rows: readonly IntervalRow[], title: string): string {
  if (rows.length === 0) return '';
  const titles = ['', 'Mean:', 'Interval', 'n:', 'Clusters:', 'Measured:', 'Method', ''];
  return `<details><summary>${title}</summary>\n\n${setTable(titles, rows.map(cells))}\n</details>\n`;
}

function cells(row: IntervalRow): string[] {
  const { name, value, interval, reason, unit, n, clusters, coverage, method, confidence, caution } = row;
  // Units come from metrics of anyone's making: an unusual one is set as code.
  const isPlain = unit === undefined || /^\p{L}{0,20}$/u.test(unit);
  const inUnit = (text: string) => (isPlain || text === '' ? text : codeSpan(text));
  const limits = interval === '' ? `none: ${reason}` : `${inUnit(interval)} ${confidence}`;
  return [setPhrase(name), inUnit(value), limits, n, clusters, coverage, method, caution];
}
