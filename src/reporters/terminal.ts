import { collectFindings, type ReportedTarget } from '../report/findings.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import {
  adviceLines,
  certaintyLines,
  correlationLines,
  disagreementLines,
  judgeLines,
  sequentialLines,
  troubleLines,
} from './terminal/advice-lines.ts';
import { closingLines, narrowedClosing } from './terminal/closing.ts';
import { comparisonLines, robustnessLines } from './terminal/comparison.ts';
import { type Line, renderLine, span } from './terminal/line.ts';
import { categoryLines, categoryMetricLines, componentLines, extraLines } from './terminal/metric-tables.ts';
import { narrowedLines } from './terminal/narrowed.ts';
import {
  criterionTable,
  intervalLines,
  labelLines,
  noiseLines,
  outcomeTable,
  reliabilityLines,
  sharedIntervalLines,
} from './terminal/outcome-tables.ts';
import { headlineLines, outcomeLines, usageLines, weightedLines } from './terminal/overview.ts';
import { questionLines } from './terminal/question-lines.ts';
import { rule, titleLines } from './terminal/title.ts';
import { verboseLines } from './terminal/verbose-lines.ts';

const narrowest = 40;
const widest = 200;

/** The report that people read after a run. Never wider than the terminal; no text in it can steer the terminal. */
export const terminal: Reporter = {
  name: 'terminal',
  extensions: [],
  async *report(input, givenView) {
    const view = { ...givenView, width: usableWidth(givenView.width) };
    for await (const line of reportLines(input, view)) yield renderLine(line, view);
  },
};

function usableWidth(width: number): number {
  return Number.isFinite(width) ? Math.min(widest, Math.max(narrowest, Math.floor(width))) : 80;
}

async function* reportLines(input: ReportInput, view: ReportView): AsyncGenerator<Line> {
  const { width } = view;
  const tellsMethods = view.verbose || view.methods === true;
  yield* titleLines(input.run, width);
  if (input.narrowing !== undefined) {
    yield* narrowedLines(input, input.narrowing, view);
    yield* [[], ...narrowedClosing(input, width)];
    return;
  }
  yield* sequentialLines(input.summary.decision, width);
  const plain = ofPlainTargets(input);
  const targets = await collectFindings(plain);
  yield* comparisonLines(plain, width);
  for (const [index, reported] of targets.entries()) {
    if (index > 0) yield* [[], rule(width)];
    yield* sections(summarySections(reported, view));
    if (view.verbose) yield* verboseSection(input, reported, view);
    yield* sections([
      ...(view.verbose ? [] : [questionLines(reported, width)]),
      adviceLines(reported, width),
      certaintyLines(reported, width),
      tellsMethods ? intervalLines(reported.run, reported.target, width) : [],
    ]);
  }
  const overall = [
    robustnessLines(input, width),
    judgeLines(input.summary, width),
    troubleLines(input.run, width),
    disagreementLines(input, width),
    view.verbose ? correlationLines(input, width) : [],
    tellsMethods ? sharedIntervalLines(plain.summary, width) : [],
  ];
  yield* sections(overall);
  yield* [[], ...closingLines(plain, targets, view)];
}

function summarySections(reported: ReportedTarget, { width, verbose }: ReportView): Line[][] {
  const isDetailed = verbose || reported.run.scorecard === null;
  return [
    [[span(reported.target.target, 'strong')], ...headlineLines(reported, width)],
    [...outcomeLines(reported, width), ...weightedLines(reported, width), ...usageLines(reported, width)],
    outcomeTable(reported, width),
    criterionTable(reported, width),
    reliabilityLines(reported, width),
    noiseLines(reported, width),
    componentLines(reported, width),
    [...extraLines(reported, width), ...labelLines(reported, width)],
    categoryLines(reported, width),
    isDetailed ? categoryMetricLines(reported, width) : [],
  ];
}

function* sections(all: readonly Line[][]): Generator<Line> {
  for (const lines of all.filter(({ length }) => length > 0)) yield* [[], ...lines];
}

async function* verboseSection(
  input: ReportInput,
  { target }: ReportedTarget,
  view: ReportView,
): AsyncGenerator<Line> {
  for await (const result of input.results()) {
    if (result.trial.target !== target.target) continue;
    yield [];
    yield* verboseLines(input, result, view);
  }
}
