import { firstUnits, wrap } from '../../../core/lib/text/terminal-text.ts';
import { readContradictions } from '../../report/disagreements.ts';
import { formatCount, formatPercent, formatPlural } from '../../report/format.ts';
import { questionRow } from '../../report/rows/question-row.ts';
import { outcomeOfTrial, type Result } from '../../../core/schema/result.ts';
import type { Contradiction, Disagreement, TargetSummary } from '../../../core/schema/summary.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { kindLines } from './advice-lines.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, lineWidth, shareTone, span, whole } from './line.ts';
import { headlineLines } from './overview.ts';
import { rowLines } from './question-lines.ts';
import { askedLines, verboseLines } from './verbose-lines.ts';

/**
 * Formats the report of a part of a run: a note that it is a part, the score of the whole run, then every question of the
 * part. Other results over all questions are left out, so that they are not mistaken for results of the part.
 */
export async function* narrowedLines(
  input: ReportInput,
  narrowing: string,
  view: ReportView,
): AsyncGenerator<Line> {
  const note = [span(narrowingNote(narrowing), 'fair')];
  yield* [[], ...flow(note, { width: view.width, first: [span('  ')] })];
  if (input.disagreements !== undefined) {
    yield* disagreementListing(input, input.disagreements, view);
    return;
  }
  for (const target of input.summary.targets) yield* targetLines(input, target, view);
}

async function* targetLines(
  input: ReportInput,
  target: TargetSummary,
  view: ReportView,
): AsyncGenerator<Line> {
  const { run } = input;
  const { width, verbose } = view;
  const counts = { passed: 0, failed: 0, error: 0, 'not-measured': 0, unscored: 0 };
  yield* [[], [span(target.target, 'strong'), span('  the whole run', 'quiet')]];
  yield* [...headlineLines({ run, target }, width), ...(verbose ? [] : [[]])];
  for await (const result of input.results()) {
    if (result.trial.target !== target.target) continue;
    counts[outcomeOfTrial(run, result)] += 1;
    if (verbose) yield [];
    yield* verbose ? verboseLines(input, result, view) : rowLines(run, questionRow(run, result), width);
  }
  if (verbose) yield [];
  yield* indented([span(countsText(counts, run.attempts), 'quiet')], width, 2);
}

function countsText(
  { passed, failed, error, 'not-measured': notMeasured, unscored }: Record<string, number>,
  attempts: number,
): string {
  const counts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [error, 'errors'],
    [notMeasured, 'not measured'],
    [unscored, 'without a score'],
  ] as const;
  const all = counts.reduce((sum, [count = 0]) => sum + count, 0);
  const parts = counts
    .filter(([count = 0]) => count > 0)
    .map(([count = 0, label]) =>
      label === 'errors' ? formatPlural(count, 'error') : `${formatCount(count)} ${label}`,
    );
  const listed = formatPlural(all, attempts > 1 ? 'trial' : 'question');
  return parts.length === 0 ? 'No question matches.' : `${listed} listed: ${parts.join(' · ')}`;
}

const indent = 4;
const gap = 3;
/** The least width of a column; with less space the verdicts are shown below each other. */
const leastColumn = 28;
const longestExplanation = 2000;

/** Formats the questions of each kind of disagreement in full, with the two verdicts side by side. */
async function* disagreementListing(
  input: ReportInput,
  disagreements: readonly Disagreement[],
  view: ReportView,
): AsyncGenerator<Line> {
  for (const disagreement of disagreements) {
    yield* [[], ...kindLines(disagreement, view.width, { countWidth: 0, named: 0 })];
    for await (const [contradiction, result] of readContradictions(input, disagreement)) {
      yield* [[], ...headLine(contradiction, result, view.width)];
      yield* view.verbose ? verboseLines(input, result, view) : askedLines(result, view);
      yield* verdictLines(contradiction, result, view.width);
    }
    const others = disagreement.count - disagreement.widest.length;
    if (others > 0) yield* [[], othersLine(others)];
  }
}

function othersLine(others: number): Line {
  return [span(`  … and ${formatCount(others)} more with smaller differences; --json lists all`, 'quiet')];
}

function headLine(
  { caseId, target }: Contradiction,
  { case: { category }, trial }: Result,
  width: number,
): Line[] {
  const facts = [
    [whole(caseId, 'strong')],
    [whole(target)],
    ...(category === undefined ? [] : [[whole(category, 'quiet')]]),
    ...(trial.attempt > 1 ? [[whole(`attempt ${trial.attempt}`, 'quiet')]] : []),
  ];
  return indented(joined(facts), width, 2);
}

/** Formats the two verdicts side by side, or below each other when the width is too small. */
function verdictLines({ high, low }: Contradiction, result: Result, width: number): Line[] {
  const half = Math.floor((width - indent - gap) / 2);
  const columnWidth = half < leastColumn ? width - indent : half;
  const [left, right] = [high, low].map((side) => verdictColumn(side, result, columnWidth)) as [
    Line[],
    Line[],
  ];
  const start = span(' '.repeat(indent));
  if (half < leastColumn) return [...left, ...right].map((line) => [start, ...line]);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row): Line => {
    const line = left[row] ?? [];
    const fill = span(' '.repeat(Math.max(0, columnWidth - lineWidth(line))));
    return [start, ...line, fill, span(' │ ', 'quiet'), ...(right[row] ?? [])];
  });
}

function verdictColumn(
  { metric, value }: Contradiction['high'],
  { verdicts }: Result,
  width: number,
): Line[] {
  const verdict = verdicts[metric];
  const explanation = verdict?.status === 'scored' ? (verdict.explanation ?? '') : '';
  const [name = '', ...rest] = wrap(metric, Math.max(8, width - 9));
  const words = wrap(firstUnits(explanation, longestExplanation), width);
  return [
    [span(formatPercent(value).padStart(7), shareTone(value)), span('  '), span(name, 'strong')],
    ...rest.map((line) => [span(' '.repeat(9)), span(line, 'strong')]),
    ...words.filter((line) => line !== '').map((line) => [span(line, 'quiet')]),
  ];
}

/** Returns the note that the report lists a part of a run, while its scores are those of the whole run. */
function narrowingNote(narrowing: string): string {
  return `Only a part of the run is listed: ${narrowing}. The scores are for the whole run.`;
}
