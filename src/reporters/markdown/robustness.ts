import { conditionUsage } from '../../report/condition-usage.ts';
import { formatCount } from '../../report/format/format-number.ts';
import type { ReportInput } from '../reporter.ts';
import {
  handlings,
  type RobustnessGroup,
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../report/rows/robustness-rows.ts';
import { codeSpan, setTable } from './code-span.ts';

/** How the targets stand up to faults in their tools and to questions put in another way; empty without such. */
export function robustnessText(input: Pick<ReportInput, 'run' | 'summary'>): string {
  const groups = robustnessGroups(input.summary.robustness);
  if (groups.length === 0) return '';
  const texts = groups.map((group) => groupText(group));
  const calls = `Calls under these conditions: ${conditionUsage(input).join(' · ')}`;
  return `### Robustness\n\n${texts.join('\n')}\n${calls}\n\n${robustnessNote}\n`;
}

function groupText({ target, faults, perturbations }: RobustnessGroup): string {
  const listed = [...faults, ...perturbations].map(listingItems).join('');
  const tables = [
    ...(faults.length > 0 ? [faultTable(faults)] : []),
    ...(perturbations.length > 0 ? [perturbationTable(perturbations)] : []),
    ...(listed === '' ? [] : [listed]),
  ];
  return `${codeSpan(target)}\n\n${tables.join('\n')}`;
}

const heldTitles = ['Errors:', 'Held:', 'Interval', 'Compared:', 'Others'];

function faultTable(rows: readonly RobustnessRow[]): string {
  const titles = handlings.map(([, title]) => `${capitalized(title)}:`);
  return setTable(
    ['Faults in tools', ...titles, ...heldTitles],
    rows.map((row) => [
      codeSpan(row.name),
      ...handlings.map((_, index) => formatCount(row.handling[index] ?? 0)),
      ...heldCells(row),
    ]),
  );
}

function perturbationTable(rows: readonly RobustnessRow[]): string {
  return setTable(
    ['Perturbed questions', 'Broke:', 'Mended:', ...heldTitles],
    rows.map((row) => [
      codeSpan(row.name),
      formatCount(row.broken),
      formatCount(row.mended),
      ...heldCells(row),
    ]),
  );
}

function heldCells({ errors, held, interval, compared, missing }: RobustnessRow): string[] {
  return [formatCount(errors), held, interval, compared, missing];
}

function listingItems({ listings }: RobustnessRow): string {
  const items = listings.map(({ title, ids, more }) => {
    const shown = ids.map((id) => codeSpan(id)).join(', ');
    return `- ${codeSpan(title)} ${shown}${more === '' ? '' : ` (${more})`}\n`;
  });
  return items.join('');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
