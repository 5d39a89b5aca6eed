import { describeUnchecked, type Run } from '../../core/schema/run.ts';
import type { TargetSummary, TrialCounts } from '../../core/schema/summary.ts';
import { formatCount, formatEffective, formatPlural, formatPoints } from './format.ts';
import { describeFailedAgain, formatScore, judgeParts } from './score-in-words.ts';

/** The part of a run that a headline needs. */
type HeadlineRun = Pick<Run, 'scorecard' | 'dataset' | 'metrics' | 'unread'>;

/**
 * Returns the parts of a target's headline in order; the first is the score with its interval. Missing measurements
 * are named, with the range of the score if they had all been at their worst or best, and so are expectations that no
 * metric reads.
 */
export function headlineParts(target: TargetSummary, run?: HeadlineRun): string[] {
  const { measured, planned, notNeeded = 0 } = target.counts;
  const n = `n = ${formatCount(measured)}/${formatCount(planned - notNeeded)}`;
  const { failedAgain } = target;
  if (failedAgain !== undefined) return [describeFailedAgain(failedAgain), ...missingParts(target, run)];
  if (run?.scorecard === null) return ['no scorecard', n, ...missingParts(target, run)];
  return [formatScore(target), ...judgeParts(target), n, ...otherParts(target, run)];
}

/**
 * Returns the parts of a target's headline after its score: what its judge says where people would say something else, what was
 * not measured, what that could change, and what no metric reads; empty when there is nothing to add.
 */
export function missingParts(target: TargetSummary, run?: HeadlineRun): string[] {
  return [...judgeParts(target), ...otherParts(target, run)];
}

function otherParts(target: TargetSummary, run?: HeadlineRun): string[] {
  const { counts } = target;
  const { notNeeded = 0 } = counts;
  const parts = [
    ...weightPart(target, run),
    ...errorPart(target),
    ...notMeasuredPart(counts),
    ...(counts.cancelled > 0 ? [`${formatCount(counts.cancelled)} cancelled`] : []),
    ...(counts.notRun > 0 ? [`${formatCount(counts.notRun)} not run`] : []),
    ...(notNeeded > 0 ? [`${formatCount(notNeeded)} not needed`] : []),
  ];
  if (counts.measured < counts.planned - notNeeded) {
    if (target.worstCase !== null) parts.push(`worst case ${formatPoints(target.worstCase)}`);
    if (target.bestCase !== null) parts.push(`best case ${formatPoints(target.bestCase)}`);
  }
  return [...parts, ...(run === undefined ? [] : unreadParts(target, run))];
}

/** Names what a case expects and no metric reads, and tool calls in replies that nothing reads. */
export function unreadParts(target: TargetSummary, run: HeadlineRun): string[] {
  return [...describeUnchecked(run), ...unreadCalls(target, run)];
}

/**
 * Counts the outcomes of a target in everyday words, as they stand below its score: `8 passed`, `2 failed`, `0 errors`. What was
 * not measured, or not asked, is always named.
 */
export function countParts({ counts, reliability }: TargetSummary, run: Pick<Run, 'scorecard'>): string[] {
  const { passed, failed, errors, errorReports, measured, notMeasured, cancelled, notRun } = counts;
  const rule = reliability?.rule;
  const judged =
    run.scorecard === null
      ? [formatPlural(measured, 'answer')]
      : rule === undefined
        ? [`${formatCount(passed)} passed`, `${formatCount(failed)} failed`]
        : [`${formatPlural(rule.passed, 'question')} passed`, `${formatCount(rule.failed)} failed`];
  const notAsked = cancelled + notRun;
  return [
    ...judged,
    formatPlural(errors, 'error'),
    ...(errorReports === 0 ? [] : [`${formatPlural(errorReports, 'answer')} with an error in it`]),
    ...(rule === undefined || rule.undecided === 0 ? [] : [`${formatCount(rule.undecided)} undecided`]),
    ...(notMeasured === 0 ? [] : [`${formatCount(notMeasured)} not measured`]),
    ...(notAsked === 0 ? [] : [`${formatCount(notAsked)} not asked`]),
  ];
}

/** Says that means are weighted, with the number of cases of equal weight that would say as much. */
function weightPart({ score }: TargetSummary, run: HeadlineRun | undefined): string[] {
  const ofRun = score.n === 0 ? run?.dataset.caseWeights?.effectiveCases : undefined;
  const effective = score.effectiveCases ?? ofRun;
  return effective === undefined ? [] : [`weighted, effective n ${formatEffective(effective)}`];
}

/**
 * Describes what looks like tool calls in replies and is read by nothing, with the setting that reads it; nothing where
 * no tool metric misses the calls.
 */
function unreadCalls({ unreadKeys = [], metrics }: TargetSummary, run: HeadlineRun): string[] {
  const ofTools = new Set(run.metrics.flatMap(({ name, family }) => (family === 'tools' ? [name] : [])));
  const isMissed = metrics.some(({ metric, failed }) => ofTools.has(metric) && failed > 0);
  if (!isMissed) return [];
  return unreadKeys.flatMap(({ callsAt, trials }) =>
    callsAt === undefined || !/^[\w.$-]{1,100}$/.test(callsAt)
      ? []
      : [
          `what looks like tool calls in ${formatPlural(trials, 'reply', 'replies')} is not read: set \`toolCalls: ${callsAt}\``,
        ],
  );
}

/** Counts errors of any kind: failed calls, and answers that are error reports. */
export function errorCount({ errors, errorReports }: TrialCounts): number {
  return errors + errorReports;
}

/**
 * Names the kinds of errors where there are answers that report one: these are also among the passed and failed answers,
 * unlike failed calls. Undefined where there are none.
 */
export function errorKinds({ errors, errorReports }: TrialCounts): string | undefined {
  if (errorReports === 0) return undefined;
  return `${formatPlural(errors, 'failed call')}, ${formatPlural(errorReports, 'error report')} for an answer`;
}

/**
 * Counts the trials for which it is known whether they ended in an error of the target; the error rate is based on
 * them.
 */
export function calledCount(counts: TrialCounts): number {
  const { planned, notRun, notNeeded = 0, cancelled, spoilt = 0, notRecorded = 0, untaken = 0 } = counts;
  return planned - notRun - notNeeded - cancelled - spoilt - notRecorded - untaken;
}

function errorPart({ counts }: TargetSummary): string[] {
  return counts.errors > 0 ? [formatPlural(counts.errors, 'error')] : [];
}

/**
 * Describes the trials that were not measured, with the reasons that do not count against the target: an invalid
 * trial, a missing recording, or a case without expectations.
 */
function notMeasuredPart({
  notMeasured,
  spoilt = 0,
  notRecorded = 0,
  untaken = 0,
  unchecked = 0,
}: TrialCounts): string[] {
  if (notMeasured === 0) return [];
  const reasons = [
    ...(spoilt === 0 ? [] : [`${formatCount(spoilt)} invalidated by the simulated user`]),
    ...(untaken === 0 ? [] : [`${formatCount(untaken)} with files that it does not take`]),
    ...(notRecorded === 0 ? [] : [`${formatCount(notRecorded)} without a recorded answer`]),
    ...(unchecked === 0 ? [] : [`${formatCount(unchecked)} with nothing to check`]),
  ];
  const count = `${formatCount(notMeasured)} not measured`;
  return [reasons.length === 0 ? count : `${count} (${reasons.join(', ')})`];
}
