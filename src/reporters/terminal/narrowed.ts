import { markOf } from '../../schema/mark.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import { formatCount, formatPlural } from '../../report/format/format-number.ts';
import { narrowingNote } from '../../report/narrowing-note.ts';
import { questionRow } from '../../report/rows/question-row.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { disagreementListing } from './disagreement-listing.ts';
import { flow, indented } from './flow.ts';
import { type Line, span } from './line.ts';
import { headlineLines } from './overview.ts';
import { rowLines } from './question-lines.ts';
import { verboseLines } from './verbose-lines.ts';

/**
 * The report of a part of a run: that it is a part, the score of the whole, then every question of the part. What is drawn
 * from all questions together is left out, so that nobody takes it for the part's.
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
    counts[markOf(run, result)] += 1;
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
  const told = [
    [passed, 'passed'],
    [failed, 'failed'],
    [error, 'errors'],
    [notMeasured, 'not measured'],
    [unscored, 'without a score'],
  ] as const;
  const all = told.reduce((sum, [count = 0]) => sum + count, 0);
  const parts = told
    .filter(([count = 0]) => count > 0)
    .map(([count = 0, word]) =>
      word === 'errors' ? formatPlural(count, 'error') : `${formatCount(count)} ${word}`,
    );
  const listed = formatPlural(all, attempts > 1 ? 'trial' : 'question');
  return parts.length === 0 ? 'No question fits.' : `${listed} listed: ${parts.join(' · ')}`;
}
