import type { RuleDecision } from '../schema/decision.ts';
import type { GateRule } from '../schema/gate-rule.ts';
import { orderSeed } from './sequential/case-order.ts';
import { type Finding, type GateEvidence, type GateRuleKind, notMeasured } from './rules/gate-rule.ts';
import * as kinds from './rules/rules.ts';
import { sayConfidence } from './rules/say-number.ts';

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
        : findTogether(rule, { ...evidence, cases, category }, categories.length);
    return { ...base, category, ...found };
  });
}

/**
 * What a rule says of one of several categories. The gate passes wrongly only where the very category passes that is not good
 * enough, so each may pass at the confidence of the rule; it fails wrongly with any of them, so the chance of that is divided
 * among them (Bonferroni). A gate that ends its run has divided it already.
 */
function findTogether(rule: GateRule, evidence: GateEvidence, categories: number): Finding {
  const found = find(rule, evidence);
  if (categories < 2 || found.outcome !== 'fail') return found;
  const confidence = 'confidence' in rule ? rule.confidence : undefined;
  if (confidence === undefined) {
    const chance = `by the mean alone, which any of ${categories} categories can miss by chance`;
    return { ...found, reason: `${found.reason} (${chance}; set \`confidence\` to allow for that)` };
  }
  if (orderSeed(evidence.run) !== undefined) return found;
  const corrected = find({ ...rule, confidence: 1 - (1 - confidence) / categories } as GateRule, evidence);
  const together = `${sayConfidence(confidence)} for ${categories} categories together`;
  const reason =
    corrected.outcome === 'fail'
      ? `${corrected.reason}, which makes ${together}`
      : `${corrected.reason} (taken alone it would have failed; the bounds are those that make ${together})`;
  return { ...corrected, reason };
}

function find(rule: GateRule, evidence: GateEvidence): Finding {
  const kind = byType.get(rule.type);
  if (kind === undefined) return notMeasured(`this version knows no rule of the type ${rule.type}`);
  // The kind was found by the type of the rule, which the compiler cannot follow.
  return (kind as GateRuleKind<GateRule['type']>).decide(rule, evidence);
}
