import { withoutUndefined } from '../../../core/lib/objects.ts';
import { type Gate, sequentialOf } from '../../../core/schema/gate.ts';
import { locateBaseline } from '../../../decide/gate/baselines.ts';

/** The requirements of a run's gate that replace what its config says. */
export interface GateChoice {
  /** The least overall score in per cent. */
  readonly failUnder?: number;
  /** The name or the file of a baseline; files are relative to the folder. */
  readonly baseline?: string;
  /** True to end the run once its gate is decided, with the options that the config sets; false to ask every question. */
  readonly sequential?: boolean;
}

/** Returns a gate with a choice merged into it. Throws `usage-invalid` for a baseline whose name is invalid. */
export function joinGate(gate: Gate, choice: GateChoice, folder: string): Gate {
  const { failUnder, baseline, sequential } = choice;
  const chosen = {
    failUnder,
    baseline: baseline === undefined ? undefined : locateBaseline(baseline, folder),
    sequential: sequential === true ? (sequentialOf(gate) ?? true) : sequential,
  };
  return { ...gate, ...withoutUndefined<Gate[keyof Gate]>(chosen) };
}
