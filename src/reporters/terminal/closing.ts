import { displayWidth, quoteForShell, shorten } from '../../lib/text/terminal-text.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatPlural, formatQuantity } from '../../report/format.ts';
import type { Gate, Run } from '../../schema/run.ts';
import type { Decision, TargetSummary } from '../../schema/summary.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { flow } from './flow.ts';
import { type Line, lineWidth, span, type Tone, whole } from './line.ts';
import { headlineOf } from './overview.ts';
import { commandLines, rule } from './title.ts';

const mostTargets = 8;
const mostMetrics = 4;
const widestName = 30;
const mostReasons = 12;
const longestReason = 400;

const outcomes = {
  pass: ['PASS', 'good'],
  fail: ['FAIL', 'bad'],
  inconclusive: ['INCONCLUSIVE', 'fair'],
  'not-measured': ['NOT MEASURED', 'fault'],
} as const satisfies Record<Decision['outcome'], readonly [string, Tone]>;

/**
 * The end of the report, where the eye rests after a run: where to read on, then the score of each target again, and what
 * the gate decided and why. Nothing comes after these.
 */
export function closingLines(
  input: ReportInput,
  targets: readonly ReportedTarget[],
  view: ReportView,
): Line[] {
  const { run, summary } = input;
  const { width } = view;
  const [first] = targets.flatMap(({ findings }) => [...findings.unresolved, ...findings.rows]);
  const hasUnresolved = targets.some(({ findings }) => findings.unresolved.length > 0);
  const [every, one] = hasUnresolved ? ['--failed --verbose', 'One of them:'] : ['--verbose', 'One of them:'];
  return [
    rule(width),
    ...(view.verbose ? [] : wayOn(input, hasUnresolved ? 'Not passed:' : 'Every answer:', every, width)),
    ...(first === undefined
      ? []
      : wayOn(input, view.verbose ? 'In full:' : one, `--case ${quoteForShell(first.id)}`, width)),
    [],
    ...scoresAgain(run, summary.targets, width),
    ...decisionLines(run.gate, summary.decision, width),
  ];
}

function scoresAgain(run: Run, targets: readonly TargetSummary[], width: number): Line[] {
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

/** Without a scorecard there is no score: the first metrics say how it went. */
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

/** The end of the report of a part: where the whole is. */
export function narrowedClosing(input: ReportInput, width: number): Line[] {
  return [rule(width), ...wayOn(input, 'The whole run:', '', width)];
}

function wayOn(input: ReportInput, what: string, flags: string, width: number): Line[] {
  return commandLines(input, { lead: what.padEnd(15), flags }, width);
}

function decisionLines({ failUnder }: Gate, { outcome, reasons, rules }: Decision, width: number): Line[] {
  const isUngated = outcome === 'pass' && failUnder === undefined && rules === undefined;
  // What nobody asked to be decided is no decision.
  if (isUngated && reasons.length === 0) return [];
  const [word, tone] = isUngated ? (['DONE', 'strong'] as const) : outcomes[outcome];
  const first = [span(word, tone), span('  ')];
  if (reasons.length === 0) return [first];
  return reasons.slice(0, mostReasons).flatMap((reason, index) => {
    const start = index === 0 ? first : [span(' '.repeat(lineWidth(first)))];
    return flow([span(shorten(reason, longestReason))], { width, first: start });
  });
}
