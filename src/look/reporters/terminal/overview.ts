import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatInterval, formatPercent } from '../../report/format.ts';
import { calledCount, errorCount, errorKinds, headlineParts } from '../../report/headline.ts';
import { averagedNote, gradeCounts, describeGrade, weightedParts } from '../../report/overview.ts';
import { usageParts } from '../../report/usage-parts.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, shareTone, span, type Tone, whole } from './line.ts';
import { setTable } from './table.ts';

/** Formats the headline of a target, wrapped between its parts. */
export function headlineLines(
  { run, target }: Pick<ReportedTarget, 'run' | 'target'>,
  width: number,
): Line[] {
  return indented(headlineOf(run, target), width, 2);
}

/** Formats the headline of a target as one line. */
export function headlineOf(run: Run, target: TargetSummary): Line {
  const [score = '', ...parts] = headlineParts(target, run);
  const [value = '', interval] = score.split(/ (?=\[)/);
  return [
    {
      text: value,
      tone: shareTone(target.score.value, run.scorecard?.passMark) ?? 'strong',
      isStrong: true,
      isWhole: true,
    },
    ...(interval === undefined ? [] : [span(' '), whole(interval)]),
    { text: '  ', isGlue: true },
    ...joined(parts.map((part) => [whole(part)])),
  ];
}

/** Formats passed, failed and errors as counts, shares and intervals; then the number of answers with each grade. */
export function outcomeLines(reported: ReportedTarget, width: number): Line[] {
  const { run, target } = reported;
  const { counts, passRate, errorRate } = target;
  const errors = errorCount(counts);
  const called = calledCount(counts);
  const ofKinds = errorKinds(counts);
  const kinds = ofKinds === undefined ? [] : [span(ofKinds, 'quiet')];
  const outcomes: Line[][] = [
    [[span('Passed')], ofTotal(counts.passed, counts.measured, 'good'), ...share(passRate), []],
    [[span('Failed')], ofTotal(counts.failed, counts.measured, 'bad'), [], [], []],
  ];
  const errorRow = [[span('Errors')], ofTotal(errors, called, 'fault'), ...share(errorRate), kinds];
  const rows = run.scorecard === null || counts.measured === 0 ? [errorRow] : [...outcomes, errorRow];
  const columns = [
    { title: '' },
    { title: '' },
    { title: '', align: 'right' },
    { title: '' },
    { title: '', isOptional: true },
  ] as const;
  const note = averagedNote(reported);
  return [
    ...setTable({ columns, rows }, width),
    ...(note === undefined ? [] : indented([span(note, 'quiet')], width, 2)),
    ...gradeLines(run, target, width),
  ];
}

/** Formats the score and the pass rate with weighted categories; nothing without weights in the config. */
export function weightedLines({ target }: ReportedTarget, width: number): Line[] {
  const parts = weightedParts(target).map((phrase) => [
    whole(phrase.map((part) => (typeof part === 'string' ? part : part.quoted)).join('')),
  ]);
  return parts.length === 0 ? [] : flow(joined(parts), { width, first: [span('  Weighted  ')] });
}

/** Formats calls, retries, tokens and cost. */
export function usageLines({ run, target }: ReportedTarget, width: number): Line[] {
  const parts = usageParts(run, target.usage).map((part) => [whole(part)]);
  return flow(joined(parts), { width, first: [span('  Calls   ')] });
}

function ofTotal(count: number, total: number, tone: Tone): Line {
  return [span(formatCount(count), count > 0 ? tone : undefined), span(` of ${formatCount(total)}`, 'quiet')];
}

function share(estimate: Estimate): [Line, Line] {
  if (estimate.value === null) return [[], []];
  return [[span(formatPercent(estimate.value))], [span(formatInterval(estimate), 'quiet')]];
}

function gradeLines(run: Run, target: TargetSummary, width: number): Line[] {
  const grades = gradeCounts(run, target);
  if (grades.length === 0 || target.counts.measured === 0) return [];
  const parts = grades.map(({ grade, count, meaning }) => [
    whole([grade, formatCount(count), meaning].join(' ').trimEnd(), count === 0 ? 'quiet' : undefined),
  ]);
  const standing = describeGrade(run, target);
  return [
    ...flow(joined(parts), { width, first: [span('  Grades  ')] }),
    ...(standing === undefined ? [] : flow([span(standing)], { width, first: [span('  Means   ')] })),
  ];
}
