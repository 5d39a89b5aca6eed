import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatPlural } from '../../report/format.ts';
import { type Block, heading, paragraph, rule, section, note } from '../blocks/block.ts';
import { name, span, type Text } from '../blocks/text.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import {
  adviceBlocks,
  certaintyBlock,
  correlationBlocks,
  disagreementBlocks,
  judgeBlock,
  judgedMetricBlocks,
  troubleBlock,
} from './advice.ts';
import { decisionBlocks } from './decision.ts';
import { categoryBlocks, categoryMetricBlocks, componentBlocks, extraTable } from './metric-tables.ts';
import {
  criterionTable,
  intervalBlock,
  labelBlocks,
  noiseBlocks,
  outcomeTable,
  reliabilityBlocks,
  sharedIntervalBlock,
} from './outcome-tables.ts';
import { firstMeans, headlineOf, outcomeBlocks, usageBlock, weightedBlock } from './overview.ts';
import { attackBlocks } from './attacks.ts';
import { robustnessBlocks } from './comparison.ts';
import { showHint } from './title.ts';

/** Returns whether a view shows n, coverage and method of every number. */
function showsMethods({ verbose, methods }: ReportView): boolean {
  return verbose || methods === true;
}

/** Lays out the numbers of a target, before its questions. */
export function targetSections(reported: ReportedTarget, { verbose }: ReportView): Block[] {
  const { run, target } = reported;
  const isDetailed = verbose || run.scorecard === null;
  return [
    section(heading(2, [name(target.target, 'strong')]), paragraph(headlineOf(run, target))),
    section(...outcomeBlocks(reported), weightedBlock(reported), usageBlock(reported)),
    section(outcomeTable(reported)),
    section(criterionTable(reported)),
    section(...reliabilityBlocks(reported)),
    section(...noiseBlocks(reported)),
    section(...componentBlocks(reported)),
    section(extraTable(reported), ...labelBlocks(reported)),
    section(...categoryBlocks(reported)),
    section({
      kind: 'folded',
      title: 'Metrics by category',
      blocks: categoryMetricBlocks(reported),
      isHidden: !isDetailed,
    }),
  ];
}

/** Lays out what a target's numbers mean, after its questions. */
export function conclusionSections(reported: ReportedTarget, view: ReportView): Block[] {
  return [
    section(...adviceBlocks(reported)),
    section(certaintyBlock(reported)),
    ...(showsMethods(view) ? [section(intervalBlock(reported.run, reported.target))] : []),
  ];
}

/** Lays out what concerns a run as a whole. */
export function overallSections(input: ReportInput, plain: ReportInput, view: ReportView): Block[] {
  return [
    section(...attackBlocks(input)),
    section(...robustnessBlocks(input)),
    section(...judgedMetricBlocks(input.summary)),
    section(judgeBlock(input.summary)),
    section(troubleBlock(input.run)),
    section(...disagreementBlocks(input)),
    ...(view.verbose ? [section(...correlationBlocks(input))] : []),
    ...(showsMethods(view) ? [section(sharedIntervalBlock(plain.summary))] : []),
  ];
}

const mostTargets = 8;
const widestName = 30;

/**
 * Lays out the end of the report, which the user of a terminal sees first after a run: commands for more detail, the score of
 * each target once more, and the decision of the gate with its reasons.
 */
export function closingSections(
  input: ReportInput,
  targets: readonly ReportedTarget[],
  { verbose }: ReportView,
): Block[] {
  const { run, summary } = input;
  const [first] = targets.flatMap(({ findings }) => [...findings.unresolved, ...findings.rows]);
  const hasUnresolved = targets.some(({ findings }) => findings.unresolved.length > 0);
  const hint = (what: string, flags: string) => showHint(input, { lead: what.padEnd(15), flags, indent: 0 });
  const all = hint(
    hasUnresolved ? 'Not passed:' : 'Every answer:',
    hasUnresolved ? '--failed --verbose' : '--verbose',
  );
  return [
    section(
      rule,
      ...(verbose ? [] : [all]),
      ...(first === undefined
        ? []
        : [hint(verbose ? 'In full:' : 'One of them:', `--case ${quoteForShell(first.id)}`)]),
    ),
    section(...scoreBlocks(run, summary.targets), ...decisionBlocks(run, summary.decision)),
  ];
}

function scoreBlocks(run: Run, targets: readonly TargetSummary[]): Block[] {
  const shown = targets.slice(0, mostTargets);
  const widest = Math.max(...shown.map(({ target }) => displayWidth(shorten(target, widestName))));
  const rest = targets.length - shown.length;
  return [
    ...shown.map((target) => {
      const title = name(target.target, 'strong', widestName);
      const mark = [title, span(' '.repeat(widest - displayWidth(title.text) + 2))];
      return paragraph([...headlineOf(run, target), ...metricsOf(run, target)], { mark, indent: 0 });
    }),
    note(rest > 0 ? `… and ${formatPlural(rest, 'more target')} above` : '', { indent: 0 }),
  ];
}

/** Returns the means of the first metrics for a run without a scorecard, which has no score. */
function metricsOf(run: Run, target: TargetSummary): Text {
  if (run.scorecard !== null) return [];
  return firstMeans(target).flatMap((mean) => [
    { text: ' · ', tone: 'quiet' as const, isGlue: true },
    ...mean,
  ]);
}
