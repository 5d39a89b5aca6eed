import { isContainer } from '../../core/lib/json/is-container.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Result } from '../../core/schema/result.ts';
import { aspectOf } from '../../core/schema/metric.ts';
import type { Run } from '../../core/schema/run.ts';
import { evidenceOf, findMetric, isRecord, strings } from '../../core/trials/verdict-evidence.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** The expected terms (keywords, entities) that an answer contains and lacks. */
export interface TermsSeen {
  /** The metric's name in the run. */
  readonly metric: string;
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** The words in which terms were found, and the longer words in which missing ones stand, by term. */
  readonly quotes: ReadonlyMap<string, string>;
}

/** Returns a term with the word in which it was found, or of which it is only a part: `legal (only inside “illegal”)`. */
export function describeTerm(term: string, { missing, quotes }: TermsSeen): string {
  const quote = quotes.get(term);
  return quote === undefined ? term : `${term} (${missing.includes(term) ? 'only inside' : 'as'} “${quote}”)`;
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

function quotesOf(evidence: Json): Map<string, string> {
  if (!isRecord(evidence)) return new Map();
  const named = [evidence['foundAs'] ?? null, evidence['inside'] ?? null].filter(isRecord);
  return new Map(
    named
      .flatMap((quotes) => Object.entries(quotes))
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Returns whether a rule for tool calls is broken, which the names of the tools do not show. */
export function breaksCallRule(verdict: Verdict | undefined): boolean {
  const evidence = verdict?.status === 'scored' ? verdict.evidence : undefined;
  if (!isContainer(evidence) || Array.isArray(evidence)) return false;
  const { broken } = evidence;
  return Array.isArray(broken) && broken.length > 0;
}
