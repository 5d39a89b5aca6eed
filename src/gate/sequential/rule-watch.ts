import type { Outcome } from '../../schema/result.ts';
import type { RuleDecision } from '../../schema/decision.ts';
import type { Finding } from '../rules/gate-rule.ts';

/** Where a rule stands while its run goes on: decided, or not yet. */
export type Standing = 'pass' | 'fail' | 'continue';

/** What a rule says of a target while the answers come. */
export interface RuleWatch {
  /** Records a trial, in whatever order they come; what is read of it is in the numbers of the rule. */
  add?(position: number, outcome: Outcome): void;
  /** All cases of the next unit of the random order are answered: these alone may count. */
  advance(unit: Uint32Array): void;
  standing(): Standing;
  finding(): Finding;
}

/** What a watch is told of in a report. */
export type RuleName = Pick<RuleDecision, 'name' | 'type' | 'target' | 'category'>;

/** Greatest chances with which a rule may be passed, or failed, although it should not. */
export interface ErrorRates {
  readonly pass: number;
  readonly fail: number;
}

/** A rule before the error is shared out. */
export interface PlannedWatch {
  readonly rule: RuleName;
  /** The confidence that the rule itself asks for; undefined where it is about the plan alone. */
  readonly confidence?: number | undefined;
  /**
   * `statistical`: it may be decided wrongly; `exact`: not; `provisional`: it is about what is asked, and so never a reason
   * to ask no more.
   */
  readonly kind: 'statistical' | 'exact' | 'provisional';
  begin(rates: ErrorRates): RuleWatch;
}
