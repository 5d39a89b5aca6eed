import path from 'node:path';
import { type LoadedEvaluation, storeFolderOf } from '../config/load-evaluation.ts';
import { readBaselineFile } from '../gate/baselines/baseline-file.ts';
import { locateBaseline } from '../gate/baselines/named-baselines.ts';
import { type Gate, sequentialOf } from '../schema/gate.ts';

/** What the command line says of a gate. */
export interface GateFlags {
  readonly failUnder?: number;
  /** A name, or a file. */
  readonly baseline?: string;
  /** Whether the run ends once the gate is decided, whatever the config says. */
  readonly sequential?: boolean;
  /** The folder of the store, with its baselines. */
  readonly store?: string;
}

/**
 * What the command line says joins what else the config's gate says. Throws `baseline-not-found` or `baseline-unreadable`
 * before anything is called.
 */
export async function withGate(loaded: LoadedEvaluation, flags: GateFlags): Promise<LoadedEvaluation> {
  const { config, folder, evaluation } = loaded;
  const storeFolder = path.resolve(flags.store ?? storeFolderOf(loaded));
  const written = config.gate.baseline;
  const named = written === undefined ? {} : { baseline: locateBaseline(written, { folder, storeFolder }) };
  const gate = joinGate({ ...evaluation.gate, ...named }, flags, storeFolder);
  if (gate.baseline !== undefined) await readBaselineFile(gate.baseline);
  return { ...loaded, evaluation: { ...evaluation, gate } };
}

/** A gate with what the command line says of it. Files are relative to where it was typed. */
export function joinGate(
  gate: Gate,
  { failUnder, baseline, sequential }: GateFlags,
  storeFolder: string,
): Gate {
  return {
    ...gate,
    ...(failUnder !== undefined && { failUnder }),
    ...sequentialBy(gate, sequential),
    ...(baseline !== undefined && {
      baseline: locateBaseline(baseline, { folder: process.cwd(), storeFolder }),
    }),
  };
}

/** The flag alone, for what needs nothing else of a gate. */
export function withSequential(loaded: LoadedEvaluation, { sequential }: GateFlags): LoadedEvaluation {
  const { evaluation } = loaded;
  const gate = { ...evaluation.gate, ...sequentialBy(evaluation.gate, sequential) };
  return { ...loaded, evaluation: { ...evaluation, gate } };
}

/** The settings of the config stay where the flag only says that they hold. */
function sequentialBy(gate: Gate, flag: boolean | undefined): Pick<Gate, 'sequential'> {
  if (flag === undefined) return {};
  return { sequential: flag ? (sequentialOf(gate) ?? true) : false };
}
