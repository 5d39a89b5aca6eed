import type { Estimate } from '../../../core/schema/estimate.ts';
import type { JudgedMetricReport } from '../../../core/schema/review/certification.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary, TargetComparison } from '../../../core/schema/summary.ts';
import { formatDuration, formatInterval, formatPoints, hasInterval, missing } from '../format.ts';
import { formatMean } from '../comparison/rows.ts';
import type { Quoted } from '../phrase.ts';

/** The cell of one target in a row. */
export interface SideCell {
  readonly text: string;
  /** The interval; empty when the row has none. */
  readonly interval: string;
  /** The share, for a colour; null for other quantities. */
  readonly share: number | null;
  readonly isBest: boolean;
  /** True for a target that is not shown to be the best by its mean, but better than every other on most questions that differ. */
  readonly isBestOnMost: boolean;
}

/** One measure of all targets of a run. */
export interface SideRow {
  readonly group: 'overall' | 'metric' | 'operation' | 'category';
  /** The name: own words, or a name from outside. */
  readonly name: string | Quoted;
  readonly cells: readonly SideCell[];
  /** The second target's mean minus the first's, for exactly two targets; otherwise empty. */
  readonly difference: string;
}

const names: Partial<Record<TargetComparison['measure'], string>> = {
  score: 'score',
  passed: 'passed',
  errors: 'errors',
  latency: 'answer time',
  'input-tokens': 'tokens in, per call',
  'output-tokens': 'tokens out, per call',
  cost: 'cost per call',
};

/**
 * Builds the rows that compare a run's targets, without measures that no target has a number for. Empty for a single
 * target.
 */
export function sideRows(run: Run, summary: Summary): SideRow[] {
  const { targets, comparisons } = summary;
  return comparisons
    .filter(({ means }) => means.some(({ value }) => value !== null))
    .toSorted((a, b) => groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b)) || byWeakness(a, b))
    .flatMap((comparison) => {
      const whole = sideRow(run, targets, comparison);
      const judges = certifiedBehind(comparison, run, summary);
      const row = judges.length === 0 ? whole : withoutBest(whole, judges);
      const hasTimes =
        comparison.measure === 'latency' && targets.some(({ usage }) => usage.latency !== null);
      if (!hasTimes) return [row];
      const percentiles = (['p50', 'p90', 'p99'] as const).map((name): SideRow => {
        const cells = targets.map(({ usage }) => plainCell(usage.latency?.[name]));
        return { group: 'operation', name: `latency, ${name}`, cells, difference: '' };
      });
      return [row, ...percentiles];
    });
}

/**
 * Returns the judges with certificates that a row rests on. None of the targets is the best by what they say: a comparison by what
 * people would say is in `touchstone compare`.
 */
function certifiedBehind(
  { measure, name }: TargetComparison,
  { scorecard, gate }: Run,
  { judged = [] }: Summary,
): JudgedMetricReport[] {
  // Such gates let their judges decide.
  if (gate.judge?.certified === 'ignore' || gate.judge?.certified === 'advise') return [];
  const certified = judged.filter(({ certificate }) => certificate !== undefined);
  if (measure === 'metric') return certified.filter(({ metric }) => metric === name);
  if (measure !== 'score' && measure !== 'passed' && measure !== 'category') return [];
  const counted = scorecard?.criteria.filter(
    ({ weight, required, caps }) => weight > 0 || required || caps !== undefined,
  );
  return certified.filter(({ metric }) => counted?.some((criterion) => criterion.metric === metric) === true);
}

const notComparable = 'not comparable';
const comparedElsewhere = 'see compare';

function withoutBest(row: SideRow, judges: readonly JudgedMetricReport[]): SideRow {
  const cells = row.cells.map((cell) => ({ ...cell, isBest: false, isBestOnMost: false }));
  const isKnown = judges.every(({ targets }) => targets.every(({ corrected }) => corrected !== null));
  const isUnlike = judges.some(({ certificate }) => certificate?.areTargetsUnlike === true);
  const difference = isKnown && !isUnlike ? comparedElsewhere : notComparable;
  return { ...row, cells, difference: row.difference === '' ? '' : difference };
}

const groups: readonly SideRow['group'][] = ['overall', 'metric', 'operation', 'category'];

function groupOf({ measure }: TargetComparison): SideRow['group'] {
  if (measure === 'category' || measure === 'metric') return measure;
  return ['score', 'passed', 'errors'].includes(measure) ? 'overall' : 'operation';
}

