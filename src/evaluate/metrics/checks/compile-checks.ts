import type { NamedUse } from '../../../core/lib/define.ts';
import {
  checksInside,
  type ExpectedCheck,
  kindOfCheck,
  type MetricCheck,
} from '../../../core/schema/checks/expected-checks.ts';
import type { CaseMetrics, Metric } from '../metric.ts';

/** A check that is ready to be made: of a metric, or a group of others. */
export interface CompiledCheck {
  readonly name: string;
  /** The metric, or the kind of group. */
  readonly use: string;
  readonly weight: number;
  readonly isRequired: boolean;
  /** The least value that passes; undefined where the metric, or the kind of group, decides. */
  readonly threshold: number | undefined;
  /** True for a check that has a name of its own. */
  readonly isNamed: boolean;
  /** The metric of a check without others inside. */
  readonly metric?: Metric;
  /** The checks inside; empty for a metric. */
  readonly inside: readonly CompiledCheck[];
}

/** Compiles a check and those inside it. Throws the errors of finding a metric. */
export function compileCheck(check: ExpectedCheck, metrics: CaseMetrics): CompiledCheck {
  const kind = kindOfCheck(check);
  if (kind === 'use') return compileMetric(check as MetricCheck, metrics);
  const inside = checksInside(check).map((each) => compileCheck(each.check, metrics));
  const { name = kind === 'not' ? `not ${inside[0]?.name}` : kind, threshold } = check;
  return { ...traitsOf(check), name, use: kind, threshold, inside };
}

function compileMetric(check: MetricCheck, metrics: CaseMetrics): CompiledCheck {
  const { metric, hasThreshold } = metrics.find(toUse(check));
  const { use, name = use, threshold } = check;
  return {
    ...traitsOf(check),
    name,
    use,
    threshold: hasThreshold ? undefined : threshold,
    metric,
    inside: [],
  };
}

function traitsOf({ name, weight = 1, required = false }: ExpectedCheck) {
  return { weight, isRequired: required, isNamed: name !== undefined };
}

/** Returns the metric that a check names, with its options: what belongs to the check alone is removed. */
function toUse({ name: _name, weight: _weight, required: _required, ...use }: MetricCheck): NamedUse {
  return use;
}

/** Returns the checks of a name, in groups too. One inside another of the same name counts with that. */
export function findNamed(checks: readonly CompiledCheck[], name: string): CompiledCheck[] {
  return checks.flatMap((check) =>
    check.isNamed && check.name === name ? [check] : findNamed(check.inside, name),
  );
}

/** Lists the checks by metrics in the order in which they are made. */
export function listMetrics(checks: readonly CompiledCheck[]): Metric[] {
  return checks.flatMap(({ metric, inside }) => (metric === undefined ? listMetrics(inside) : [metric]));
}
