import { getOrCreate } from '../../../core/lib/objects.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import { isUnresolved, type Outcome, outcomeOfTrial } from '../../../core/schema/result.ts';
import { createErrorReportTest, type Run } from '../../../core/schema/run.ts';
import type { ChosenTrials, Selection } from '../../../core/schema/selection.ts';
import { isTargetError } from '../../../core/schema/trial.ts';

/** Largest number of a run's trials that a report shows completely; of more, it shows those that did not pass. */
const mostRows = 60;

/** Largest number of annotations in a step of GitHub Actions. */
const mostQuestions = 10;

/** Returns how many trials of a target a report shows in full: fewer with more targets. */
function limitsOf({ targets: all }: Run) {
  const targets = withoutConditions(all).length;
  return {
    rows: Math.floor(mostRows / targets),
    unresolved: Math.min(40, Math.max(10, Math.floor(80 / targets))),
    errors: Math.ceil(500 / targets),
    shortfalls: Math.ceil(1000 / targets),
  };
}

/**
 * Creates the selection of a target's trials that a report shows in full, from their outcomes in the order of the
 * plan.
 */
export function createTrialSelection(run: Run) {
  const limits = limitsOf(run);
  const isErrorReport = createErrorReportTest(run);
  const all = createChosen(limits.rows);
  const unresolved = createChosen(limits.unresolved);
  const questions = createChosen(mostQuestions);
  const errors = createChosen(limits.errors);
  const shortfalls = createShortfalls(limits.shortfalls);
  let lastUnresolved: string | undefined;
  return {
    add: (outcome: Outcome): void => {
      const { trial } = outcome;
      const { ordinal, caseId } = trial;
      all.add(ordinal);
      if (isUnresolved(outcomeOfTrial(run, outcome))) {
        unresolved.add(ordinal);
        // Attempts at a question are adjacent.
        if (caseId !== lastUnresolved) questions.add(ordinal);
        lastUnresolved = caseId;
      }
      if (isTargetError(trial) || isErrorReport(outcome)) errors.add(ordinal);
      if (trial.status === 'completed') shortfalls.add(outcome);
    },
    summarize: (): Selection => ({
      all: all.summarize(),
      unresolved: unresolved.summarize(),
      questions: questions.summarize(),
      errors: errors.summarize(),
      ...shortfalls.summarize(),
    }),
  };
}

/** Creates a count of trials that keeps the places of the first ones. */
function createChosen(most: number) {
  const ordinals: number[] = [];
  let count = 0;
  return {
    add: (ordinal: number): void => {
      count += 1;
      if (ordinals.length < most) ordinals.push(ordinal);
    },
    summarize: (): ChosenTrials => ({ count, ordinals }),
  };
}

/** Creates a tally of the answers that fell short. */
function createShortfalls(most: number) {
  const shortfalls = createChosen(most);
  const unmeasured = new Map<string, number>();
  const lowest = new Map<string, ReturnType<typeof createLowest>>();
  const lowestInCategory = new Map<string, ReturnType<typeof createLowest>>();

  /** Adds the verdicts on an answer; returns whether it fell short by any metric. */
  function addVerdicts({ trial: { caseId }, verdicts }: Outcome): boolean {
    let isShort = false;
    for (const metric in verdicts) {
      const verdict = verdicts[metric];
      if (verdict?.status === 'failed') {
        isShort = true;
        unmeasured.set(metric, (unmeasured.get(metric) ?? 0) + 1);
      } else if (verdict?.status === 'scored' && verdict.unit === undefined && verdict.value < 1) {
        isShort = true;
        getOrCreate(lowest, metric, createLowest).add(caseId, verdict.value);
      }
    }
    return isShort;
  }

  return {
    add: (outcome: Outcome): void => {
      if (addVerdicts(outcome)) shortfalls.add(outcome.trial.ordinal);
      const total = outcome.scorecard?.total ?? null;
      if (total === null || total >= 1) return;
      const category = outcome.case.category ?? uncategorized;
      getOrCreate(lowestInCategory, category, createLowest).add(outcome.trial.caseId, total);
    },
    summarize: (): Pick<Selection, 'shortfalls' | 'unmeasured' | 'lowest' | 'lowestInCategory'> => ({
      shortfalls: shortfalls.summarize(),
      unmeasured: Array.from(unmeasured, ([metric, count]) => ({ metric, count })),
      lowest: Array.from(lowest, ([metric, ids]) => ({ metric, ids: ids.ids() })),
      lowestInCategory: Array.from(lowestInCategory, ([category, ids]) => ({ category, ids: ids.ids() })),
    }),
  };
}

const most = 3;

/** Creates a list of the few questions with the lowest values; of equals, the first comes first. */
export function createLowest() {
  let kept: { readonly id: string; readonly value: number }[] = [];
  return {
    /** Adds a question with its value; of several values of a question the lowest counts. */
    add: (id: string, value: number): void => {
      const highest = kept.length < most ? Infinity : (kept.at(-1)?.value ?? Infinity);
      if (value >= highest || kept.some((other) => other.id === id && other.value <= value)) return;
      const others = kept.filter((other) => other.id !== id);
      kept = [...others, { id, value }].toSorted((a, b) => a.value - b.value).slice(0, most);
    },
    /** Returns the ids, lowest first. */
    ids: (): string[] => kept.map(({ id }) => id),
  };
}
