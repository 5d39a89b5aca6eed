import { expectedToolName } from '../schema/case.ts';
import type { Json } from '../schema/json.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { toolCallsOf } from '../schema/trial.ts';

/** Which tools a trial was expected to use and which it used, each named once. */
export interface ToolsSeen {
  readonly expected: readonly string[];
  readonly used: readonly string[];
  readonly missing: readonly string[];
}

/** Which expected terms (keywords, entities) an answer holds. */
export interface TermsSeen {
  /** The metric's name in the run. */
  readonly metric: string;
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

const termMetrics = new Set(['keywords', 'entities']);

/** Which implementation stands behind a metric's name in a run. */
export function metricKind(run: Run, metric: string): string {
  return run.metrics.find((candidate) => candidate.name === metric)?.use.use ?? metric;
}

/** The tools of a trial: by the evidence of the tool metric, or else by the transcript. Undefined when there is nothing to say. */
export function readTools(run: Run, result: Result): ToolsSeen | undefined {
  const judged = judgedTools(run, result);
  const used = judged.used ?? unique(toolCallsOf(result.trial.transcript).map((call) => call.name));
  const expected = judged.expected ?? unique((result.case.expected.tools ?? []).map(expectedToolName));
  const missing = judged.missing ?? expected.filter((name) => !used.includes(name));
  const isTold = used.length > 0 || (expected.length > 0 && result.trial.status === 'completed');
  return isTold ? { expected, used, missing } : undefined;
}

function judgedTools(run: Run, result: Result): Partial<ToolsSeen> {
  const { evidence = null } = evidenceOf(run, result).find(({ kind }) => kind === 'tool-usage') ?? {};
  const [expected, used] = [strings(evidence, 'expected'), strings(evidence, 'used')];
  const missing = strings(evidence, 'missing');
  return {
    ...(expected === undefined ? {} : { expected }),
    ...(used === undefined ? {} : { used }),
    ...(missing === undefined ? {} : { missing }),
  };
}

/** The expected terms of a trial, one entry for each metric that looked for some. */
export function readTerms(run: Run, result: Result): TermsSeen[] {
  return evidenceOf(run, result).flatMap(({ metric, kind, evidence }) => {
    const [found, missing] = [strings(evidence, 'found'), strings(evidence, 'missing')];
    if (!termMetrics.has(kind) || found === undefined || missing === undefined) return [];
    return found.length + missing.length === 0 ? [] : [{ metric, found, missing }];
  });
}

/**
 * What was wrong with an answer that is an error report: the code of what was detected and the explanation. Whether it is
 * one, the verdict says; the evidence only where it does not.
 */
export function readReportedError(
  run: Run,
  { verdicts }: Result,
): { code: string; message: string } | undefined {
  for (const [metric, verdict] of Object.entries(verdicts)) {
    if (metricKind(run, metric) !== 'error-handling' || verdict.status !== 'scored') continue;
    const { evidence = null, passed, explanation = '' } = verdict;
    const detected = isRecord(evidence) ? evidence['error'] : undefined;
    const code = typeof detected === 'string' && detected !== '' ? detected : undefined;
    if (passed === false || (passed === undefined && code !== undefined)) {
      return { code: code ?? 'error-report', message: explanation };
    }
  }
  return undefined;
}

interface Evidence {
  readonly metric: string;
  /** The implementation behind the metric, or the name of a part of one. */
  readonly kind: string;
  readonly evidence: Json;
}

/** The evidence of every verdict; that of one with parts is the evidence of its parts. */
function evidenceOf(run: Run, { verdicts }: Result): Evidence[] {
  return Object.entries(verdicts).flatMap(([metric, verdict]): Evidence[] => {
    if (verdict.status !== 'scored' || verdict.evidence === undefined) return [];
    const parts = partsOf(verdict.evidence);
    if (parts.length === 0) return [{ metric, kind: metricKind(run, metric), evidence: verdict.evidence }];
    return parts.map(({ name, evidence }) => ({ metric: name, kind: name, evidence }));
  });
}

/** One part of a verdict that is made of several. */
export interface EvidencePart {
  readonly name: string;
  /** null when it was not measured. */
  readonly value: number | null;
  readonly explanation: string | undefined;
  readonly evidence: Json;
}

/** Returns the parts that a verdict is made of, as its evidence lists them; empty for one without. */
export function partsOf(evidence: Json): EvidencePart[] {
  const parts = isRecord(evidence) ? (evidence['parts'] ?? null) : null;
  if (!isRecord(parts)) return [];
  return Object.entries(parts).flatMap(([name, part]): EvidencePart[] => {
    if (!isRecord(part)) return [];
    const { value, explanation, evidence: own = null } = part;
    return [
      {
        name,
        value: typeof value === 'number' ? value : null,
        explanation: typeof explanation === 'string' ? explanation : undefined,
        evidence: own,
      },
    ];
  });
}

function strings(evidence: Json, name: string): string[] | undefined {
  const list = isRecord(evidence) ? evidence[name] : undefined;
  return Array.isArray(list) ? unique(list.filter((item) => typeof item === 'string')) : undefined;
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
