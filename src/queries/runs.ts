import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/text/nearest-name.ts';
import { isEnded } from '../run/prepare/is-ended.ts';
import { isJudgeMissing } from '../run/prepare/resume.ts';
import type { RunProgress } from '../schema/api/run-row.ts';
import type { Run } from '../schema/run.ts';
import { readRuns, type RunHead, type Store } from '../stores/store.ts';

/**
 * Finds the run that a user names by its id, by the beginning or end of its id, or as `latest` or `latest~1`, the run before
 * the latest. Throws `run-not-found` when no run or several match.
 */
export async function findRun(store: Store, given = 'latest'): Promise<Run> {
  const exact = await store.readRun(given);
  if (exact !== undefined) return exact;
  const runs = await store.listRuns();
  const [latest] = runs;
  if (latest === undefined) {
    throw new TouchstoneError('run-not-found', 'There are no runs yet.', {
      remedy: 'Start one: `touchstone run`.',
    });
  }
  const whole = async ({ id }: RunHead) => (await store.readRun(id)) ?? throwNotFound(id);
  if (given === 'latest') return await whole(latest);
  const back = /^latest~(\d+)$/.exec(given)?.[1];
  if (back !== undefined) return await whole(runs[Number(back)] ?? throwTooFew(given, runs.length));
  const matches = runs.filter(({ id }) => id.startsWith(given) || id.endsWith(given));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return await whole(match);
  if (match !== undefined) {
    const ids = matches.slice(0, 5).map(({ id }) => id);
    throw new TouchstoneError(
      'run-not-found',
      `"${given}" matches ${matches.length} runs: ${ids.join(', ')}.`,
      {
        remedy: 'Give more of the id.',
      },
    );
  }
  const nearest = nearestName(
    given,
    runs.map(({ id }) => id),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return throwNotFound(given, hint);
}

function throwNotFound(given: string, hint = ''): never {
  throw new TouchstoneError('run-not-found', `There is no run "${given}".${hint}`);
}

function throwTooFew(given: string, count: number): never {
  throw new TouchstoneError('run-not-found', `There is no run ${given}: the store has ${count}.`);
}

/**
 * Finds the newest run that ended early or that still lacks verdicts of its judge. Rescored runs are not considered, since
 * their answers belong to another run. Throws `run-not-found` when there is none.
 */
export async function findUnfinishedRun(store: Store): Promise<Run> {
  let completed: Run | undefined;
  for await (const run of readRuns(store)) {
    if (run.rescoredFrom !== undefined) continue;
    if (run.status === 'interrupted' || run.status === 'running' || isJudgeMissing(run)) return run;
    if (run.status === 'completed') completed ??= run;
  }
  const further =
    completed === undefined
      ? ''
      : `; or ask only what has changed in the dataset since the last run: \`touchstone run --resume ${completed.id}\``;
  throw new TouchstoneError('run-not-found', 'There is no unfinished run to resume.', {
    remedy: `Start one: \`touchstone run\`${further}.`,
  });
}

/** A run and the state of its process. */
export interface RunState {
  readonly run: Run;
  /** True when the process of the run has died: its status is still `running` or `planning`, but no process works on it. */
  readonly isEnded: boolean;
}

/** Lists the newest runs first, with their state; all runs when no limit is given. */
export async function listRunStates(store: Store, limit?: number): Promise<RunState[]> {
  const states: RunState[] = [];
  for await (const run of readRuns(store, { limit })) {
    states.push({ run, isEnded: await isEnded(run, store) });
  }
  return states;
}

/** Returns the progress of a run; undefined for a run that is not under way. */
export async function readProgress(
  { run, isEnded }: RunState,
  store: Pick<Store, 'countProgress'>,
): Promise<RunProgress | undefined> {
  if (run.status !== 'running' || isEnded) return undefined;
  const { done, measured, sum } = await store.countProgress(run.id);
  const planned = run.dataset.cases * run.targets.length * run.attempts;
  return { done, planned, score: measured === 0 ? null : sum / measured };
}

/** Returns the run, with the status `interrupted` when it says `running` but its process has died. */
export function withTrueStatus({ run, isEnded }: { readonly run: Run; readonly isEnded?: boolean }): Run {
  return isEnded === true && run.status === 'running' ? { ...run, status: 'interrupted' } : run;
}

/** Removes runs: all of them or, when a process is working on one of them, none. Throws `run-in-progress` then. */
export async function deleteRuns(ids: readonly string[], store: Store): Promise<void> {
  await using claims = new AsyncDisposableStack();
  for (const id of ids) claims.use(await store.claimRun(id));
  for (const id of ids) await store.deleteRun(id);
}
