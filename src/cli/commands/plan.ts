import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { planFrom } from '../../look/queries/plan.ts';
import { findRun } from '../../look/queries/runs.ts';
import { describeBasis, describeDetectable, describePlanned, sizeRows } from '../../look/report/size-plan.ts';
import type { SizePlan } from '../../core/schema/estimate.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/** The options of `touchstone plan`, as parsed from the command line. */
export interface PlanFlags {
  /** The difference to detect, in percentage points. */
  readonly difference: number;
  /** The chance of detecting it, in per cent. */
  readonly power: number;
  readonly target?: string[];
  readonly json?: boolean;
  readonly store?: string;
}

/**
 * Runs `touchstone plan [run]`: computes how many questions and attempts it takes to detect a difference, from the spread
 * of scores in a past run. Returns the exit code.
 */
export async function planCommand(runId: string | undefined, flags: PlanFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, runId);
    const plan = await planFrom(run, store, {
      targets: flags.target,
      difference: flags.difference / 100,
      power: flags.power / 100,
    });
    await output.write(flags.json === true ? jsonDocument(plan) : formatSizePlan(plan));
    return 0;
  } finally {
    await store.close();
  }
}

/** Formats a plan as text: the sizes that suffice, what the run itself can detect, and the data behind both. */
export function formatSizePlan(plan: SizePlan): string {
  const rows = sizeRows(plan);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  const basis = describeBasis(plan).map((part) =>
    typeof part === 'string' ? part : toTerminalText(part.quoted),
  );
  const planned = describePlanned(plan).replace(', with a chance', ',\nwith a chance');
  return `${planned}

${table.join('\n')}

${describeDetectable(plan)}
${basis.join('')}
`;
}
