import { isDeepStrictEqual } from 'node:util';
import { copyJson } from '../core/lib/json/copy-json.ts';
import type { CasedTrial, PlannedCase, Result } from '../core/schema/result.ts';
import type { Run } from '../core/schema/run.ts';
import type { Trial } from '../core/schema/trial.ts';
import { columnsInMemory, selectInMemory } from '../core/trials/select-in-memory.ts';
import type { ScoresOfTrial, Store, TrialWriting } from './store.ts';
import { countColumns, fieldOf } from './trial-counts.ts';
import type { MemoryTexts } from './texts/memory-texts.ts';

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
    run: copyJson(run),
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
    kept.set(ordinal, copyJson(cased.trial));
    for (const { scores } of sharing) scores.delete(ordinal);
  }
  return late;
}

/** Stores the scores of a trial that the run has. */
export function addScoresOfTrial(kept: KeptRun, { trial, verdicts, scorecard }: ScoresOfTrial): void {
  if (!kept.trials.has(trial.ordinal)) return;
  kept.scores.set(trial.ordinal, copyJson({ verdicts, scorecard }));
}

/** Returns the cases of a plan in the order of their positions. */
export function casesOf(cases: ReadonlyMap<number, PlannedCase>): PlannedCase[] {
  return [...cases.values()].sort((a, b) => a.position - b.position);
}

/** Yields copies of the results of a run, in the order of the plan or of the given places. */
export function* resultsOf(kept: KeptRun, ordinals: readonly number[] = ordinalsOf(kept)): Generator<Result> {
  for (const ordinal of ordinals) if (kept.trials.has(ordinal)) yield copyJson(resultAt(kept, ordinal));
}

/** Returns the results of a run as they are kept, in the order of the plan, for what only looks at them. */
function keptResultsOf(kept: KeptRun): Result[] {
  return ordinalsOf(kept).map((ordinal) => resultAt(kept, ordinal));
}

function ordinalsOf({ trials }: KeptRun): number[] {
  return [...trials.keys()].sort((a, b) => a - b);
}

/** Returns the position of the case of the trial at an ordinal. */
function caseNumberOf({ run }: Pick<KeptRun, 'run'>, ordinal: number): number {
  return Math.floor(ordinal / (run.targets.length * run.attempts));
}

function resultAt(kept: KeptRun, ordinal: number): Result {
  const trial = kept.trials.get(ordinal) as Trial;
  const planned = kept.cases.get(caseNumberOf(kept, ordinal)) as PlannedCase;
  const scores = kept.scores.get(ordinal) ?? { verdicts: {}, scorecard: null };
  return { case: planned.case, trial, ...scores };
}

/** Returns the cases, trials and scores of all runs, those that several runs share once. */
export function textsOfRuns(
  runs: ReadonlyMap<string, KeptRun>,
): Pick<MemoryTexts, 'case' | 'trial' | 'scores'> {
  const plans = () => Map.groupBy(runs.values(), ({ trials }) => trials);
  const planOf = (sharing: readonly KeptRun[]) => ({
    runs: sharing.map(({ run }) => run.id),
    plan: sharing[0]?.run.id ?? '',
  });
  return {
    case: function* () {
      for (const sharing of plans().values())
        for (const planned of sharing[0]?.cases.values() ?? [])
          yield [planned.case, { ...planOf(sharing), position: planned.position }];
    },
    trial: function* () {
      for (const [trials, sharing] of plans())
        for (const [ordinal, trial] of trials)
          yield [
            trial,
            { ...planOf(sharing), ordinal, position: caseNumberOf(sharing[0] as KeptRun, ordinal) },
          ];
    },
    scores: function* () {
      for (const sharing of plans().values())
        for (const { run, scores } of sharing)
          for (const [ordinal, each] of scores) yield [each, { ...planOf(sharing), runs: [run.id], ordinal }];
    },
  };
}

type Readers = Pick<
  Store,
  | 'countProgress'
  | 'readResults'
  | 'readTrials'
  | 'readOutcomes'
  | 'selectTrials'
  | 'readColumns'
  | 'countTrials'
  | 'check'
>;

/** Creates the methods of a store that read the runs that `find` returns. */
export function readersOf(find: (runId: string) => KeptRun): Readers {
  return {
    readResults: async function* (runId, ordinals) {
      yield* resultsOf(find(runId), ordinals);
    },
    readTrials: async function* (runId) {
      for (const { case: of, trial } of resultsOf(find(runId))) yield [{ case: of, trial }];
    },
    readOutcomes: async function* (runId) {
      for (const result of resultsOf(find(runId))) yield [result];
    },
    selectTrials: async (runId, query) => {
      const kept = find(runId);
      return copyJson(selectInMemory(kept.run, keptResultsOf(kept), query));
    },
    readColumns: async function* (runId, query) {
      const kept = find(runId);
      yield copyJson(columnsInMemory(kept.run, keptResultsOf(kept), query));
    },
    countTrials: async (runId, { where, by = [], fold = false } = {}) => {
      const kept = find(runId);
      const columns = columnsInMemory(kept.run, keptResultsOf(kept), { where, columns: by.map(fieldOf) });
      return await countColumns([columns], { by, attempts: fold ? kept.run.attempts : 1 });
    },
    countProgress: async (runId) => {
      const { trials, scores } = find(runId);
      const totals = Array.from(scores.values(), ({ scorecard }) => scorecard?.total ?? null);
      const known = totals.filter((total) => total !== null);
      return {
        done: [...trials.values()].filter(({ status }) => status !== 'cancelled').length,
        measured: known.length,
        sum: known.reduce((sum, total) => sum + total, 0),
      };
    },
    // Records in memory are never written to a medium that could damage them.
    check: async function* () {},
  };
}
