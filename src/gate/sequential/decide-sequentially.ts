import type { Decision, RuleDecision, SequentialDecision } from '../../schema/decision.ts';
import { sequentialOf } from '../../schema/gate.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import { joinDecisions, withExempt } from '../join-decisions.ts';
import { weighAttempts } from '../../analysis/attempts/weigh-attempts.ts';
import { orderSeed } from './case-order.ts';
import { createGateWatch, type GateWatch } from './gate-watch.ts';
import { sumSaved } from './saving.ts';
import { withLastLook } from './share-error.ts';
import { tellSequence } from './tell-sequence.ts';

/** What a gate that ends its run says of what is kept of it. */
export interface SequentialFinding {
  readonly sequential: SequentialDecision;
  /** The decision, where the rest could be left; undefined where everything counts. */
  readonly decision: Decision | undefined;
  /** The final decisions of single rules. */
  readonly settled: readonly RuleDecision[];
  /** The run with the rules as they are looked at for the last time. */
  readonly run: Run;
}

/**
 * Goes through the answers of a run in their random order, as was done while they came: the same answers give the same
 * decision. Undefined for a gate that has everything asked.
 * @param targets - The numbers of the targets that the gate is about.
 */
export async function decideSequentially(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<SequentialFinding | undefined> {
  const watch = await createGateWatch(run, store);
  const [options, seed] = [sequentialOf(run.gate), orderSeed(run)];
  if (watch === undefined || options === undefined || seed === undefined) return undefined;
  for await (const outcomes of weighAttempts(run, store.readOutcomes(run.id))) {
    for (const outcome of outcomes) if (isCounted(run, outcome)) watch.add(outcome);
  }
  const isDecided = watch.standing() !== 'continue';
  const { saved, ...counts } = sumSaved(targets);
  const sequential = { isDecided, error: options.error, seed, ...counts, ...(isDecided && { saved }) };
  const rules = watch.rules();
  return {
    sequential,
    decision: isDecided ? decisionOf(run, watch, sequential) : undefined,
    settled: rules.filter(({ standing }) => standing !== 'continue').map(({ rule }) => rule),
    run: { ...run, gate: withLastLook(run.gate, watch.statistical) },
  };
}

/** What was answered and not scored, when the run ended, says nothing yet. */
function isCounted({ metrics }: Run, { verdicts, scorecard }: Outcome): boolean {
  return metrics.length === 0 || scorecard !== null || Object.keys(verdicts).length > 0;
}

function decisionOf(run: Run, watch: GateWatch, sequential: SequentialDecision): Decision {
  const outcome = watch.standing() === 'pass' ? 'pass' : 'fail';
  const rules = watch.rules();
  // One rule that is broken decides: what the others would have come to is left open.
  const told = rules.map(({ rule, standing }) =>
    standing === 'continue' ? { ...rule, outcome: 'inconclusive' as const } : rule,
  );
  const counted = told.filter((rule) => outcome === 'pass' || rule.outcome === 'fail');
  const joined = joinDecisions({ outcome: 'pass', reasons: [] }, counted, run.gate);
  const reasons = [...tellSequence(sequential, outcome), ...joined.reasons];
  return withExempt({ ...joined, reasons, rules: told, sequential }, watch.marks.exempt);
}
