import type { Decision, ExemptCases, GateOutcome, RuleDecision } from '../../core/schema/decision.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { formatNames, formatCount } from './phrases.ts';

/** The outcomes of a gate, the worst first. */
const worstFirst: readonly GateOutcome[] = ['fail', 'not-measured', 'inconclusive', 'pass'];

/** Joins the decisions about targets. The decisive reasons come first. */
export function joinTargets(decisions: readonly Decision[]): Decision {
  const sorted = worstFirst.flatMap((outcome) => decisions.filter((each) => each.outcome === outcome));
  return { outcome: sorted[0]?.outcome ?? 'pass', reasons: sorted.flatMap(({ reasons }) => reasons) };
}

/** Returns the worst outcome: fail, then not-measured, inconclusive, pass. */
function worstOf(outcomes: readonly GateOutcome[]): GateOutcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'pass';
}

/** Joins the decision by threshold and coverage with the decisions of the rules. The decisive reasons come first. */
export function joinDecisions(
  base: Decision,
  rules: readonly RuleDecision[],
  gate: Pick<Gate, 'inconclusive'>,
): Decision {
  if (rules.length === 0) return withDoubtDecided(base, gate);
  const outcome = worstOf([base.outcome, ...rules.map((rule) => rule.outcome)]);
  const notPassed = worstFirst
    .flatMap((kind) => rules.filter((rule) => rule.outcome === kind && kind !== 'pass'))
    .map(reasonOf);
  const allPassed = notPassed.length > 0 ? [] : [`${formatCount(rules.length, 'rule')} passed`];
  // A pass for some questions is never worded as one for others.
  const narrow = rules.filter((rule) => rule.outcome === 'pass' && rule.on !== undefined).map(reasonOf);
  const isByRules = base.outcome !== outcome;
  const reasons = isByRules
    ? [...notPassed, ...allPassed, ...narrow, ...base.reasons]
    : [...base.reasons, ...notPassed, ...allPassed, ...narrow];
  const { threshold } = base;
  return withDoubtDecided({ outcome, reasons, threshold, rules: [...rules] }, gate);
}

/** Returns a decision that is inconclusive as the gate treats it. */
function withDoubtDecided(decision: Decision, { inconclusive }: Pick<Gate, 'inconclusive'>): Decision {
  if (decision.outcome !== 'inconclusive' || inconclusive === undefined) return decision;
  const word = inconclusive === 'pass' ? 'passes' : 'fails';
  const note = `inconclusive, which ${word} by the config`;
  return { ...decision, outcome: inconclusive, reasons: [note, ...decision.reasons] };
}

/** Returns a decision with a note about the cases that the gate exempts. */
export function withExempt(decision: Decision, exempt: readonly ExemptCases[]): Decision {
  if (exempt.length === 0) return decision;
  const notes = exempt.map(({ status, cases, ids }) => {
    const rest = cases > ids.length ? ids.length : cases;
    const names = formatNames(ids.slice(0, rest));
    if (status === 'expired') return `the quarantine of ${names} is over: counted again`;
    const where = status === 'watch' ? 'only watched' : 'in quarantine';
    return `${formatCount(cases, 'question')} ${where}, not in the gate: ${names}`;
  });
  return { ...decision, reasons: [...decision.reasons, ...notes], exempt: [...exempt] };
}

function reasonOf({ target, name, category, outcome, reason }: RuleDecision): string {
  const place = category === undefined ? name : `${name}, ${category}`;
  const word = outcome === 'not-measured' ? 'not measured' : outcome;
  return `${target}: ${place}: ${word}: ${reason}`;
}
