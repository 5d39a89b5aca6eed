import { styleText } from 'node:util';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import {
  type LintFinding,
  type LintReport,
  type LintSeverity,
  lintSeverities,
} from '../../core/schema/api/lint-finding.ts';

/** The most findings of one rule that are listed unless all are wanted. */
const mostListed = 5;

/** The form of a lint report for the terminal. */
export interface LintView {
  /** True to list every finding. */
  readonly verbose: boolean;
  readonly color: boolean;
}

/** Formats the findings about a dataset for the terminal: errors first, grouped by rule, with one remedy for alike ones. */
export function lintText({ findings, ...report }: LintReport, view: LintView): string {
  const groups = Map.groupBy(findings, ({ severity, rule }) => `${severity} ${rule}`);
  const blocks = Array.from(groups.values(), (group) => formatGroup(group, view));
  return `${blocks.join('')}${summarize(report)}\n`;
}

function formatGroup(group: readonly LintFinding[], view: LintView): string {
  const [first] = group;
  if (first === undefined) return '';
  const { severity, rule } = first;
  const shown = view.verbose ? group : group.slice(0, mostListed);
  const count = group.length === 1 ? '' : ` (${group.length})`;
  const lines = [`${paint(severity, severity, view)}  ${rule}${count}`];
  for (const [index, finding] of shown.entries()) {
    lines.push(`  ${formatPlaceOf(finding)}  ${toTerminalText(finding.message)}`);
    // Alike findings share a remedy, which is given once below them.
    if (finding.remedy !== shown[index + 1]?.remedy) {
      lines.push(`    ${paint('dim', '→', view)} ${toTerminalText(finding.remedy)}`);
    }
  }
  const hidden = group.length - shown.length;
  if (hidden > 0) lines.push(`  … and ${hidden} more (--verbose lists them all)`);
  return `${lines.join('\n')}\n\n`;
}

function formatPlaceOf({ file, line, column }: LintFinding): string {
  return toTerminalText([file, line, column].filter((part) => part !== undefined).join(':'));
}

function summarize({ sources, cases, counts, skipped }: Omit<LintReport, 'findings'>): string {
  const found = lintSeverities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? '' : 's'}`);
  const files = sources.length > 3 ? `${sources.length} files` : sources.map(toTerminalText).join(', ');
  const off = skipped.length === 0 ? '' : ` Switched off: ${skipped.join(', ')}.`;
  return `${cases === 1 ? '1 question' : `${cases} questions`} in ${files}: ${found.length === 0 ? 'nothing to correct' : found.join(', ')}.${off}`;
}

const styles = { error: 'red', warning: 'yellow', note: 'cyan', dim: 'dim' } as const;

function paint(style: LintSeverity | 'dim', text: string, { color }: LintView): string {
  return color ? styleText(styles[style], text, { validateStream: false }) : text;
}
