import { isDeepStrictEqual } from 'node:util';
import type { CasedTrial, PlannedCase, Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Trial } from '../schema/trial.ts';
import type { ScoresOfTrial, Store, TrialWriting } from './store.ts';

/** A run as the store in memory keeps it. */
export interface KeptRun {
  run: Run;
  /** The same map as that of another run when the run shares its cases; likewise `trials`. */
  readonly cases: Map<number, PlannedCase>;
  readonly trials: Map<number, Trial>;
  readonly isSharing: boolean;
  readonly scores: Map<number, Pick<Result, 'verdicts' | 'scorecard'>>;
  /** The ids of the judgements that the run uses. */
  readonly judgements: Set<string>;
}

/** Creates a run without scores, with the cases and trials of another run when it shares them. */
export function newRun(run: Run, shared: KeptRun | undefined): KeptRun {
  return {
    run: structuredClone(run),
    cases: shared?.cases ?? new Map(),
    trials: shared?.trials ?? new Map(),
    isSharing: shared !== undefined,
    scores: new Map(),
    judgements: new Set(),
  };
}

/** Returns the keys of the trials that are done, of those that are named. */
export function findDone({ trials }: KeptRun, specs: Parameters<Store['findDone']>[1]): Set<string> {
  const done = specs.filter(({ key, ordinal }) => {
    const trial = trials.get(ordinal);
    return trial?.key === key && trial.status !== 'cancelled';
  });
  return new Set(done.map(({ key }) => key));
}

/** Stores trials of a run. `sharing` are all runs that have its trials. Returns the trials that came too late. */
export function addTrialsTo(
  { trials: kept }: KeptRun,
  trials: readonly CasedTrial[],
  { sharing, keepsDone = false }: TrialWriting & { readonly sharing: readonly KeptRun[] },
): CasedTrial[] {
  const late: CasedTrial[] = [];
  for (const cased of trials) {
    const { ordinal } = cased.trial;
    const before = kept.get(ordinal);
    if (keepsDone && before !== undefined && before.status !== 'cancelled') {
      if (!isDeepStrictEqual(before, cased.trial)) late.push(cased);
      continue;
    }
    kept.set(ordinal, structuredClone(cased.trial));
    for (const { scores } of sharing) scores.delete(ordinal);
  }
  return late;
}

/** Stores the scores of a trial that the run has. */
export function addScoresOfTrial(kept: KeptRun, { trial, verdicts, scorecard }: ScoresOfTrial): void {
  if (!kept.trials.has(trial.ordinal)) return;
  kept.scores.set(trial.ordinal, structuredClone({ verdicts, scorecard }));
}

/** Returns the cases of a plan in the order of their positions. */
export function casesOf(cases: ReadonlyMap<number, PlannedCase>): PlannedCase[] {
  return [...cases.values()].sort((a, b) => a.position - b.position);
}

/** Yields copies of the results of a run, in the order of the plan or of the given places. */
export function* resultsOf(kept: KeptRun, ordinals: readonly number[] = ordinalsOf(kept)): Generator<Result> {
  for (const ordinal of ordinals) if (kept.trials.has(ordinal)) yield resultAt(kept, ordinal);
}

function ordinalsOf({ trials }: KeptRun): number[] {
  return [...trials.keys()].sort((a, b) => a - b);
}

/** Returns the position of the case of the trial at an ordinal. */
export function caseNumberOf({ run }: Pick<KeptRun, 'run'>, ordinal: number): number {
  return Math.floor(ordinal / (run.targets.length * run.attempts));
}

function resultAt(kept: KeptRun, ordinal: number): Result {
  const trial = structuredClone(kept.trials.get(ordinal) as Trial);
  const planned = structuredClone(kept.cases.get(caseNumberOf(kept, ordinal)) as PlannedCase);
  const scores = structuredClone(kept.scores.get(ordinal) ?? { verdicts: {}, scorecard: null });
  return { case: planned.case, trial, ...scores };
}
