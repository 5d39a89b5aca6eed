import type { NamedUse } from '../../core/lib/define.ts';
import type { Metric, MetricDefinition } from '../../evaluate/metrics/metric.ts';
import type { ResolvedMetric } from '../../evaluate/run/evaluation.ts';
import { expectations, expectationSchema } from '../../core/schema/expectation.ts';
import { metricAspectSchema, metricFamilySchema } from '../../core/schema/metric.ts';
import { ConfigProblem } from './config-problem.ts';

/** Returns the family and the aspects that a metric declares, which are checked here since user code may not be typed. */
export function kindOf(
  definition: object,
  path: readonly PropertyKey[],
): Pick<ResolvedMetric, 'family' | 'aspect' | 'parts'> {
  const { family, aspect, parts = [] } = definition as Partial<MetricDefinition>;
  if (family !== undefined) checkDeclared('family', family, { known: metricFamilySchema.options, path });
  const aspects = [...(aspect === undefined ? [] : [aspect]), ...parts.map((part) => part.aspect)];
  for (const one of aspects) checkDeclared('aspect', one, { known: metricAspectSchema.options, path });
  return {
    family,
    aspect: aspect ?? null,
    ...(parts.length > 0 && { parts: [...parts] }),
  };
}

function checkDeclared(
  what: string,
  value: string,
  { known, path }: { readonly known: readonly string[]; readonly path: readonly PropertyKey[] },
): void {
  if (known.includes(value)) return;
  const message = `its definition declares the ${what} "${value}"; known are ${known.join(', ')}`;
  throw new ConfigProblem([{ path, message }]);
}

/** A metric with its options, as its definition needs them to say what it reads. */
interface ParsedMetric {
  readonly definition: object;
  /** The options as parsed by the schema of the metric. */
  readonly options: unknown;
  /** The metric itself, once it is created. */
  readonly instance?: Pick<Metric, 'alsoReads'>;
}

/**
 * Returns the expectations that a metric reads, which are checked here since user code may not be typed.
 * @param parse - Finds a metric that an option names.
 */
export function readsOf(
  { definition, options, instance }: ParsedMetric,
  path: readonly PropertyKey[],
  parse: (use: NamedUse | string) => ParsedMetric,
): Pick<ResolvedMetric, 'reads'> {
  const { reads } = definition as Partial<MetricDefinition<unknown>>;
  const ofOther = (use: NamedUse | string) => readsOf(parse(use), path, parse).reads ?? [];
  const declared: readonly string[] = (typeof reads === 'function' ? reads(options, ofOther) : reads) ?? [];
  const stated = [...declared, ...(instance?.alsoReads ?? [])];
  const wrong = stated.find((name) => !expectationSchema.safeParse(name).success);
  if (wrong !== undefined) {
    const message = `its definition reads "${wrong}", which is not an expectation; known are ${expectations.join(', ')}`;
    throw new ConfigProblem([{ path, message }]);
  }
  const read = expectations.filter((name) => stated.includes(name));
  return read.length === 0 ? {} : { reads: read };
}
