import {
  contradictionPhrase,
  countText,
  readContradictions,
  seenDisagreements,
  targetPhrases,
} from '../../report/disagreements.ts';
import { formatCount, formatPercent, formatPlural } from '../../report/format.ts';
import { showCommand } from '../../report/phrase.ts';
import { questionRow } from '../../report/rows/question-row.ts';
import {
  type RobustnessGroup,
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../report/rows/robustness-rows.ts';
import { faultHandlings } from '../../../core/schema/condition.ts';
import { differenceTitle, markOf, sideNote, type SideRow, sideRows } from '../../report/rows/side-by-side.ts';
import { conditionUsage } from '../../report/usage-parts.ts';
import type { Disagreement } from '../../../core/schema/summary.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { ReportInput } from '../reporter.ts';
import { codeSpan, setPhrase, setTable } from './code-span.ts';
import { questionItem } from './questions.ts';

const mostCategories = 30;

/** Formats several targets side by side; empty for a single one. */
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
  return `${table}\n${more}${sideNote(rows)}\n`;
}

function nameOf({ name, group }: SideRow): string {
  const shown = typeof name === 'string' ? name : codeSpan(name.quoted);
  return group === 'category' ? `category ${shown}` : shown;
}

function cellsOf({ cells }: SideRow): string[] {
  return cells.map((cell) => {
    const value = [cell.text, cell.interval].filter(Boolean).join(' ');
    const marked = cell.isBest ? `**${value}**` : value;
    return [marked, markOf(cell)?.sign ?? ''].filter(Boolean).join(' ');
  });
}

const mostKinds = 5;
const mostNamed = 3;
const widestText = 400;

/** Formats the contradictions between metrics by kind; empty when there are none. */
export function disagreementText(input: ReportInput): string {
  const seen = seenDisagreements(input.summary);
  if (seen.length === 0) return '';
  const items = seen.slice(0, mostKinds).map((disagreement) => {
    const named = disagreement.widest
      .slice(0, mostNamed)
      .map((one) => contradictionPhrase(one, disagreement));
    return `- ${kindText(disagreement)}${named.map((phrase) => `  - ${setPhrase(phrase)}\n`).join('')}`;
  });
  const others = seen.length - mostKinds;
  const more = others > 0 ? `\n… and ${formatPlural(others, 'more kind')}.\n` : '';
  const command = codeSpan(showCommand(input, '--disagreements'), 160);
  return `**Where metrics contradict each other**\n\n${items.join('')}${more}\nSide by side: ${command}\n`;
}

/** Yields the questions of each kind of disagreement with the two verdicts. */
export async function* disagreementListing(
  input: ReportInput,
  disagreements: readonly Disagreement[],
): AsyncGenerator<string> {
  for (const disagreement of disagreements) {
    yield `${kindText(disagreement)}\n`;
    for await (const [{ target, high, low }, result] of readContradictions(input, disagreement)) {
      yield questionItem(questionRow(input.run, result));
      if (disagreement.targets.length > 1) yield `  - ${codeSpan(target)}\n`;
      for (const { metric, value } of [high, low]) yield verdictItem(metric, value, result);
    }
    const others = disagreement.count - disagreement.widest.length;
    yield others > 0 ? `\n… and ${formatCount(others)} more with smaller differences.\n\n` : '\n';
  }
}

function kindText(disagreement: Disagreement): string {
  const { kind, title, reading } = disagreement;
  const targets = targetPhrases(disagreement).map(setPhrase);
  const byTarget = targets.length === 0 ? '' : ` (${targets.join(', ')})`;
  return `**${kind}** ${countText(disagreement)} answers${byTarget}: ${title}. ${reading}\n`;
}

function verdictItem(metric: string, value: number, { verdicts }: Result): string {
  const verdict = verdicts[metric];
  const explanation = verdict?.status === 'scored' ? (verdict.explanation ?? '').trim() : '';
  const because = explanation === '' ? '' : `: ${codeSpan(explanation, widestText)}`;
  return `  - ${codeSpan(metric)} **${formatPercent(value)}**${because}\n`;
}

/** Formats the robustness of the targets to tool faults and perturbed questions; empty without conditions. */
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
  const titles = faultHandlings.map(({ title }) => `${capitalized(title)}:`);
  return setTable(
    ['Faults in tools', ...titles, ...heldTitles],
    rows.map((row) => [
      codeSpan(row.name),
      ...faultHandlings.map((_, index) => formatCount(row.handling[index] ?? 0)),
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
