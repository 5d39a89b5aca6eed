import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { displayWidth, shorten } from '../../core/lib/text/terminal-text.ts';
import { collectFindings, type ReportedTarget } from '../report/findings.ts';
import { formatPlural, formatQuantity } from '../report/format.ts';
import { decisionWarnings } from '../report/judged-rates.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { Decision } from '../../core/schema/decision.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import {
  adviceLines,
  certaintyLines,
  correlationLines,
  disagreementLines,
  judgedMetricLines,
  judgeLines,
  sequentialLines,
  troubleLines,
} from './terminal/advice-lines.ts';
import { comparisonLines, robustnessLines } from './terminal/comparison.ts';
import { flow } from './terminal/flow.ts';
import { type Line, lineWidth, renderLine, span, type Tone, whole } from './terminal/line.ts';
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
import { headlineLines, headlineOf, outcomeLines, usageLines, weightedLines } from './terminal/overview.ts';
import { questionLines } from './terminal/question-lines.ts';
import { commandLines, rule, titleLines } from './terminal/title.ts';
import { verboseLines } from './terminal/verbose-lines.ts';

const narrowest = 40;
const widest = 200;

/** The terminal reporter. Its lines are never wider than the terminal, and no text in them can control the terminal. */
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
  const showsMethods = view.verbose || view.methods === true;
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
      showsMethods ? intervalLines(reported.run, reported.target, width) : [],
    ]);
  }
  const overall = [
    robustnessLines(input, width),
    judgedMetricLines(input.summary, width),
    judgeLines(input.summary, width),
    troubleLines(input.run, width),
    disagreementLines(input, width),
    view.verbose ? correlationLines(input, width) : [],
    showsMethods ? sharedIntervalLines(plain.summary, width) : [],
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

const mostTargets = 8;
const mostMetrics = 4;
const widestName = 30;
const mostReasons = 12;
const longestReason = 600;

const outcomes = {
  pass: ['PASS', 'good'],
  fail: ['FAIL', 'bad'],
  inconclusive: ['INCONCLUSIVE', 'fair'],
  'not-measured': ['NOT MEASURED', 'fault'],
} as const satisfies Record<Decision['outcome'], readonly [string, Tone]>;

/**
 * Formats the end of the report, which the user sees first after a run: commands for more detail, the score of each target
 * once more, and the decision of the gate with its reasons.
 */
function closingLines(input: ReportInput, targets: readonly ReportedTarget[], view: ReportView): Line[] {
  const { run, summary } = input;
  const { width } = view;
  const [first] = targets.flatMap(({ findings }) => [...findings.unresolved, ...findings.rows]);
  const hasUnresolved = targets.some(({ findings }) => findings.unresolved.length > 0);
  const flags = hasUnresolved ? '--failed --verbose' : '--verbose';
  return [
    rule(width),
    ...(view.verbose ? [] : hintLines(input, hasUnresolved ? 'Not passed:' : 'Every answer:', flags, width)),
    ...(first === undefined
      ? []
      : hintLines(
          input,
          view.verbose ? 'In full:' : 'One of them:',
          `--case ${quoteForShell(first.id)}`,
          width,
        )),
    [],
    ...closingScores(run, summary.targets, width),
    ...decisionLines(run.gate, summary.decision, width),
    ...warningLines(summary.decision, width),
  ];
}

function closingScores(run: Run, targets: readonly TargetSummary[], width: number): Line[] {
  const shown = targets.slice(0, mostTargets);
  const widest = Math.max(...shown.map(({ target }) => displayWidth(shorten(target, widestName))));
  const rest = targets.length - shown.length;
  return [
    ...shown.flatMap((target) => {
      const name = shorten(target.target, widestName);
      const first = [span(name, 'strong'), span(' '.repeat(widest - displayWidth(name) + 2))];
      return flow([...headlineOf(run, target), ...metricsOf(run, target)], { width, first });
    }),
    ...(rest > 0 ? [[span(`… and ${formatPlural(rest, 'more target')} above`, 'quiet')]] : []),
  ];
}

/** Formats the warnings of the gate: judges without a certificate that it rests on. */
function warningLines(decision: Decision, width: number): Line[] {
  const first = [span('WARNING', 'fair'), span('  ')];
  return decisionWarnings(decision)
    .slice(0, mostReasons)
    .flatMap((warning) => flow([span(shorten(warning, longestReason))], { width, first }));
}

/** Returns the means of the first metrics for a run without a scorecard, which has no score. */
function metricsOf(run: Run, { metrics }: TargetSummary): Line {
  if (run.scorecard !== null) return [];
  return metrics
    .filter(({ estimate }) => estimate.value !== null)
    .slice(0, mostMetrics)
    .flatMap(({ metric, unit, estimate: { value } }) => [
      { text: ' · ', tone: 'quiet' as const, isGlue: true },
      whole(`${metric} ${value === null ? '' : formatQuantity(value, unit)}`, 'strong'),
    ]);
}

/** Formats the end of a report of a part: the command that shows the whole run. */
function narrowedClosing(input: ReportInput, width: number): Line[] {
  return [rule(width), ...hintLines(input, 'The whole run:', '', width)];
}

function hintLines(input: ReportInput, what: string, flags: string, width: number): Line[] {
  return commandLines(input, { lead: what.padEnd(15), flags }, width);
}

function decisionLines({ failUnder }: Gate, { outcome, reasons, rules }: Decision, width: number): Line[] {
  const isUngated = outcome === 'pass' && failUnder === undefined && rules === undefined;
  // Without a gate there is no decision to show.
  if (isUngated && reasons.length === 0) return [];
  const [label, tone] = isUngated ? (['DONE', 'strong'] as const) : outcomes[outcome];
  const first = [span(label, tone), span('  ')];
  if (reasons.length === 0) return [first];
  return reasons.slice(0, mostReasons).flatMap((reason, index) => {
    const start = index === 0 ? first : [span(' '.repeat(lineWidth(first)))];
    return flow([span(shorten(reason, longestReason))], { width, first: start });
  });
}
