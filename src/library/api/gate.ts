import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import type { Config } from '../config/config.ts';
import { loadGate, toGate } from '../config/load-rules.ts';
import {
  locateBaseline,
  readLocatedBaseline,
  locatedGate,
  portableGate,
} from '../../decide/gate/baselines.ts';
import { findRun } from '../../look/queries/runs.ts';
import { decideAgain } from '../../evaluate/run/summarize.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Decision } from '../../core/schema/decision.ts';
import type { Store } from '../../stores/store.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** The gate that decides on a stored run. */
export interface GateOptions extends StoreChoice {
  /**
   * A config, its file or its folder, whose gate decides in place of the one that the run was made with, and whose `store`
   * setting names the store.
   */
  readonly config?: Config | string;
  /** The least overall score in per cent, in place of the gate's. */
  readonly failUnder?: number;
  /** The name or the file of a baseline, in place of the gate's; files are relative to `folder`. */
  readonly baseline?: string;
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
  return await withStore(
    options,
    async (store) => await decideByGate(await findRun(store, runId), store, options),
  );
}

/** Decides on a run of an open store. Throws as `gate` does. */
async function decideByGate(
  kept: Run,
  store: Store,
  options: Omit<GateOptions, 'store'>,
): Promise<GateReport> {
  const { config, failUnder, baseline, folder = process.cwd() } = options;
  await requireWhole(kept, store);
  const own = await findGate(config, kept, { folder, store });
  const gate = {
    ...own,
    ...(failUnder !== undefined && { failUnder }),
    ...(baseline !== undefined && { baseline: locateBaseline(baseline, folder) }),
  };
  // One that is named here and is not there is a mistake; the baseline of the run or the config is a reason of the decision.
  if (baseline !== undefined && gate.baseline !== undefined) await readLocatedBaseline(gate.baseline, store);
  const run = { ...kept, gate: portableGate(gate, store) };
  const summary = await decideAgain(run, store);
  return { run: { ...run, summary }, decision: summary.decision };
}

/** Returns the gate of a config, else the gate of the run, with its baseline as a name or an absolute path. */
async function findGate(
  config: GateOptions['config'],
  run: Run,
  { folder, store }: { readonly folder: string; readonly store: Store },
): Promise<Gate> {
  if (typeof config === 'string') return await loadGate(config, run);
  if (config !== undefined) return await toGate(config, folder, run);
  return locatedGate(run.gate, store);
}
