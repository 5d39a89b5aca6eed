import type { LoadedEvaluation } from '../../library/config/load-evaluation.ts';
import { openStoreOf } from '../../library/config/open-store-of.ts';
import { exitCodes } from '../../decide/gate/exit-codes.ts';
import { locateBaseline, readLocatedBaseline } from '../../decide/gate/baselines.ts';
import { type Gate, sequentialOf } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { InputOf } from '../program/input.ts';
import type { runInputs } from '../program/shared-inputs.ts';
import { interrupted } from '../interrupts.ts';

/** The options on the gate, and the store with its baselines. */
export type GateFlags = Pick<InputOf<typeof runInputs>, 'failUnder' | 'baseline' | 'sequential' | 'store'>;

/**
 * Returns the evaluation with the flags merged into the gate of its config. Throws `baseline-not-found` or
 * `baseline-unreadable`, before anything is called.
 */
export async function withGate(loaded: LoadedEvaluation, flags: GateFlags): Promise<LoadedEvaluation> {
  const { evaluation } = loaded;
  const gate = joinGate(evaluation.gate, flags);
  if (gate.baseline !== undefined) await checkBaseline(gate.baseline, loaded, flags);
  return { ...loaded, evaluation: { ...evaluation, gate } };
}

/** Throws `baseline-not-found` or `baseline-unreadable` for a baseline that cannot be read. Creates no store. */
async function checkBaseline(baseline: string, loaded: LoadedEvaluation, flags: GateFlags): Promise<void> {
  const store = openStoreOf(loaded, { elsewhere: flags.store, opening: 'existing' });
  try {
    await readLocatedBaseline(baseline, store);
  } finally {
    await store.close();
  }
}

/** Merges flags into a gate. Files named by flags are relative to the current folder. */
export function joinGate(gate: Gate, { failUnder, baseline, sequential }: GateFlags): Gate {
  return {
    ...gate,
    ...(failUnder !== undefined && { failUnder }),
    ...sequentialBy(gate, sequential),
    ...(baseline !== undefined && {
      baseline: locateBaseline(baseline, process.cwd()),
    }),
  };
}

/** Returns the evaluation with only the sequential flag merged, for callers that need no baseline. */
export function withSequential(loaded: LoadedEvaluation, { sequential }: GateFlags): LoadedEvaluation {
  const { evaluation } = loaded;
  const gate = { ...evaluation.gate, ...sequentialBy(evaluation.gate, sequential) };
  return { ...loaded, evaluation: { ...evaluation, gate } };
}

/** Returns the sequential part of a gate. The flag `--sequential` keeps the options that the config already sets. */
function sequentialBy(gate: Gate, flag: boolean | undefined): Pick<Gate, 'sequential'> {
  if (flag === undefined) return {};
  return { sequential: flag ? (sequentialOf(gate) ?? true) : false };
}

/** Returns the exit code of a run: the code of the gate's decision, or 130 when the run was interrupted. */
export function exitCodeOf(run: Run, wasInterrupted: boolean): number {
  return wasInterrupted ? interrupted : exitCodes[run.summary?.decision.outcome ?? 'not-measured'];
}
