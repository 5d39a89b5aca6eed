import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';

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

/** The parts of evidence, and of the answer of a judge, that quote an answer; lists of texts and single ones. */
const ofQuotations: ReadonlySet<string> = new Set([
  'quote',
  'quotes',
  'passage',
  'passages',
  'match',
  'matches',
]);
/** The parts that list what was found in an answer. A single text of this name is a class, such as a language. */
const ofFinds: ReadonlySet<string> = new Set(['found', 'claims', 'unsupported', 'obeyed']);
/** The shortest text that is worth marking, and the largest number of texts. */
const limits = { shortest: 2, most: 200 };

/**
 * Lists the quotations in the evidence of a verdict, or in the answer of a judge. Other texts, such as a verdict or a
 * reason, may occur in an answer by chance. Evidence that is a single text is a quotation.
 */
export function quotedTexts(evidence: Json | undefined): string[] {
  const texts = typeof evidence === 'string' ? [evidence] : quotationsIn(evidence);
  const worthMarking = texts.map((text) => text.trim()).filter((text) => text.length >= limits.shortest);
  return [...new Set(worthMarking)].slice(0, limits.most);
}

function quotationsIn(evidence: Json | undefined): string[] {
  if (!isContainer(evidence)) return [];
  return Object.entries(evidence).flatMap(([name, part]) => {
    if (typeof part === 'string') return ofQuotations.has(name) || name === 'claim' ? [part] : [];
    const isList = Array.isArray(part) && (ofQuotations.has(name) || ofFinds.has(name));
    const listed = isList ? part.filter((item) => typeof item === 'string') : [];
    return [...listed, ...quotationsIn(part)];
  });
}

/** Splits a text at the evidence that it contains in whole words, in the order of the text. Letter case is ignored. */
export function splitAtEvidence(text: string, quoted: readonly string[]): TextSpan[] {
  if (quoted.length === 0) return [{ text, isEvidence: false }];
  const longestFirst = [...quoted].sort((one, other) => other.length - one.length);
  const pieces = text.split(new RegExp(`(${longestFirst.map(wholeWords).join('|')})`, 'giu'));
  return pieces.flatMap((piece, index) => (piece === '' ? [] : { text: piece, isEvidence: index % 2 === 1 }));
}

/** Returns a pattern of a text that neither begins nor ends inside a word, in languages with spaces between words. */
function wholeWords(text: string): string {
  const pattern = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const before = beginsInWord.test(text) ? String.raw`(?<![\p{L}\p{M}\p{N}])` : '';
  const after = endsInWord.test(text) ? String.raw`(?![\p{L}\p{M}\p{N}])` : '';
  return `${before}${pattern}${after}`;
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const beginsInWord = new RegExp(String.raw`^(?![${unspaced}])[\p{L}\p{N}]`, 'u');
const endsInWord = new RegExp(String.raw`(?![${unspaced}])[\p{L}\p{M}\p{N}]$`, 'u');

/** Returns why a metric has no value; undefined where it has one, or has nothing to measure. */
export function reasonOf(verdict: VerdictRow['verdict']): string | undefined {
  return verdict?.status === 'failed' ? `${verdict.code}, ${verdict.reason}` : undefined;
}

/** A reason that several metrics have in common, such as the error of the target. */
interface RepeatedReason {
  readonly reason: string;
  /** The first of the metrics. */
  readonly metric: string;
  readonly count: number;
}

/** Returns the reasons why several metrics have no value, each once with their number. */
export function repeatedReasons(rows: readonly VerdictRow[]): RepeatedReason[] {
  const found = new Map<string, RepeatedReason>();
  for (const { verdict, metric } of rows) {
    const reason = reasonOf(verdict);
    if (reason === undefined) continue;
    const one = found.get(reason) ?? { reason, metric, count: 0 };
    found.set(reason, { ...one, count: one.count + 1 });
  }
  return Array.from(found.values()).filter(({ count }) => count > 1);
}
