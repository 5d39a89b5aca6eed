import { decideByGate } from '../../library/api/gate.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';
import { decisionWarnings } from '../../look/report/judged-rates.ts';
import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import { findRun } from '../../look/queries/runs.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { exitCodeOf, type GateFlags } from '../flags/gate-flags.ts';

/** The options of `touchstone gate`, as parsed from the command line. */
export interface GateCommandFlags extends GateFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * Runs `touchstone gate [run]`: decides on a stored run, by the gate it was made with or that of a config, and prints
 * only the decision. Calls nothing and changes nothing. Returns the exit code of the decision.
 */
export async function gateCommand(runId: string | undefined, flags: GateCommandFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const kept = await findRun(store, runId);
    const { run, decision } = await decideByGate(kept, store, { ...flags, folder: process.cwd() });
    await output.write(
      flags.json === true
        ? jsonDocument({ run: run.id, gate: run.gate, decision })
        : formatDecision(run, decision),
    );
    return exitCodeOf(run, false);
  } finally {
    await store.close();
  }
}

const longest = 600;

const outcomeLabels = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-measured': 'NOT MEASURED',
} as const satisfies Record<Decision['outcome'], string>;

/** Formats the decision on a run with its reasons and the arithmetic of every rule. */
function formatDecision(run: Run, decision: Decision): string {
  const { outcome, reasons, rules = [] } = decision;
  const lines = [
    `${outcomeLabels[outcome]}  run ${run.id}, ${formatPlural(run.dataset.cases, 'question')}`,
    ...reasons.map((reason) => `  ${shorten(reason, longest)}`),
    ...decisionWarnings(decision).map((warning) => `  WARNING  ${shorten(warning, longest)}`),
    ...rules.flatMap(ruleLines),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleLines({ name, target, category, outcome, reason, arithmetic }: RuleDecision): string[] {
  const place = [name, ...(category === undefined ? [] : [category]), target].map(toTerminalText).join(' · ');
  return [
    '',
    `${outcomeLabels[outcome]}  ${place}`,
    `  ${shorten(reason, longest)}`,
    `  ${shorten(arithmetic, longest)}`,
  ];
}
