import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { describeBasis, describeDetectable, describePlanned, sizeRows } from '../../look/report/size-plan.ts';
import type { SizePlan } from '../../core/schema/api/comparison/size-plan.ts';

/** Formats a plan as text: the sizes that suffice, what the run itself can detect, and the data behind both. */
export function sizePlanText(plan: SizePlan): string {
  const rows = sizeRows(plan);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  const basis = describeBasis(plan).map((part) =>
    typeof part === 'string' ? part : toTerminalText(part.quoted),
  );
  const detectable = plan.run === null ? '' : `${describeDetectable(plan)}\n`;
  const planned = describePlanned(plan).replace(', with a chance', ',\nwith a chance');
  return `${planned}

${table.join('\n')}

${detectable}${basis.join('')}
`;
}
