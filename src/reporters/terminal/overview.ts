import type { Run } from '../../schema/run.ts';
import type { Estimate, TargetSummary } from '../../schema/summary.ts';
import type { ReportedTarget } from '../findings.ts';
import { formatCount, formatInterval, formatPercent } from '../format-number.ts';
import { gradeCounts } from '../grade-counts.ts';
import { headlineParts } from '../headline.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, span, type Tone, whole } from './line.ts';
import { setTable } from './table.ts';
import { shareTone } from './tone.ts';

/** The headline of a target, broken between its parts where it does not fit. */
export function headlineLines({ run, target }: ReportedTarget, width: number): Line[] {
  const [score = '', ...parts] = headlineParts(target, run.scorecard !== null);
  const [value = '', interval] = score.split(/ (?=\[)/);
  const headline: Line = [
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
  return indented(headline, width, 2);
}

/** Passed, failed and errors as counts, shares and intervals; then how many answers got which grade. */
export function outcomeLines({ run, target, findings }: ReportedTarget, width: number): Line[] {
  const { counts, passRate, errorRate } = target;
  const errors = Math.max(findings.errors.total, counts.errors);
  const called = counts.planned - counts.notRun - counts.cancelled;
  const reported = errors > counts.errors ? [span('answers that are error reports included', 'quiet')] : [];
  const outcomes: Line[][] = [
    [[span('Passed')], ofTotal(counts.passed, counts.measured, 'good'), ...share(passRate), []],
    [[span('Failed')], ofTotal(counts.failed, counts.measured, 'bad'), [], [], []],
  ];
  const errorRow = [[span('Errors')], ofTotal(errors, called, 'fault'), ...share(errorRate), reported];
  const rows = run.scorecard === null ? [errorRow] : [...outcomes, errorRow];
  const columns = [
    { title: '' },
    { title: '' },
    { title: '', align: 'right' },
    { title: '' },
    { title: '', isOptional: true },
  ] as const;
  return [...setTable({ columns, rows }, width), ...gradeLines(run, target, width)];
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
  if (grades.length === 0) return [];
  const parts = grades.map(({ grade, count }) => [
    whole(`${grade} ${formatCount(count)}`, count === 0 ? 'quiet' : undefined),
  ]);
  return flow(joined(parts), { width, first: [span('  Grades  ')] });
}
