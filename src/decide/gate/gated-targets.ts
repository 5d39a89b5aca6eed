import { type Condition, withoutConditions } from '../../core/schema/condition.ts';
import type { Decision } from '../../core/schema/decision.ts';
import type { Gate, GateRule } from '../../core/schema/gate.ts';
import type { Run, RunStop } from '../../core/schema/run.ts';

/**
 * Returns the targets of a run that its gate is about: those that it names, or that all of its rules name, else all; never
 * those under a condition.
 */
export function gatedTargets<Target extends { readonly name: string; readonly condition?: Condition }>({
  targets,
  gate,
}: {
  readonly targets: readonly Target[];
  readonly gate: Gate;
}): Target[] {
  const named = gate.targets ?? namedByRules(gate);
  return withoutConditions(targets).filter(({ name }) => named?.includes(name) !== false);
}

/** Returns the targets that the rules of a gate name; undefined where a part of the gate names none. */
function namedByRules({ failUnder, baseline, rules = {} }: Gate): string[] | undefined {
  const named = Object.values(rules).map(({ target }) => target);
  const isWhole = failUnder === undefined && baseline === undefined && named.length > 0;
  return isWhole && named.every((name) => name !== undefined) ? named : undefined;
}

/** Returns whether a rule applies to a target. */
export function appliesTo(rule: GateRule, target: string): boolean {
  return rule.target === undefined || rule.target === target;
}

/** Decides that a gate is not measured by a run that did not ask a target that it names. */
export function findUnasked({ gate, targets }: Run): Decision | undefined {
  const asked = withoutConditions(targets).map(({ name }) => name);
  const named = [
    ...(gate.targets ?? []),
    ...Object.values(gate.rules ?? {}).flatMap(({ target }) => target ?? []),
  ];
  const unasked = [...new Set(named)].filter((name) => !asked.includes(name));
  if (unasked.length === 0) return undefined;
  const reason = `the gate is about ${unasked.join(', ')}, which this run did not ask: it asked ${asked.join(', ')}`;
  return { outcome: 'not-measured', reasons: [reason] };
}

/** Returns the stops of a run that keep its gate from deciding: stops of the whole run, and stops of the targets that it is about. */
export function stopsOfGate(run: Run): RunStop[] {
  const names = gatedTargets(run).map(({ name }) => name);
  return run.stops?.filter(({ target }) => target === undefined || names.includes(target)) ?? [];
}
