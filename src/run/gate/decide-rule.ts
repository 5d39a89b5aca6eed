import type { RuleDecision } from '../../schema/decision.ts';
import type { GateRule } from '../../schema/gate-rule.ts';
import { type Finding, type GateEvidence, type GateRuleKind, notMeasured } from './gate-rule.ts';
import * as kinds from './rules.ts';

type AnyKind = { readonly [Type in GateRule['type']]: GateRuleKind<Type> }[GateRule['type']];

const byType: ReadonlyMap<string, AnyKind> = new Map(
  Object.values(kinds).map((kind: AnyKind) => [kind.type, kind]),
);

/** What a rule says of a target: once, or for each category where it asks for all of them by themselves. */
export function decideRule(name: string, rule: GateRule, evidence: GateEvidence): RuleDecision[] {
  const asked = 'category' in rule ? rule.category : undefined;
  const base = { name, type: rule.type, target: evidence.target };
  if (asked === undefined) return [{ ...base, ...find(rule, evidence) }];
  const categories = asked === '*' ? [...new Set(evidence.cases.map(({ category }) => category))] : [asked];
  return categories.map((category) => {
    const cases = evidence.cases.filter((each) => each.category === category);
    const found =
      cases.length === 0
        ? notMeasured(`no case that counts is in the category ${category}`)
        : find(rule, { ...evidence, cases, category });
    return { ...base, category, ...found };
  });
}

function find(rule: GateRule, evidence: GateEvidence): Finding {
  const kind = byType.get(rule.type);
  if (kind === undefined) return notMeasured(`this version knows no rule of the type ${rule.type}`);
  // The kind was found by the type of the rule, which the compiler cannot follow.
  return (kind as GateRuleKind<GateRule['type']>).decide(rule, evidence);
}
