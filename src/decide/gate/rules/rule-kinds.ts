import type { GateRule } from '../../../core/schema/gate.ts';
import type { GateRuleKind } from './rule-kind.ts';
import * as kinds from './rules.ts';

type AnyKind = { readonly [Type in GateRule['type']]: GateRuleKind<Type> }[GateRule['type']];

const byType: ReadonlyMap<string, AnyKind> = new Map(
  Object.values(kinds).map((kind: AnyKind) => [kind.type, kind]),
);

/** Returns the kind of a rule; undefined for one of a later version. */
export function kindOf(rule: GateRule): GateRuleKind<GateRule['type']> | undefined {
  // The kind is found by the type of the rule, which the compiler cannot follow.
  return byType.get(rule.type) as GateRuleKind<GateRule['type']> | undefined;
}
