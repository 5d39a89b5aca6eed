import path from 'node:path';
import { type LoadedEvaluation, storeFolderOf } from '../../config/load-evaluation.ts';
import { locateBaseline, readBaselineFile } from '../../gate/baselines.ts';
import { type Gate, sequentialOf } from '../../schema/gate.ts';
import type { Run } from '../../schema/run.ts';
import type { Decision } from '../../schema/summary.ts';
import { interrupted } from '../interrupts.ts';

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

const codes: Readonly<Record<Decision['outcome'], number>> = {
  pass: 0,
  fail: 1,
  'not-measured': 2,
  inconclusive: 3,
};

/** The exit code of a run that was made: what the gate decided, or that it was interrupted. */
export function exitCodeOf(run: Run, wasInterrupted: boolean): number {
  return wasInterrupted ? interrupted : codes[run.summary?.decision.outcome ?? 'not-measured'];
}
