import { requireWhole } from '../../analysis/summary/check-totals.ts';
import { loadGate } from '../../config/load-rules.ts';
import { portableGate, locateBaseline } from '../../gate/baselines.ts';
import { decideRun } from '../../gate/decide-run.ts';
import { jsonDocument } from '../../lib/objects.ts';
import { shorten, toTerminalText } from '../../lib/text/terminal-text.ts';
import { formatPlural } from '../../report/format.ts';
import { summarizeRun } from '../../run/summarize.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { Decision, RuleDecision } from '../../schema/decision.ts';
import type { Gate } from '../../schema/gate.ts';
import type { Run } from '../../schema/run.ts';
import { type Summary, summarySchema } from '../../schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import { findRun } from '../find-run.ts';
import { findStoreFolder, openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { exitCodeOf, type GateFlags, joinGate } from '../program/gate-flags.ts';

/** The options of `touchstone gate`, as the command line gives them. */
export interface GateCommandFlags extends GateFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * `touchstone gate [run]`: decides on a run that is kept, by the gate it was made with or that of a config, and prints the
 * decision alone. Calls nothing and changes nothing. Gives the exit code of the decision.
 */
export async function gateCommand(given: string | undefined, flags: GateCommandFlags): Promise<number> {
  const output = claimStdout();
  const storeFolder = await findStoreFolder(flags.store);
  const store = await openStore(flags.store);
  try {
    const kept = await findRun(store, given);
    await requireWhole(kept, store);
    const written =
      flags.config === undefined ? withFile(kept.gate, storeFolder) : await loadGate(flags.config, kept);
    const run: Run = { ...kept, gate: portableGate(joinGate(written, flags, storeFolder), store) };
    const decided = await decideAnew(run, store);
    const { decision } = decided;
    await output.write(
      flags.json === true
        ? jsonDocument({ run: run.id, gate: run.gate, decision })
        : formatDecision(run, decision),
    );
    return exitCodeOf({ ...run, summary: decided }, false);
  } finally {
    await store.close();
  }
}

/** A gate as a run keeps it, with its baseline as the path of a file. */
function withFile(gate: Gate, storeFolder: string): Gate {
  if (gate.baseline === undefined) return gate;
  return { ...gate, baseline: locateBaseline(gate.baseline, { folder: storeFolder, storeFolder }) };
}

async function decideAnew(run: Run, store: Store): Promise<Summary> {
  const kept = summarySchema.safeParse(run.summary).data;
  // Numbers of a run that its gate ended leave out what another gate may need.
  if (kept === undefined || kept.decision.sequential?.isDecided === true)
    return await summarizeRun(run, store);
  const names = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const plain = kept.targets.filter(({ target }) => names.has(target));
  return { ...kept, decision: await decideRun(run, store, plain) };
}

const longest = 400;

const words = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-measured': 'NOT MEASURED',
} as const satisfies Record<Decision['outcome'], string>;

/** What a gate decided on a run: the decision, its reasons, and the arithmetic of every rule. */
function formatDecision(run: Run, { outcome, reasons, rules = [] }: Decision): string {
  const lines = [
    `${words[outcome]}  run ${run.id}, ${formatPlural(run.dataset.cases, 'question')}`,
    ...reasons.map((reason) => `  ${shorten(reason, longest)}`),
    ...rules.flatMap(ruleLines),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleLines({ name, target, category, outcome, reason, arithmetic }: RuleDecision): string[] {
  const place = [name, ...(category === undefined ? [] : [category]), target].map(toTerminalText).join(' · ');
  return [
    '',
    `${words[outcome]}  ${place}`,
    `  ${shorten(reason, longest)}`,
    `  ${shorten(arithmetic, longest)}`,
  ];
}
