import type { Judge } from '../../../evaluate/judges/judge.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import type {
  CaseMetric,
  CaseMetrics,
  Metric,
  MetricDefinition,
  MetricNeeds,
  SoughtText,
} from '../../../evaluate/metrics/metric.ts';
import { ConfigProblem } from '../config-problem.ts';
import { readsOf } from '../declared-by.ts';
import { parseUse, type Registry, withSetting } from '../resolve-use.ts';

/** The parts of a config that the checks of cases may use. */
interface CaseMetricNeeds extends Pick<MetricNeeds, 'embedder'> {
  /** Returns the judge of the config; undefined when it has none. */
  readonly judge: () => Judge | undefined;
  /** Returns a metric with the number of samples that the config sets for judges. */
  readonly samples?: (use: NamedUse | string) => NamedUse | string;
}

/** The metrics that the checks of cases can name, with what the rules for datasets need of them. */
export interface ConfiguredCaseMetrics extends CaseMetrics {
  find(use: NamedUse): ConfiguredCaseMetric;
}

/** A metric that a check names, with the texts that it looks for. */
export interface ConfiguredCaseMetric extends CaseMetric {
  readonly texts: readonly SoughtText[];
}

/** The most metrics that are remembered: checks that differ from case to case must not fill the memory. */
const mostKept = 1000;

/**
 * Creates the metrics that the checks of cases can name: all of the registry, created once for equal checks. A case is
 * data, often from someone else, so these metrics get no folder to read from, no judge but the config's, and no
 * code; a metric that needs any of these throws `ConfigProblem` with the path inside the check.
 */
export function createCaseMetrics(
  registry: Registry<'metric', Metric, MetricNeeds>,
  { embedder, judge, samples = (use) => use }: CaseMetricNeeds,
): ConfiguredCaseMetrics {
  const kept = new Map<string, ConfiguredCaseMetric>();

  const create = (written: NamedUse | string): ConfiguredCaseMetric => {
    const use = withoutCode(samples(written), registry);
    const { definition, options } = use;
    const { reads = [] } = readsOf(use, [], (other) => withoutCode(other, registry));
    return {
      metric: guarded(() => definition.create(options, needs)),
      hasThreshold: 'shape' in definition.options && 'threshold' in (definition.options.shape as object),
      reads,
      texts: (definition as Partial<Pick<MetricDefinition, 'texts'>>).texts?.(options) ?? [],
    };
  };

  const needs: MetricNeeds = {
    embedder,
    judge: (use) => {
      if (use !== undefined) throw refusal('a check cannot bring a judge of its own', judgeRemedy);
      return judge();
    },
    get folder(): never {
      throw refusal('a check cannot name a file', fileRemedy);
    },
    metric: (use) => create(use).metric,
  };

  return {
    find: (use) => {
      const key = JSON.stringify(use);
      const found = kept.get(key) ?? create(use);
      if (!kept.has(key)) keep(kept, key, found);
      return found;
    },
    versions: Object.fromEntries(
      registry.definitions.flatMap(({ name, version }) => (version > 1 ? [[name, version]] : [])),
    ),
  };
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
}

const judgeRemedy = 'Remove `judge` from the check: it uses the judge of the config.';
const fileRemedy = 'Write what the file contains into the check, or move the metric to the config.';
const codeRemedy = 'Move the metric to the config: code comes from the config alone, never from a dataset.';

/** Parses the metric of a check. Throws `ConfigProblem` for one that runs code or measures what has no threshold. */
function withoutCode(written: NamedUse | string, registry: Registry<'metric', Metric, MetricNeeds>) {
  const parsed = withPathOfUse(() => parseUse(ownThreshold(written, registry), [], registry));
  const { runsCode, quantity } = parsed.definition as Partial<MetricDefinition>;
  if (runsCode === true) {
    const message = `the metric "${parsed.use.use}" runs code, which a check of a question cannot do`;
    throw new ConfigProblem([{ path: ['use'], message }], { remedy: codeRemedy });
  }
  if (quantity !== undefined && typeof written === 'object' && written['threshold'] !== undefined) {
    const message = `a quantity in ${quantity.unit} has no threshold; known limits are ${quantity.limits.join(', ')}`;
    throw new ConfigProblem([{ path: ['threshold'], message }]);
  }
  return parsed;
}

/** Returns a check without a `threshold` that is not an option of its metric: it is then the check's own. */
function ownThreshold(written: NamedUse | string, { definitions }: Registry<'metric', Metric, MetricNeeds>) {
  if (typeof written === 'string' || written['threshold'] === undefined) return written;
  const found = definitions.find(({ name }) => name === written.use);
  const isOption =
    found !== undefined && 'shape' in found.options && 'threshold' in (found.options.shape as object);
  const { threshold: _own, ...use } = written;
  return isOption ? written : use;
}

/** Gives a problem with the metric itself, rather than with one of its options, the path of its name. */
function withPathOfUse<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigProblem) || error.code !== 'extension-unknown') throw error;
    const issues = error.issues.map((issue) => ({ ...issue, path: ['use'] }));
    throw new ConfigProblem(issues, { code: error.code });
  }
}

function guarded(work: () => Metric): Metric {
  try {
    return work();
  } catch (error) {
    throw withSetting(error, []);
  }
}

function refusal(message: string, remedy: string): TouchstoneError {
  return new TouchstoneError('dataset-invalid', message, { remedy });
}
