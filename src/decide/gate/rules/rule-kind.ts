import type { GateRule } from '../../../core/schema/gate.ts';
import type { Finding, GateEvidence } from '../gate-rule.ts';
import type { PlannedWatch, WatchPlace } from '../watch/rule-watch.ts';

/** A rule of one type. */
export type RuleOf<Type extends GateRule['type']> = Extract<GateRule, { type: Type }>;

/** A kind of rule: what it reads, how it is decided at the end of a run, and how it is watched while answers arrive. */
export interface GateRuleKind<Type extends GateRule['type']> {
  readonly type: Type;
  /**
   * The part of a run that the rule reads: the values of its subject, their differences from the baseline, how many there are, the
   * times of the answers, or their costs. Values and differences may rest on a judge that has a certificate.
   */
  readonly reads: 'values' | 'differences' | 'coverage' | 'times' | 'costs';
  /** Decides the rule on the whole run. */
  decide(rule: RuleOf<Type>, evidence: GateEvidence): Finding;
  /** Plans how the rule is watched, with a bound that holds at every look. */
  watch(rule: RuleOf<Type>, place: WatchPlace): PlannedWatch;
}
