import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { decide, decideThreshold } from './decide.ts';
import { joinTargets } from './join-decisions.ts';
import { correctFinding } from './rules/decide-mean.ts';
import type { GateEvidence } from './gate-rule.ts';

/**
 * Decides the threshold and the coverage of a gate: for a target whose score rests on a certified judge by the score that people
 * would give. Such decisions stay, with their numbers.
 */
export function decideCorrected(evidence: readonly GateEvidence[], gate: Gate): Decision {
  const thresholds = evidence.map((each) => correctThreshold(each, gate));
  const parts = evidence.map(({ summary }, place) => {
    const corrected = thresholds[place];
    if (corrected === undefined) return decide([summary], gate);
    return { outcome: corrected.outcome, reasons: [`${summary.target}: ${corrected.reason}`] };
  });
  const threshold = thresholds.filter((each) => each !== undefined);
  return { ...joinTargets(parts), threshold: threshold.length > 0 ? threshold : undefined };
}

/** Returns the threshold by the corrected score; undefined when nothing corrects it. */
function correctThreshold(evidence: GateEvidence, gate: Gate): RuleDecision | undefined {
  const { summary, cases, category } = evidence;
  const correction = evidence.correctionOf({ measure: 'score' }, { cases, category });
  const found = decideThreshold(summary, gate);
  if (correction === undefined || found === undefined) return undefined;
  const rule = {
    subject: { measure: 'score' },
    relation: 'at-least',
    thresholdIn: () => (gate.failUnder ?? 0) / 100,
  } as const;
  return { ...found, ...correctFinding(rule, found, { correction, cases }) };
}
