import { uncategorized } from '../schema/case.ts';
import { createErrorReportTest } from '../schema/error-report.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { isTargetError } from '../schema/trial.ts';
import { markOf } from './question-row.ts';
import { entryOf, Lowest } from './tally.ts';

/** Places in the plan of the first trials of a kind, and how many there are in all. */
export class Chosen {
  readonly #ordinals = new Set<number>();
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a trial, and keeps its place if it is one of the first. */
  add(ordinal: number): void {
    this.#count += 1;
    if (this.#ordinals.size < this.#most) this.#ordinals.add(ordinal);
  }

  /** Whether a trial is one of those kept. */
  has(ordinal: number): boolean {
    return this.#ordinals.has(ordinal);
  }

  /** The places kept, in rising order. */
  get ordinals(): number[] {
    return [...this.#ordinals];
  }

  /** All trials of the kind. */
  get count(): number {
    return this.#count;
  }

  /** Whether every trial of the kind is kept. */
  get isWhole(): boolean {
    return this.#count === this.#ordinals.size;
  }
}

/** How many trials of a target a report looks at in full. */
export interface Limits {
  readonly rows: number;
  readonly unresolved: number;
  readonly errors: number;
  readonly shortfalls: number;
}

/** What the numbers alone say of a target's trials, and which of them to look at in full. Of bounded size. */
export interface Selection {
  readonly all: Chosen;
  readonly unresolved: Chosen;
  /** The target failed, or answered with an error report. */
  readonly errors: Chosen;
  /** Answered, and some metric gave less than its best or no verdict. */
  readonly shortfalls: Chosen;
  /** By metric: how many answers it gave no verdict on. */
  readonly unmeasured: Map<string, number>;
  /** By metric: questions with the lowest values. */
  readonly lowest: Map<string, Lowest>;
  /** By category: questions with the lowest totals. */
  readonly lowestInCategory: Map<string, Lowest>;
}

/** The selections of all targets of a run. */
export interface Selections {
  /** Takes the outcomes in the order of the plan. */
  add(outcome: Outcome): void;
  of(target: string): Selection;
}

/** Chooses what to look at in full, outcome by outcome. */
export function createSelection(run: Run, limits: Limits) {
  const isErrorReport = createErrorReportTest(run);
  const selection: Selection = {
    all: new Chosen(limits.rows),
    unresolved: new Chosen(limits.unresolved),
    errors: new Chosen(limits.errors),
    shortfalls: new Chosen(limits.shortfalls),
    unmeasured: new Map(),
    lowest: new Map(),
    lowestInCategory: new Map(),
  };
  return {
    selection,
    add: (outcome: Outcome): void => {
      const { trial } = outcome;
      const { ordinal, status } = trial;
      selection.all.add(ordinal);
      const mark = markOf(run, outcome);
      if (mark !== 'passed' && mark !== 'unscored') selection.unresolved.add(ordinal);
      if (isTargetError(trial) || isErrorReport(outcome)) selection.errors.add(ordinal);
      if (status === 'completed' && addShortfalls(selection, outcome)) selection.shortfalls.add(ordinal);
    },
  };
}

/** Notes where an answer fell short; says whether it did. */
function addShortfalls(selection: Selection, { case: { category }, trial, verdicts, scorecard }: Outcome) {
  let isShort = false;
  for (const metric in verdicts) {
    const verdict = verdicts[metric];
    if (verdict?.status === 'failed') {
      isShort = true;
      selection.unmeasured.set(metric, (selection.unmeasured.get(metric) ?? 0) + 1);
    } else if (verdict?.status === 'scored' && verdict.unit === undefined && verdict.value < 1) {
      isShort = true;
      entryOf(selection.lowest, metric, () => new Lowest()).offer(trial.caseId, verdict.value);
    }
  }
  const total = scorecard?.total ?? null;
  if (total !== null && total < 1) {
    const lowest = entryOf(selection.lowestInCategory, category ?? uncategorized, () => new Lowest());
    lowest.offer(trial.caseId, total);
  }
  return isShort;
}
