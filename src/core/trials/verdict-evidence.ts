import { isContainer } from '../lib/json/is-container.ts';
import { expectedToolName } from '../schema/expected.ts';
import type { Json } from '../schema/json.ts';
import { aspectOf, declaredParts, type MetricAspect } from '../schema/metric.ts';
import type { Result } from '../schema/result.ts';
import type { Run, RunMetric } from '../schema/run.ts';
import { toolCallsOf } from '../schema/trial.ts';

/** The part of a run by which evidence is read. */
export type RunOfMetrics = Pick<Run, 'metrics'>;

/** The tools that a trial was expected to use and those it used, each listed once. */
export interface ToolsSeen {
  readonly expected: readonly string[];
  readonly used: readonly string[];
  readonly missing: readonly string[];
}

/** Returns the record of the metric with a name in a run. */
export function findMetric(run: RunOfMetrics, name: string): RunMetric | undefined {
  return run.metrics.find((metric) => metric.name === name);
}

/**
 * Reads the tools of a trial from the evidence of a metric of expected tools, otherwise from the transcript. Undefined when
 * there are none.
 */
export function readTools(run: RunOfMetrics, result: Result): ToolsSeen | undefined {
  const judged = judgedTools(run, result);
  const used = judged.used ?? unique(toolCallsOf(result.trial.transcript).map((call) => call.name));
  const expected = judged.expected ?? unique((result.case.expected.tools ?? []).map(expectedToolName));
  const missing = judged.missing ?? expected.filter((name) => !used.includes(name));
  const hasTools = used.length > 0 || (expected.length > 0 && result.trial.status === 'completed');
  return hasTools ? { expected, used, missing } : undefined;
}

function judgedTools(run: RunOfMetrics, result: Result): Partial<ToolsSeen> {
  const { evidence = null } = evidenceOf(run, result).find(({ aspect }) => aspect === 'expected-tools') ?? {};
  const [expected, used] = [strings(evidence, 'expected'), strings(evidence, 'used')];
  const missing = strings(evidence, 'missing');
  return {
    expected,
    used,
    missing,
  };
}

/** The evidence of a metric, or of a part of one. */
export interface Evidence {
  readonly name: string;
  readonly aspect: MetricAspect | null;
  readonly evidence: Json;
}

/** Lists the evidence of every verdict; for a verdict with parts, the evidence of its parts. */
export function evidenceOf(run: RunOfMetrics, { verdicts }: Result): Evidence[] {
  return Object.entries(verdicts).flatMap(([name, verdict]): readonly Evidence[] => {
    if (verdict.status !== 'scored' || verdict.evidence === undefined) return [];
    const metric = findMetric(run, name);
    const parts = partsOf(metric, verdict.evidence);
    return parts.length === 0 ? [{ name, aspect: aspectOf(metric), evidence: verdict.evidence }] : parts;
  });
}

/** One part of a verdict that consists of several. */
export interface EvidencePart {
  readonly name: string;
  /** The aspect that the metric declares for the part; null when it declares none. */
  readonly aspect: MetricAspect | null;
  /** The value; null when it was not measured. */
  readonly value: number | null;
  readonly explanation: string | undefined;
  readonly evidence: Json;
}

/** Returns the parts of a metric's verdict that its evidence lists; empty for a verdict without parts. */
export function partsOf(metric: RunMetric | undefined, evidence: Json): EvidencePart[] {
  const parts = isRecord(evidence) ? (evidence['parts'] ?? null) : null;
  if (!isRecord(parts)) return [];
  return Object.entries(parts).flatMap(([name, part]): EvidencePart[] => {
    if (!isRecord(part)) return [];
    const { value, explanation, evidence: own = null } = part;
    return [
      {
        name,
        aspect: declaredParts(metric).find((declared) => declared.name === name)?.aspect ?? null,
        value: typeof value === 'number' ? value : null,
        explanation: typeof explanation === 'string' ? explanation : undefined,
        evidence: own,
      },
    ];
  });
}

/** Returns the texts in a list of evidence, each once; undefined when there is no such list. */
export function strings(evidence: Json, name: string): string[] | undefined {
  const list = isRecord(evidence) ? evidence[name] : undefined;
  return Array.isArray(list) ? unique(list.filter((item) => typeof item === 'string')) : undefined;
}

/** Returns whether evidence is an object. */
export function isRecord(value: Json): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
