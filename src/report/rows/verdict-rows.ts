import { isContainer } from '../../lib/json/is-container.ts';
import type { Json } from '../../schema/json.ts';
import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Verdict } from '../../schema/verdict.ts';

/** A verdict on a trial under the name of its criterion, or of its metric. */
export interface VerdictRow {
  readonly name: string;
  readonly metric: string;
  /** The weight of the criterion; 0 for a metric that is not counted. */
  readonly weight: number;
  readonly isRequired: boolean;
  /** Undefined when there is no verdict. */
  readonly verdict: Verdict | undefined;
}

/** Lists every verdict on a trial: criteria in the order of the scorecard, then the other metrics. */
export function listVerdicts(
  run: Pick<Run, 'scorecard'>,
  { verdicts }: Pick<Result, 'verdicts'>,
): VerdictRow[] {
  const criteria = run.scorecard?.criteria ?? [];
  const others = Object.keys(verdicts).filter(
    (metric) => !criteria.some((criterion) => criterion.metric === metric),
  );
  const find = (metric: string) => (Object.hasOwn(verdicts, metric) ? verdicts[metric] : undefined);
  return [
    ...criteria.map(({ name, metric, weight, required }) => {
      return { name, metric, weight, isRequired: required, verdict: find(metric) };
    }),
    ...others.map((name) => ({ name, metric: name, weight: 0, isRequired: false, verdict: find(name) })),
  ];
}

/** The most verdicts that are listed although they do not apply and count for nothing. */
const mostIdle = 3;

/**
 * Parts the verdicts on a trial into those to show at once and those that do not apply and count for nothing, if these are
 * many.
 */
export function foldIdle(rows: readonly VerdictRow[]): {
  shown: readonly VerdictRow[];
  idle: readonly VerdictRow[];
} {
  const isIdle = ({ weight, isRequired, verdict }: VerdictRow) =>
    weight === 0 && !isRequired && verdict?.status === 'not-applicable';
  const idle = rows.filter(isIdle);
  return idle.length > mostIdle
    ? { shown: rows.filter((row) => !isIdle(row)), idle }
    : { shown: rows, idle: [] };
}

/** A part of a text. */
export interface TextSpan {
  readonly text: string;
  readonly isEvidence: boolean;
}

/** The parts of evidence that name what was not found, or are no quotations. */
const notQuoted: ReadonlySet<string> = new Set([
  'missing',
  'inside',
  'expected',
  'comparedBy',
  'decidedBy',
  'error',
  'reason',
  'id',
]);
/** The shortest text that is worth marking, and the largest number of texts. */
const limits = { shortest: 2, most: 200 };

/** Lists the texts in the evidence of a verdict, or in the answer of a judge, that it may have found in an answer. */
export function quotedTexts(evidence: Json | undefined): string[] {
  if (typeof evidence === 'string') return evidence.trim().length < limits.shortest ? [] : [evidence.trim()];
  if (!isContainer(evidence)) return [];
  const texts = Object.entries(evidence).flatMap(([name, part]) =>
    notQuoted.has(name) ? [] : quotedTexts(part),
  );
  return [...new Set(texts)].slice(0, limits.most);
}

/** Splits a text at the evidence that it contains, in the order of the text. Letter case is ignored. */
export function splitAtEvidence(text: string, quoted: readonly string[]): TextSpan[] {
  if (quoted.length === 0) return [{ text, isEvidence: false }];
  const longestFirst = [...quoted].sort((one, other) => other.length - one.length);
  const patterns = longestFirst.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const pieces = text.split(new RegExp(`(${patterns.join('|')})`, 'giu'));
  return pieces.flatMap((piece, index) => (piece === '' ? [] : { text: piece, isEvidence: index % 2 === 1 }));
}
