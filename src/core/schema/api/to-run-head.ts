import { withoutConditions } from '../condition.ts';
import { describeUnchecked, type Run } from '../run.ts';
import type { Summary, TargetSummary } from '../summary.ts';
import type { RunHead, TargetHead } from './run-head.ts';

/** Returns the part of a run that a list shows. */
export function toRunHead(run: Run): RunHead {
  const { id, status, createdAt, importedAt, finishedAt, description, continues, rescoredFrom } = run;
  const { name, note, tags, failedOf } = run;
  const { isImporting, isSent, git } = run;
  const { dataset, targets, attempts, scorecard, summary } = run;
  const unread = describeUnchecked(run);
  return {
    id,
    status,
    createdAt,
    importedAt,
    finishedAt,
    description,
    name,
    note,
    tags,
    failedOf,
    continues,
    rescoredFrom,
    isImporting,
    isSent,
    git,
    dataset: { sources: dataset.sources, hash: dataset.hash, cases: dataset.cases },
    targetCount: targets.length,
    attempts,
    targets: withoutConditions(targets).map(({ name }) => name),
    passMark: scorecard?.passMark ?? null,
    headlines: headlinesOf(run),
    decision: summary === undefined ? null : headOfDecision(run, summary),
    ...(unread.length > 0 && { unread }),
    cost: summary === undefined ? null : costOf(summary),
  };
}

function headlinesOf({ targets, summary }: Run): RunHead['headlines'] {
  if (summary === undefined) return null;
  const plain = new Set(withoutConditions(targets).map(({ name }) => name));
  return summary.targets.filter(({ target }) => plain.has(target)).map(toTargetHead);
}

/** Returns the headline of a target. */
export function toTargetHead(summary: TargetSummary): TargetHead {
  const { target, failedAgain, score, corrected, notCorrected, passRate, coverage, counts } = summary;
  const { planned, measured, errors, notNeeded = 0 } = counts;
  return {
    target,
    failedAgain,
    score,
    corrected,
    notCorrected,
    passRate,
    coverage,
    counts: { planned: planned - notNeeded, measured, errors },
  };
}

/** Returns the decision of a run's gate; a run without a gate of its own passes, which decides nothing. */
export function headOfDecision(
  { gate }: Pick<Run, 'gate'>,
  { decision }: Pick<Summary, 'decision'>,
): NonNullable<RunHead['decision']> {
  const { outcome, reasons, rules } = decision;
  const isUngated = outcome === 'pass' && gate.failUnder === undefined && rules === undefined;
  return { outcome, isGated: !isUngated || reasons.length > 0 };
}

/** Adds the reported costs of targets, judges and simulated users in US dollars; null when none was reported. */
function costOf({ targets, judge }: Summary): number | null {
  const sums = [
    ...targets.flatMap(({ usage: { cost, users, rewriting } }) => [cost, users?.cost, rewriting?.cost]),
    judge?.cost,
  ].flatMap((total) => total?.sum ?? []);
  return sums.length === 0 ? null : sums.reduce((sum, cost) => sum + cost, 0);
}
