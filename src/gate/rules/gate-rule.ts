import type { Baseline, RuleDecision } from '../../schema/decision.ts';
import type { GateRule } from '../../schema/gate.ts';
import type { Run } from '../../schema/run.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import type { CaseNumbers } from './case-numbers.ts';
import type { Subject } from './phrases.ts';

/** A case of the plan, without its content. */
export interface GateCase {
  readonly position: number;
  readonly id: string;
  readonly hash: string;
  readonly category: string;
  readonly cluster?: string | undefined;
}

/** What a run is held against, or why it is not there. */
export type FoundBaseline = { readonly baseline: Baseline } | { readonly reason: string };

/** All that rules decide on for one target. */
export interface GateEvidence {
  readonly run: Run;
  readonly target: string;
  /** Over the cases that count. */
  readonly summary: TargetSummary;
  /** Over all cases. */
  readonly whole: TargetSummary;
  /** The cases that count, in the order of the plan; only those of one category, where a rule is about one. */
  readonly cases: readonly GateCase[];
  /** The category that the cases are narrowed to. */
  readonly category?: string | undefined;
  /** Every case of the plan, those that do not count among them, by the hash of its content. */
  readonly planned: ReadonlyMap<string, GateCase>;
  /** Milliseconds of the trials that have a time, over the cases that count. */
  readonly latencies: readonly number[];
  readonly baseline: FoundBaseline;
  /** The numbers of a subject, or why the run does not have it. */
  numbersOf(subject: Subject): CaseNumbers | { readonly reason: string };
}

/** What a rule says of a target. */
export type Finding = Omit<RuleDecision, 'name' | 'type' | 'target' | 'category'>;

/** One kind of rule: how it is decided. */
export interface GateRuleKind<Type extends GateRule['type']> {
  readonly type: Type;
  decide(rule: Extract<GateRule, { type: Type }>, evidence: GateEvidence): Finding;
}

/** A finding of a rule that cannot be decided. */
export function notMeasured(reason: string, parts: Partial<Finding> = {}): Finding {
  return {
    outcome: 'not-measured',
    reason,
    arithmetic: 'nothing to compute with',
    value: null,
    threshold: null,
    n: 0,
    ...parts,
  };
}
