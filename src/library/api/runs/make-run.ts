import path from 'node:path';
import type { Run } from '../../../core/schema/run.ts';
import { readLocatedBaseline } from '../../../decide/gate/baselines.ts';
import type { RunNeeds } from '../../../evaluate/run/run-needs.ts';
import { run as runEvaluation } from '../../../evaluate/run/run.ts';
import { withTelemetry } from '../../../exchange/telemetry/with-telemetry.ts';
import { findRun, findUnfinishedRun } from '../../../look/queries/runs.ts';
import { isPostgresUrl } from '../../../stores/postgres/url.ts';
import type { Store } from '../../../stores/store.ts';
import type { LoadedEvaluation } from '../../config/load-evaluation.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import { type RunPurpose, withPurpose } from '../../config/run-purpose.ts';
import { type GateChoice, joinGate } from './join-gate.ts';

// What every way of making a run goes through: the command line, the library and the workers of a server.

/** The store of a run. */
export interface RunPlace {
  /** In place of the store that the config names: an open one, which stays open; or the folder of one, or the address of a database. */
  readonly store?: Store | string;
  /** The folder that relative paths start from; the current one by default. */
  readonly folder?: string;
}

/** Returns an evaluation whose gate a choice changes. Throws `usage-invalid` for a baseline whose name is invalid. */
export function withGate<Loaded extends LoadedEvaluation>(
  loaded: Loaded,
  choice: GateChoice,
  folder = process.cwd(),
): Loaded {
  const { evaluation } = loaded;
  return { ...loaded, evaluation: { ...evaluation, gate: joinGate(evaluation.gate, choice, folder) } };
}

/**
 * Uses the store of a run that is about to be made, and closes it again unless it was given open. For a new run it is created where
 * there is none, once its baseline is there and it can begin; not for one that continues an earlier run, nor for a plan, which needs no
 * baseline either. Throws `baseline-not-found` or `baseline-unreadable`.
 */
export async function withRunStore<Result>(
  loaded: LoadedEvaluation,
  { store: given, folder = process.cwd() }: RunPlace,
  purpose: 'new' | 'continued' | 'plan',
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { baseline } = loaded.evaluation.gate;
  const check = async (store: Store) => {
    if (baseline !== undefined && purpose !== 'plan') await readLocatedBaseline(baseline, store);
  };
  if (typeof given === 'object') {
    await check(given);
    return await use(given);
  }
  const elsewhere = given === undefined || isPostgresUrl(given) ? given : path.resolve(folder, given);
  if (purpose !== 'new')
    return await withStoreOf(loaded, { elsewhere, opening: 'existing' }, async (store) => {
      await check(store);
      return await use(store);
    });
  if (baseline !== undefined) await withStoreOf(loaded, { elsewhere, opening: 'existing' }, check);
  return await withStoreOf(loaded, { elsewhere, opening: 'first-write' }, use);
}

async function withStoreOf<Result>(
  loaded: LoadedEvaluation,
  choice: Parameters<typeof openStoreOf>[1],
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStoreOf(loaded, choice);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A loaded evaluation that is ready to become a run, and the run that it continues. */
export interface ReadyRun extends LoadedEvaluation {
  readonly resumed?: Run;
}

/** The purpose of a run, and the run that it continues. */
export interface ReadyOptions extends RunPurpose {
  /**
   * The run to resume: its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name; true for the newest one that
   * is not finished.
   */
  readonly resume?: string | true;
}

/**
 * Finds the run that is continued, and gives an evaluation the purpose of its run.
 * @throws TouchstoneError for a run that does not exist, `nothing-failed`, and a name that would find another run.
 */
export async function readyRun(
  loaded: LoadedEvaluation,
  store: Store,
  {
    resume,
    command,
    name,
    note,
    tags,
    failedOf,
  }: Omit<ReadyOptions, 'resume'> & {
    readonly resume?: string | true | Run;
    readonly command?: Run['command'];
  },
): Promise<ReadyRun> {
  const resumed = await findResumed(store, resume);
  const purpose = { name, note, tags, failedOf, command, resumed };
  return { ...loaded, resumed, evaluation: await withPurpose(loaded.evaluation, store, purpose) };
}

async function findResumed(store: Store, resume: string | true | Run | undefined): Promise<Run | undefined> {
  if (resume === true) return await findUnfinishedRun(store);
  return typeof resume === 'string' ? await findRun(store, resume) : resume;
}

/** Makes or resumes a run, and sends its spans where the config, or `telemetry` in its place, says. */
export async function makeRun(
  { evaluation, resumed, config }: ReadyRun,
  needs: RunNeeds,
  telemetry: Parameters<typeof withTelemetry>[0] = config.telemetry,
): Promise<Run> {
  return await withTelemetry(
    telemetry,
    needs,
    async (watched) => await runEvaluation(evaluation, watched, resumed),
  );
}
