import path from 'node:path';
import type { LoadedEvaluation } from '../config/load-evaluation.ts';
import { readBaselineFile } from '../run/baseline/baseline-file.ts';
import { locateBaseline } from '../run/baseline/named-baselines.ts';
import type { Gate } from '../schema/gate.ts';

/** What the command line says of a gate. */
export interface GateFlags {
  readonly failUnder?: number;
  /** A name, or a file. */
  readonly baseline?: string;
  /** The folder of the store, with its baselines. */
  readonly store?: string;
}

/**
 * What the command line says joins what else the config's gate says. Throws `baseline-not-found` or `baseline-unreadable`
 * before anything is called.
 */
export async function withGate(loaded: LoadedEvaluation, flags: GateFlags): Promise<LoadedEvaluation> {
  const { config, folder, evaluation } = loaded;
  const storeFolder = path.resolve(flags.store ?? path.resolve(folder, config.store));
  const written = config.gate.baseline;
  const named = written === undefined ? {} : { baseline: locateBaseline(written, { folder, storeFolder }) };
  const gate = joinGate({ ...evaluation.gate, ...named }, flags, storeFolder);
  if (gate.baseline !== undefined) await readBaselineFile(gate.baseline);
  return { ...loaded, evaluation: { ...evaluation, gate } };
}

/** A gate with what the command line says of it. Files are relative to where it was typed. */
export function joinGate(gate: Gate, { failUnder, baseline }: GateFlags, storeFolder: string): Gate {
  return {
    ...gate,
    ...(failUnder !== undefined && { failUnder }),
    ...(baseline !== undefined && {
      baseline: locateBaseline(baseline, { folder: process.cwd(), storeFolder }),
    }),
  };
}
