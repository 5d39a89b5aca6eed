import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/load-config.ts';
import { toGate } from '../../config/load-rules.ts';
import { readLocatedBaseline, locatedGate, portableGate } from '../../../decide/gate/baselines.ts';
import { decideAgain } from '../../../evaluate/run/summarize.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Decision } from '../../../core/schema/decision.ts';
import { findWholeRun } from '../named-runs.ts';
import { type StoreChoice, withStore } from '../open-store.ts';
import { type GateChoice, joinGate } from './join-gate.ts';

/** The gate that decides on a stored run. */
export interface GateOptions extends StoreChoice, Omit<GateChoice, 'sequential'> {
  /**
   * A config, its file or its folder, whose gate decides in place of the one that the run was made with, and whose `store`
   * setting names the store.
   */
  readonly config?: Config | string;
}

/** The decision of a gate on a run. */
export interface GateReport {
  /** The run with the gate that decided and the summary that it led to; the stored run stays as it is. */
  readonly run: Run;
  readonly decision: Decision;
}

/**
 * Decides on a stored run, as `touchstone gate` does. Calls nothing and changes nothing.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run that is not there or whose totals do not add up, and for what is wrong with the config.
 */
export async function gate(runId = 'latest', options: GateOptions = {}): Promise<GateReport> {
  const { config, baseline, folder = process.cwd() } = options;
  return await withStore(options, async (store) => {
    const kept = await findWholeRun(store, runId);
    const own =
      config === undefined
        ? locatedGate(kept.gate, store)
        : await toGate(await readConfig(config, folder), kept);
    const { failUnder } = options;
    const gate = joinGate(own, { failUnder, baseline }, folder);
    // One that is named here and is not there is a mistake; the baseline of the run or the config is a reason of the decision.
    if (baseline !== undefined && gate.baseline !== undefined)
      await readLocatedBaseline(gate.baseline, store);
    const run = { ...kept, gate: portableGate(gate, store) };
    const summary = await decideAgain(run, store);
    return { run: { ...run, summary }, decision: summary.decision };
  });
}
