import { isUnresolved, type TrialOutcome } from '../../../core/schema/result.ts';
import type { TrialRow } from '../../../core/schema/api/trial-row.ts';
import type { Run } from '../../../core/schema/run.ts';
import { mergeOutcomes } from '../../../core/trials/merge-outcomes.ts';
import { failsForAll } from './failed-questions.ts';

/** A question in a list with the answers of all targets. */
export interface ListedQuestion {
  readonly position: number;
  readonly id: string;
  readonly text: string;
  /** The outcome for each target, in the order of the run; undefined where it was not asked. */
  readonly rows: readonly (TrialOutcome | undefined)[];
  /** The lowest total of its first attempts; null without one. */
  readonly total: number | null;
  /** The outcomes of all attempts. */
  readonly attempts: readonly TrialOutcome[];
  /** The places in the plan of its attempts: those that did not pass come before those that did. */
  readonly toOpen: readonly number[];
  readonly isUnresolved: boolean;
  /** True when it failed for each of several targets. */
  readonly failsForAll: boolean;
}

/** The rows of a list, one for each question and target. */
interface ListedRows {
  /** The rows that a filter selects, in the order of the list. */
  readonly listed: readonly TrialRow[];
  /** All rows, from which come the answers of the other targets. */
  readonly all: readonly TrialRow[];
  /** True when the order was chosen; otherwise the worst come first. */
  readonly isSorted: boolean;
}

/** The part of a run that a list needs. */
type ListedRun = Pick<Run, 'targets' | 'attempts' | 'caseRule'>;

/** Joins the rows of a list that belong to one question, the worst question first unless an order was chosen. */
export function groupByQuestion(run: ListedRun, { listed, all, isSorted }: ListedRows): ListedQuestion[] {
  const groups = Map.groupBy(all, ({ position }) => position);
  const positions = new Set(listed.map(({ position }) => position));
  const questions = Array.from(positions).flatMap((position) => joinRows(run, groups.get(position) ?? []));
  return isSorted ? questions : questions.toSorted(compareQuestions);
}

function joinRows(run: ListedRun, rows: readonly TrialRow[]): ListedQuestion[] {
  const [first] = rows;
  if (first === undefined) return [];
  const attempts = rows.flatMap(({ ordinal, attempts: outcomes }) =>
    outcomes.flatMap((outcome, index) =>
      outcome === null ? [] : [{ ordinal: ordinal - (ordinal % outcomes.length) + index, outcome }],
    ),
  );
  const outcomes = run.targets.map(({ name }) => {
    const row = rows.find(({ target }) => target === name);
    const made = row?.attempts.filter((outcome) => outcome !== null) ?? [];
    return made.length === 0 ? undefined : mergeOutcomes(made, run.attempts, run.caseRule);
  });
  const totals = rows.flatMap(({ total }) => total ?? []);
  const failed = attempts.filter(({ outcome }) => isUnresolved(outcome));
  const others = attempts.filter(({ outcome }) => !isUnresolved(outcome));
  const question: ListedQuestion = {
    position: first.position,
    id: first.caseId,
    text: first.question,
    rows: outcomes,
    total: totals.length === 0 ? null : Math.min(...totals),
    attempts: attempts.map(({ outcome }) => outcome),
    toOpen: [...failed, ...others].map(({ ordinal }) => ordinal),
    isUnresolved: failed.length > 0,
    failsForAll: failsForAll({ outcomes: outcomes.map((outcome) => outcome ?? null) }),
  };
  return [question];
}

function compareQuestions(one: ListedQuestion, other: ListedQuestion): number {
  if (one.isUnresolved !== other.isUnresolved) return one.isUnresolved ? -1 : 1;
  const [a, b] = [one.total ?? 2, other.total ?? 2];
  return Number(other.failsForAll) - Number(one.failsForAll) || a - b || one.position - other.position;
}
