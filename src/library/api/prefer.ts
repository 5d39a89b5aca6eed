import type { Config } from '../config/config.ts';
import { type LoadedJudge, loadJudge } from '../config/load-judge.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { usualCriterion } from '../../people/prefer/ask-preference.ts';
import { type PreferenceObserver, type PreferenceRules, preferRuns } from '../../people/prefer/prefer.ts';
import { TouchstoneError } from '../../core/errors.ts';
import {
  findPairTask,
  readPeoplePreferences as readPreferencesOf,
} from '../../people/reviews/pairs/people-preferences.ts';
import { findTask } from '../../people/reviews/read-view.ts';
import type { PeoplePreferenceReport } from '../../core/schema/api/preference/people.ts';
import { planPreferences, type PreferencePlan } from '../../people/prefer/plan-preferences.ts';
import { readStoredPreferences } from '../../people/prefer/stored-preferences.ts';
import { findRun, findRuns } from '../../look/queries/runs.ts';
import type { StopSignals } from '../../evaluate/run/limits/run-control.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import type { PreferenceReport } from '../../core/schema/api/preference/report.ts';
import { type StoreChoice, withStore, withWritableStore } from './open-store.ts';

/** Options of a comparison of answers in pairs, besides the runs and the config. */
export interface PreferOptions extends Omit<StoreChoice, 'config'> {
  /** The names of the targets to compare; all targets of the runs by default. */
  readonly targets?: readonly string[];
  /** The criterion by which an answer is better; correctness and completeness by default. */
  readonly criterion?: string;
  /** `both` (by default): every pair in both orders. `random`: once, in a random order, for half the price. */
  readonly order?: 'both' | 'random';
  /** The seed of random orders and of the ranking; 0 by default. */
  readonly seed?: string | number;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
  readonly observer?: PreferenceObserver;
  readonly signals?: StopSignals;
}

/**
 * Compares the stored answers of every two targets of runs by the judge of a config, as `touchstone prefer` does. No
 * target is called, and no judge is asked a question twice.
 * @param runIds - One run with several targets, or several runs: ids, parts of them, `latest`, `latest~1`, names of baselines, or their own names.
 * @throws TouchstoneError for a run that does not exist, for fewer than two targets, and for a config without a judge.
 */
export async function prefer(
  runIds: readonly string[],
  config: Config | string,
  options: PreferOptions = {},
): Promise<PreferenceReport> {
  return await preferBy(runIds, await loadJudge(config, options.folder), { ...options, config });
}

/** Compares stored answers by a judge that is loaded. Throws as `prefer` does. */
export async function preferBy(
  runIds: readonly string[],
  judge: LoadedJudge,
  { observer = {}, signals = neverStopped, ...options }: PreferOptions & StoreChoice,
): Promise<PreferenceReport> {
  return await withWritableStore(options, async (store) => {
    const runs = await findRuns(store, runIds);
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    return await preferRuns(runs, rulesOf(judge, options), needs);
  });
}

function rulesOf(judge: LoadedJudge, options: PreferOptions): PreferenceRules {
  const { criterion = usualCriterion, order = 'both', seed = 0, maxCost, targets } = options;
  return { ...judge, criterion, order, seed, maxCost, targets };
}

/**
 * Counts the questions that `prefer` would ask a judge, without those whose answers are stored, and estimates their price, as
 * `touchstone prefer --dry-run` does. Nothing is asked.
 * @throws TouchstoneError as `prefer` does.
 */
export async function planPrefer(
  runIds: readonly string[],
  config: Config | string,
  options: Omit<PreferOptions, 'observer' | 'signals' | 'maxCost'> = {},
): Promise<PreferencePlan> {
  return await planPreferBy(runIds, await loadJudge(config, options.folder), { ...options, config });
}

/** Counts the questions to a judge that is loaded. Throws as `prefer` does. */
export async function planPreferBy(
  runIds: readonly string[],
  judge: LoadedJudge,
  options: PreferOptions & StoreChoice,
): Promise<PreferencePlan> {
  return await withStore(
    options,
    async (store) => await planPreferences(await findRuns(store, runIds), rulesOf(judge, options), store),
  );
}

/** Options of a report on people's preferences. */
export interface PeoplePreferOptions extends StoreChoice {
  /** The id of a review task about pairs, the beginning or end of it; the newest one of these runs by default. */
  readonly task?: string;
  /** The names of targets that the task has to be about. */
  readonly targets?: readonly string[];
}

/**
 * Reads what people prefer between the answers of runs, from the labels of a review task about pairs, as `touchstone prefer --by
 * people` does. Judges that compared the same answers are compared with people.
 * @param runIds - Ids of runs, parts of them, `latest`, `latest~1`, names of baselines, or their own names; none of them for the task alone.
 * @throws TouchstoneError for an unknown run or task, and where no task is about pairs of these runs.
 */
export async function readPeoplePreferences(
  runIds: readonly string[],
  { task: taskId, targets, ...choice }: PeoplePreferOptions = {},
): Promise<PeoplePreferenceReport> {
  return await withStore(choice, async (store) => {
    const runs = await findRuns(store, runIds);
    const task =
      taskId === undefined
        ? await findPairTask(store, runs, targets)
        : await findTask(store.documents, taskId);
    if (task?.pairs !== undefined) return await readPreferencesOf(store, task.id);
    const what = taskId === undefined ? 'No review task is' : `The review task ${taskId} is not`;
    throw new TouchstoneError('review-not-found', `${what} about pairs of these answers.`, {
      remedy: `Let people compare them: \`touchstone review create --pairs ${runs.map(({ id }) => id).join(' ')}\`.`,
    });
  });
}

/**
 * Reads the comparisons of answers whose judgements are stored with a run: the newest of the runs that were compared.
 * Nothing is asked and no config is needed; pairs without a stored judgement are not measured.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run that does not exist.
 */
export async function readPreferences(
  runId = 'latest',
  choice: StoreChoice = {},
): Promise<PreferenceReport[]> {
  return await withStore(choice, async (store) => {
    const run = await findRun(store, runId);
    return await Array.fromAsync(readStoredPreferences(run, store));
  });
}