/** Compares two measures: categories are sorted weakest first, all others keep their order. */
function byWeakness(a: TargetComparison, b: TargetComparison): number {
  return a.measure === 'category' && b.measure === 'category' ? meanOf(a) - meanOf(b) : 0;
}

function meanOf({ means }: TargetComparison): number {
  const known = means.flatMap(({ value }) => value ?? []);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function sideRow(run: Run, targets: Summary['targets'], comparison: TargetComparison): SideRow {
  const { measure, name, unit, means, best, bestOnMost } = comparison;
  const criterion = run.scorecard?.criteria.find(({ metric }) => measure === 'metric' && metric === name);
  const cells = means.map(({ target, value }, place) => ({
    text: formatMean(value, unit),
    interval: intervalOf(measure, targets[place]),
    share: unit === undefined && measure !== 'errors' ? value : null,
    isBest: best === target,
    isBestOnMost: bestOnMost === target,
  }));
  const shownName = names[measure] ?? { quoted: criterion?.name ?? name };
  return { group: groupOf(comparison), name: shownName, cells, difference: formatDifference(comparison) };
}

/** Returns the interval that the section of the target shows. */
function intervalOf(
  measure: TargetComparison['measure'],
  target: Summary['targets'][number] | undefined,
): string {
  if (target === undefined) return '';
  if (measure === 'score') return formatInterval(target.score);
  return measure === 'passed' ? formatInterval(target.passRate) : '';
}

function plainCell(durationMs: number | undefined): SideCell {
  const text = durationMs === undefined ? missing : formatDuration(durationMs);
  return { text, interval: '', share: null, isBest: false, isBestOnMost: false };
}

/**
 * Formats the difference of two targets, the second minus the first, with the paired interval: `+5.2 [-0.3, 10.8]`.
 */
function formatDifference({ means, leader, differences, unit }: TargetComparison): string {
  const [difference] = differences;
  if (means.length !== 2 || difference === undefined || difference.value === null) return '';
  const isTurned = leader === means[0]?.target;
  const { value, lower, upper } = isTurned ? turned(difference) : difference;
  const interval = hasInterval(difference) ? ` [${signed(lower, unit)}, ${signed(upper, unit)}]` : '';
  return `${signed(value, unit)}${interval}`;
}

function turned({ value, lower, upper }: Estimate): Pick<Estimate, 'value' | 'lower' | 'upper'> {
  const minus = (number: number | null) => (number === null ? null : 0 - number);
  return { value: minus(value), lower: minus(upper), upper: minus(lower) };
}

function signed(value: number | null, unit: string | undefined): string {
  if (value === null) return missing;
  const size = Math.abs(value);
  const shown = unit === undefined ? formatPoints(size) : formatMean(size, unit);
  if (shown.replaceAll(/[^1-9]/g, '') === '') return shown;
  return value < 0 ? `−${shown}` : `+${shown}`;
}

/** Builds the title of the differences of two targets. */
export function differenceTitle([first = '', second = '']: readonly string[]): string {
  return first.length + second.length <= 16 ? `${second} − ${first}` : 'second − first';
}

/** The signs of the best target of a row. */
const sideMarks = { best: '★', onMost: '☆' } as const;

/** Returns the sign of a cell with its meaning; undefined for a cell without one. */
export function markOf({ isBest, isBestOnMost }: SideCell): { sign: string; word: string } | undefined {
  if (isBest) return { sign: sideMarks.best, word: 'best' };
  return isBestOnMost ? { sign: sideMarks.onMost, word: 'better on most questions' } : undefined;
}

/** Explains the marks of the best target, or that no target has one. */
export function sideNote(rows: readonly SideRow[]): string {
  const cells = rows.flatMap((row) => row.cells);
  const how = '95 % intervals of the differences, paired by question';
  const onMost = cells.some(({ isBestOnMost }) => isBestOnMost)
    ? ` ${sideMarks.onMost} better than every other target on most questions that differ (sign test), which losses too rare to show in so few could outweigh.`
    : '';
  const best = cells.some(({ isBest }) => isBest)
    ? `${sideMarks.best} better than every other target by more than the noise (${how}) and by more than what was not measured could change.${onMost} Marks are corrected for the number of rows (Holm), the first row by itself: without any real difference, at most one report in twenty marks the first row, and one in twenty any other.`
    : `No target is better than every other one by more than the noise (${how}).${onMost}`;
  const isJudged = rows.some(({ difference }) => [notComparable, comparedElsewhere].includes(difference));
  return isJudged ? `${best} ${judgedNote}` : best;
}

const judgedNote =
  'Rows that rest on a certified judge show what the judge says and mark no target: `touchstone compare` of this run compares by what people would say, where that is known.';
