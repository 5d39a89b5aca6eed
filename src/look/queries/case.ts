import { TouchstoneError } from '../../core/errors.ts';
import { planOrder } from '../../core/lib/filter/parse-sort.ts';
import type { CaseInOtherRuns } from '../../core/schema/api/trial-view.ts';
import type { TrialRow } from '../../core/schema/api/trial-row.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import { outcomeOfTrial, type PlannedCase, type Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import { readRuns, type Store } from '../../stores/store.ts';

/** The largest number of trials of a case, and of earlier runs, that are listed. */
const most = { trials: 200, runs: 20 };

/** Reads a trial by its place in the plan. Throws `case-not-found`. */
export async function readTrial(
  store: Pick<Store, 'readResults'>,
  run: Run,
  ordinal: number,
): Promise<Result> {
  for await (const result of store.readResults(run.id, [ordinal])) return result;
  throw new TouchstoneError('case-not-found', `Run ${run.id} has no answer number ${ordinal}.`, {
    remedy: `List the ids of the questions: \`touchstone show ${run.id}\`.`,
  });
}

/** Reads the questions to judges that the verdicts on a trial are based on. Throws `case-not-found`. */
export async function readJudgementsOf(store: Store, run: Run, ordinal: number): Promise<Judgement[]> {
  const ids = judgementsOf((await readTrial(store, run, ordinal)).verdicts);
  return ids.length === 0 ? [] : await Array.fromAsync(store.readJudgements(run.id, ids));
}

/** Reads the case of a trial as the plan has it. */
export async function readCaseOf(
  store: Pick<Store, 'readCases'>,
  run: Run,
  ordinal: number,
): Promise<PlannedCase | undefined> {
  for await (const planned of store.readCases(run.id, [positionOf(run, ordinal)])) return planned;
  return undefined;
}

/** Lists the trials of the case of a trial: the ones of every target and attempt, in the order of the plan. */
export async function listSiblings(
  store: Pick<Store, 'selectTrials'>,
  run: Run,
  ordinal: number,
): Promise<TrialRow[]> {
  const position = positionOf(run, ordinal);
  const ofCase = run.targets.length * run.attempts;
  const before = position * ofCase - 1;
  const { rows } = await store.selectTrials(run.id, {
    sort: planOrder,
    ...(before >= 0 && { after: { value: before, ordinal: before } }),
    limit: Math.min(ofCase, most.trials),
  });
  return rows.filter((row) => row.position === position);
}

function positionOf({ targets, attempts }: Pick<Run, 'targets' | 'attempts'>, ordinal: number): number {
  return Math.floor(ordinal / (targets.length * attempts));
}

/**
 * Lists the results of a case in the newest other runs that have a case of this id with the same content. A case is looked up by
 * its id, for which stores have an index, and recognized by its hash.
 */
export async function readHistory(
  store: Store,
  run: Run,
  { hash, case: { id } }: PlannedCase,
): Promise<CaseInOtherRuns> {
  const runs: CaseInOtherRuns['runs'] = [];
  for await (const other of readRuns(store)) {
    if (other.id === run.id) continue;
    const planned = await store.findCase(other.id, id);
    if (planned?.hash !== hash) continue;
    const targets = await readTargets(store, other, planned.position);
    if (targets.length === 0) continue;
    const { id: name, createdAt, description } = other;
    runs.push({ run: name, createdAt, description, targets });
    if (runs.length === most.runs) break;
  }
  return { runs };
}

async function readTargets(
  store: Store,
  run: Run,
  position: number,
): Promise<CaseInOtherRuns['runs'][number]['targets']> {
  const ofCase = Math.min(run.targets.length * run.attempts, most.trials);
  const first = position * run.targets.length * run.attempts;
  const results = await Array.fromAsync(
    store.readResults(
      run.id,
      Array.from({ length: ofCase }, (_, index) => first + index),
    ),
  );
  return Array.from(
    Map.groupBy(results, ({ trial }) => trial.target),
    ([target, tried]) => {
      const totals = tried.flatMap(({ scorecard }) => scorecard?.total ?? []);
      return {
        target,
        ordinal: tried[0]?.trial.ordinal ?? first,
        total: totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0) / totals.length,
        attempts: tried.map((result) => outcomeOfTrial(run, result)),
      };
    },
  );
}
