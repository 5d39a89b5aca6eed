import { withoutConditions } from '../schema/condition.ts';
import type { DecisionRow, RunProgress, RunRow, RunState } from '../schema/api/run-row.ts';
import type { Run } from '../schema/run.ts';
import type { Summary } from '../schema/summary.ts';

/** The state of a run, in a word or two. */
export const stateWords: Readonly<Record<RunState, string>> = {
  planning: 'planning',
  running: 'running',
  completed: 'completed',
  interrupted: 'interrupted',
  'never-started': 'never started',
  importing: 'importing',
  'not-imported': 'not imported',
};

/**
 * Returns the state of a run from its record and its process.
 * @param isEnded - True when the process of the run has died.
 */
export function runState({ status, isImporting }: Run, isEnded: boolean): RunState {
  if (isImporting === true) return isEnded ? 'not-imported' : 'importing';
  if (!isEnded) return status;
  return status === 'planning' ? 'never-started' : 'interrupted';
}

/** Returns the decision of a run's gate; a run without a gate of its own passes, which decides nothing. */
export function decisionRow(
  { gate }: Pick<Run, 'gate'>,
  { decision }: Pick<Summary, 'decision'>,
): DecisionRow {
  const { outcome, reasons, rules } = decision;
  const isUngated = outcome === 'pass' && gate.failUnder === undefined && rules === undefined;
  return { outcome, isGated: !isUngated || reasons.length > 0 };
}

/** Adds the reported costs of targets, judges and simulated users in US dollars; null when none was reported. */
function totalCost({ targets, judge }: Pick<Summary, 'targets' | 'judge'>): number | null {
  const sums = [
    ...targets.flatMap(({ usage: { cost, users, rewriting } }) => [cost, users?.cost, rewriting?.cost]),
    judge?.cost,
  ].flatMap((total) => total?.sum ?? []);
  return sums.length === 0 ? null : sums.reduce((sum, cost) => sum + cost, 0);
}

/** Returns the row of a run in the list of runs. */
export function makeRunRow(run: Run, state: RunState, progress?: RunProgress): RunRow {
  const { id, createdAt, finishedAt, description, git, continues, rescoredFrom, attempts, summary } = run;
  const { sources, cases, hash } = run.dataset;
  return {
    id,
    state,
    createdAt,
    ...(finishedAt !== undefined && { finishedAt }),
    ...(description !== undefined && { description }),
    ...(git !== undefined && { git }),
    ...(continues !== undefined && { continues }),
    ...(rescoredFrom !== undefined && { rescoredFrom }),
    dataset: { sources, cases, hash },
    attempts,
    hasScorecard: run.scorecard !== null,
    targets: targetRows(run),
    decision: summary === undefined ? null : decisionRow(run, summary),
    cost: summary === undefined ? null : totalCost(summary),
    ...(progress !== undefined && { progress }),
  };
}

function targetRows({ targets, summary, dataset: { cases }, attempts }: Run): RunRow['targets'] {
  return withoutConditions(targets).map(({ name }) => {
    const of = summary?.targets.find(({ target }) => target === name);
    if (of === undefined) return { target: name, score: null, measured: 0, needed: cases * attempts };
    const { planned, measured, notNeeded = 0 } = of.counts;
    return { target: name, score: of.score, measured, needed: planned - notNeeded };
  });
}
