import type { CaseRule } from '../../schema/case-rule.ts';
import type { AttemptRule } from '../../stats/repeats/settle-attempts.ts';

/** How often cases are tried, and by which rule they pass. */
export interface RepeatedCases {
  readonly attempts: number;
  readonly caseRule?: CaseRule | undefined;
}

/** The rule by which a run stops the attempts at a case; undefined where it makes them all. */
export function curtailingRule({ caseRule, attempts }: RepeatedCases): AttemptRule | undefined {
  if (caseRule?.isCurtailed !== true) return undefined;
  return { planned: attempts, required: Math.min(caseRule.passes, attempts) };
}

/** Attempts that are made at every case whatever comes of them: no verdict is settled before. */
export function certainAttempts({ planned, required }: AttemptRule): number {
  return Math.min(required, planned - required + 1);
}
