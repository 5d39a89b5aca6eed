import { type Gate, sequentialOf } from '../../schema/gate.ts';
import { isAboutPopulation } from './case-order.ts';
import type { ErrorRates, PlannedWatch } from './rule-watch.ts';

/**
 * Shares the error of a gate among its rules. To pass wrongly, it has to pass the very rule that does not hold, so each rule
 * may be passed with the whole error; to fail wrongly, it takes any of the rules, so that error is divided among them
 * (Bonferroni). Only one of the two can happen, as either all rules hold or not. A rule that asks for a confidence is looked
 * at once more by its own bound after the last question: half of its error is kept for that.
 */
export function shareError(
  { confidence }: Pick<PlannedWatch, 'confidence'>,
  error: number,
  rules: number,
): ErrorRates {
  const own = confidence === undefined ? error : Math.min(error, 1 - confidence) / 2;
  return { pass: own, fail: own / rules };
}

/** A gate whose rules are looked at for the last time, with the part of the error that was kept for it. */
export function withLastLook(gate: Gate, watched: number): Gate {
  const options = sequentialOf(gate);
  if (options === undefined || gate.rules === undefined) return gate;
  const rules = Object.entries(gate.rules).map(([name, rule]) => {
    if (!isAboutPopulation(rule) || !('confidence' in rule)) return [name, rule] as const;
    const { fail } = shareError(rule, options.error, Math.max(1, watched));
    return [name, { ...rule, confidence: 1 - fail }] as const;
  });
  return { ...gate, rules: Object.fromEntries(rules) };
}
