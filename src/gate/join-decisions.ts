import type { Decision, ExemptCases, GateOutcome, RuleDecision } from '../schema/decision.ts';
import type { Gate } from '../schema/gate.ts';
import { sayNames, sayPlural } from './rules/phrases.ts';

const worstFirst: readonly GateOutcome[] = ['fail', 'not-measured', 'inconclusive', 'pass'];

/** The worst of some outcomes: fail, then not-measured, inconclusive, pass. */
function worstOf(outcomes: readonly GateOutcome[]): GateOutcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'pass';
}

/** The decision of a whole gate: that of its threshold and coverage, joined with those of its rules; what decides first. */
export function joinDecisions(
  base: Decision,
  rules: readonly RuleDecision[],
  gate: Pick<Gate, 'inconclusive'>,
): Decision {
  if (rules.length === 0) return base;
  const outcome = worstOf([base.outcome, ...rules.map((rule) => rule.outcome)]);
  const broken = worstFirst
    .flatMap((kind) => rules.filter((rule) => rule.outcome === kind && kind !== 'pass'))
    .map(reasonOf);
  const held = broken.length > 0 ? [] : [`${sayPlural(rules.length, 'rule')} held`];
  const isByRules = base.outcome !== outcome;
  const reasons = isByRules ? [...broken, ...held, ...base.reasons] : [...base.reasons, ...broken, ...held];
  if (outcome !== 'inconclusive' || gate.inconclusive === undefined) {
    return { outcome, reasons, rules: [...rules] };
  }
  const word = gate.inconclusive === 'pass' ? 'passes' : 'fails';
  const said = `inconclusive, which ${word} by the config`;
  return { outcome: gate.inconclusive, reasons: [said, ...reasons], rules: [...rules] };
}

/** A decision with what is said of the cases that it is not about. */
export function withExempt(decision: Decision, exempt: readonly ExemptCases[]): Decision {
  if (exempt.length === 0) return decision;
  const said = exempt.map(({ status, cases, ids }) => {
    const rest = cases > ids.length ? ids.length : cases;
    const names = sayNames(ids.slice(0, rest));
    if (status === 'expired') return `the quarantine of ${names} is over: counted again`;
    const where = status === 'watch' ? 'only watched' : 'in quarantine';
    return `${sayPlural(cases, 'case')} ${where}, not in the gate: ${names}`;
  });
  return { ...decision, reasons: [...decision.reasons, ...said], exempt: [...exempt] };
}

function reasonOf({ target, name, category, outcome, reason }: RuleDecision): string {
  const place = category === undefined ? name : `${name}, ${category}`;
  const word = outcome === 'not-measured' ? 'not measured' : outcome;
  return `${target}: ${place}: ${word}: ${reason}`;
}
