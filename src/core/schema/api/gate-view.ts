import { z } from 'zod';
import { decisionSchema, ruleDecisionSchema } from '../decision.ts';
import { gateSchema } from '../gate.ts';
import { runStateSchema } from './run-row.ts';

/** The baseline that a gate names, or the reason why it cannot be read. */
const gateBaselineSchema = z.union([
  z.object({
    name: z.string(),
    run: z.object({ id: z.string(), createdAt: z.string() }),
    /** True when the run of the baseline is in the store. */
    isKept: z.boolean(),
  }),
  z.object({ reason: z.string() }),
]);

/** The gate of a run with everything that its decision is made of. */
export const gateViewSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    state: runStateSchema,
    gate: gateSchema,
    /** The targets without a condition, which the gate is about. */
    targets: z.array(z.string()),
    /** Null while the run is under way. */
    decision: decisionSchema.nullable(),
    /** False when the run has no gate, so that its outcome decides nothing. */
    isGated: z.boolean(),
    /** The threshold `failUnder` for each target, in the form of rules; empty when the decision did not use it alone. */
    thresholds: z.array(ruleDecisionSchema),
    /** The units of the metrics and criteria that are measured quantities, by name. */
    units: z.record(z.string(), z.string()),
    /** Null when the gate names none. */
    baseline: gateBaselineSchema.nullable(),
    /** The folder of the store, as `--store` takes it; absent when a command finds the store without it. */
    storeFolder: z.string().optional(),
  }),
);
export type GateView = z.infer<typeof gateViewSchema>;
