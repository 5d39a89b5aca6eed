import { isContainer } from '../../core/lib/json/is-container.ts';
import { expectedToolName } from '../../core/schema/expected.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Result } from '../../core/schema/result.ts';
import { aspectOf, declaredParts, type MetricAspect } from '../../core/schema/metric.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import { toolCallsOf } from '../../core/schema/trial.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** The tools that a trial was expected to use and those it used, each listed once. */
export interface ToolsSeen {
  readonly expected: readonly string[];
  readonly used: readonly string[];
  readonly missing: readonly string[];
}

/** The expected terms (keywords, entities) that an answer contains and lacks. */
export interface TermsSeen {
  /** The metric's name in the run. */
  readonly metric: string;
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** The words in which terms were found, and the longer words in which missing ones stand, by term. */
  readonly quotes: ReadonlyMap<string, string>;
}

/** Returns a term with the word in which it was found, or in which it only stands: `legal (only inside “illegal”)`. */
export function describeTerm(term: string, { missing, quotes }: TermsSeen): string {
  const quote = quotes.get(term);
  return quote === undefined ? term : `${term} (${missing.includes(term) ? 'only inside' : 'as'} “${quote}”)`;
}

/** Returns the record of the metric with a name in a run. */
export function findMetric(run: Pick<Run, 'metrics'>, name: string): RunMetric | undefined {
  return run.metrics.find((metric) => metric.name === name);
}

/**
 * Reads the tools of a trial from the evidence of a metric of expected tools, otherwise from the transcript. Undefined when
 * there are none.
 */
export function readTools(run: Run, result: Result): ToolsSeen | undefined {
  const judged = judgedTools(run, result);
  const used = judged.used ?? unique(toolCallsOf(result.trial.transcript).map((call) => call.name));
  const expected = judged.expected ?? unique((result.case.expected.tools ?? []).map(expectedToolName));
  const missing = judged.missing ?? expected.filter((name) => !used.includes(name));
  const hasTools = used.length > 0 || (expected.length > 0 && result.trial.status === 'completed');
  return hasTools ? { expected, used, missing } : undefined;
}

function judgedTools(run: Run, result: Result): Partial<ToolsSeen> {
  const { evidence = null } = evidenceOf(run, result).find(({ aspect }) => aspect === 'expected-tools') ?? {};
  const [expected, used] = [strings(evidence, 'expected'), strings(evidence, 'used')];
  const missing = strings(evidence, 'missing');
  return {
    expected,
    used,
    missing,
  };
}

/** Reads the expected terms of a trial, one entry for each metric that looks for terms. */
export function readTerms(run: Run, result: Result): TermsSeen[] {
  return evidenceOf(run, result).flatMap(({ name, aspect, evidence }) => {
    const [found, missing] = [strings(evidence, 'found'), strings(evidence, 'missing')];
    if (aspect !== 'expected-terms' || found === undefined || missing === undefined) return [];
    return found.length + missing.length === 0
      ? []
      : [{ metric: name, found, missing, quotes: quotesOf(evidence) }];
  });
}

/**
 * Reads the error in an answer that is an error report: the code of what was detected and the explanation. The
 * verdict determines whether it is one; the evidence only if the verdict does not.
 */
export function readReportedError(
  run: Run,
  { verdicts }: Result,
): { code: string; message: string } | undefined {
  for (const [metric, verdict] of Object.entries(verdicts)) {
    if (aspectOf(findMetric(run, metric)) !== 'no-error' || verdict.status !== 'scored') continue;
    const { evidence = null, passed, explanation = '' } = verdict;
    const detected = isRecord(evidence) ? evidence['error'] : undefined;
    const code = typeof detected === 'string' && detected !== '' ? detected : undefined;
    if (passed === false || (passed === undefined && code !== undefined)) {
      return { code: code ?? 'error-report', message: explanation };
    }
  }
  return undefined;
}

/** The evidence of a metric, or of a part of one. */
interface Evidence {
  readonly name: string;
  readonly aspect: MetricAspect | null;
  readonly evidence: Json;
}

/** Lists the evidence of every verdict; for a verdict with parts, that of its parts. */
function evidenceOf(run: Run, { verdicts }: Result): Evidence[] {
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

function strings(evidence: Json, name: string): string[] | undefined {
  const list = isRecord(evidence) ? evidence[name] : undefined;
  return Array.isArray(list) ? unique(list.filter((item) => typeof item === 'string')) : undefined;
}

function quotesOf(evidence: Json): Map<string, string> {
  if (!isRecord(evidence)) return new Map();
  const named = [evidence['foundAs'] ?? null, evidence['inside'] ?? null].filter(isRecord);
  return new Map(
    named
      .flatMap((quotes) => Object.entries(quotes))
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Returns whether a rule for tool calls is broken, which the names of the tools do not show. */
export function breaksCallRule(verdict: Verdict | undefined): boolean {
  const evidence = verdict?.status === 'scored' ? verdict.evidence : undefined;
  if (!isContainer(evidence) || Array.isArray(evidence)) return false;
  const { broken } = evidence;
  return Array.isArray(broken) && broken.length > 0;
}
