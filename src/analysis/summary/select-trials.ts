import { entryOf } from '../../lib/objects.ts';
import { uncategorized } from '../../schema/case.ts';
import { withoutConditions } from '../../schema/condition.ts';
import { isUnresolved, markOf } from '../../schema/mark.ts';
import type { Outcome } from '../../schema/result.ts';
import { createErrorReportTest, type Run } from '../../schema/run.ts';
import type { ChosenTrials, Selection } from '../../schema/selection.ts';
import { isTargetError } from '../../schema/trial.ts';

/** Up to this many trials of a run, a report tells every one; beyond, only those that did not pass. */
const mostRows = 60;

/** As many annotations as there may be in a step of GitHub Actions. */
const mostQuestions = 10;

/** How many trials of a target a report looks at in full; the more targets, the less of each. */
function limitsOf({ targets: all }: Run) {
  const targets = withoutConditions(all).length;
  return {
    rows: Math.floor(mostRows / targets),
    unresolved: Math.min(40, Math.max(10, Math.floor(80 / targets))),
    errors: Math.ceil(500 / targets),
    shortfalls: Math.ceil(1000 / targets),
  };
}

/** Chooses what a report looks at in full among the trials of a target, from their outcomes in the order of the plan. */
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
      if (isUnresolved(markOf(run, outcome))) {
        unresolved.add(ordinal);
        // Attempts at a question follow each other.
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

/** Counts trials, and keeps the places of the first. */
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

/** Notes where answers fell short. */
function createShortfalls(most: number) {
  const shortfalls = createChosen(most);
  const unmeasured = new Map<string, number>();
  const lowest = new Map<string, ReturnType<typeof createLowest>>();
  const lowestInCategory = new Map<string, ReturnType<typeof createLowest>>();

  /** Says whether an answer fell short by a metric. */
  function addVerdicts({ trial: { caseId }, verdicts }: Outcome): boolean {
    let isShort = false;
    for (const metric in verdicts) {
      const verdict = verdicts[metric];
      if (verdict?.status === 'failed') {
        isShort = true;
        unmeasured.set(metric, (unmeasured.get(metric) ?? 0) + 1);
      } else if (verdict?.status === 'scored' && verdict.unit === undefined && verdict.value < 1) {
        isShort = true;
        entryOf(lowest, metric, createLowest).offer(caseId, verdict.value);
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
      entryOf(lowestInCategory, category, createLowest).offer(outcome.trial.caseId, total);
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

/** Keeps the few questions with the lowest values, the first of equals first. */
export function createLowest() {
  let kept: { readonly id: string; readonly value: number }[] = [];
  return {
    /** Offers a question with its value; of several values of a question the lowest counts. */
    offer: (id: string, value: number): void => {
      const highest = kept.length < most ? Infinity : (kept.at(-1)?.value ?? Infinity);
      if (value >= highest || kept.some((other) => other.id === id && other.value <= value)) return;
      const others = kept.filter((other) => other.id !== id);
      kept = [...others, { id, value }].toSorted((a, b) => a.value - b.value).slice(0, most);
    },
    /** The ids, lowest first. */
    ids: (): string[] => kept.map(({ id }) => id),
  };
}
