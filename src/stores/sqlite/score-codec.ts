import type { ScorecardResult } from '../../schema/scorecard-result.ts';
import type { Verdict, VerdictNumbers } from '../../schema/verdict.ts';
import type { ScoresOfTrial } from '../store.ts';

/** A verdict's numbers, as short as JSON allows: null when there is no verdict. */
type PackedNumbers = number | PackedScored | 'n' | Failed | null;

type PackedScored = [value: number, passed: 0 | 1 | null, unit?: string | null, label?: string];

/** A verdict that failed, with its code. */
type Failed = { f: string };

/** The words of a verdict; 0 when it has none. */
type PackedDetail =
  | { explanation?: string; evidence?: unknown; judgements?: string[] }
  | { reason: string; judgements?: string[] }
  | 0;

/** The columns of a row of scores that hold the verdicts and the words. */
export interface PackedScores {
  readonly numbers: string;
  readonly details: string;
}

/** Packs what was said of a trial. Numbers and words are apart: averaging reads only numbers. */
export function packScores(
  { verdicts, scorecard }: Pick<ScoresOfTrial, 'verdicts' | 'scorecard'>,
  metrics: readonly string[],
): PackedScores {
  const numbers: PackedNumbers[] = [];
  const details: (PackedDetail | string)[] = [];
  for (const metric of metrics) {
    const verdict = verdicts[metric];
    numbers.push(packNumbers(verdict));
    details.push(packDetail(verdict));
  }
  details.push(scorecard?.explanation ?? '');
  return { numbers: JSON.stringify(numbers), details: JSON.stringify(details) };
}

function packNumbers(verdict: Verdict | undefined): PackedNumbers {
  if (verdict === undefined) return null;
  if (verdict.status === 'not-applicable') return 'n';
  if (verdict.status === 'failed') return { f: verdict.code };
  const { value, passed, unit, label } = verdict;
  const flag = encodeFlag(passed);
  if (label !== undefined) return [value, flag, unit ?? null, label];
  if (unit !== undefined) return [value, flag, unit];
  return passed === undefined ? value : [value, flag];
}

function packDetail(verdict: Verdict | undefined): PackedDetail {
  if (verdict === undefined) return 0;
  if (verdict.status === 'not-applicable') return { reason: verdict.reason };
  const { judgements } = verdict;
  if (verdict.status === 'failed') return { reason: verdict.reason, judgements };
  const { explanation, evidence } = verdict;
  const hasWords = explanation !== undefined || evidence !== undefined || judgements !== undefined;
  return hasWords ? { explanation, evidence, judgements } : 0;
}

/** The numbers of the verdicts, by the metric's name. */
export function unpackNumbers(
  numbers: string | null,
  metrics: readonly string[],
): Record<string, VerdictNumbers> {
  const verdicts: Record<string, VerdictNumbers> = {};
  if (numbers === null) return verdicts;
  for (const [index, packed] of (JSON.parse(numbers) as PackedNumbers[]).entries()) {
    if (packed !== null) verdicts[metrics[index] as string] = unpackVerdict(packed);
  }
  return verdicts;
}

function unpackVerdict(packed: Exclude<PackedNumbers, null>): VerdictNumbers {
  if (packed === 'n') return { status: 'not-applicable' };
  if (typeof packed === 'number') return { status: 'scored', value: packed };
  if ('f' in packed) return { status: 'failed', code: packed.f };
  const [value, flag, unit = null, label] = packed;
  const verdict: VerdictNumbers = { status: 'scored', value };
  if (unit !== null) verdict.unit = unit;
  if (flag !== null) verdict.passed = flag === 1;
  if (label !== undefined) verdict.label = label;
  return verdict;
}

/** The opposite of `packScores`: the verdicts by the metric's name, and the scorecard's words. */
export function unpackScores(
  { numbers, details }: { readonly numbers: string | null; readonly details: string | null },
  metrics: readonly string[],
): { verdicts: Record<string, Verdict>; explanation: string } {
  const verdicts = unpackNumbers(numbers, metrics) as Record<string, Verdict>;
  const words: unknown[] = details === null ? [] : JSON.parse(details);
  for (const [index, metric] of metrics.entries()) {
    if (verdicts[metric] !== undefined) Object.assign(verdicts[metric], words[index]);
  }
  return { verdicts, explanation: String(words.at(-1) ?? '') };
}

/** A scorecard's columns as they are kept: `lower` is NULL when there is no scorecard result. */
export interface ScorecardRow {
  readonly total: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly grade: string | null;
  readonly outcome: string | null;
  readonly passed: number | null;
}

/** A scorecard result from its columns; null when the trial has none. */
export function unpackScorecard(
  { total, lower, upper, grade, outcome, passed }: ScorecardRow,
  { explanation, hasOutcomes }: { readonly explanation: string; readonly hasOutcomes: boolean },
): ScorecardResult | null {
  if (lower === null || upper === null) return null;
  const flag = passed === null ? null : passed === 1;
  return { total, lower, upper, grade, ...(hasOutcomes && { outcome }), passed: flag, explanation };
}

/** A flag that may be unknown, as SQLite keeps it. */
export function encodeFlag(flag: boolean | null | undefined): 0 | 1 | null {
  if (flag === null || flag === undefined) return null;
  return flag ? 1 : 0;
}
