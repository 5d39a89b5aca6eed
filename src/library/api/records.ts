import { existsSync, readFileSync } from 'node:fs';
import { type ErasedTexts, planErasure } from '../../privacy/erasure/erase-texts.ts';
import type { ErasureChoice } from '../../privacy/erasure/find-texts.ts';
import { TouchstoneError } from '../../core/errors.ts';
import {
  deleteRuns as deleteFrom,
  findRun,
  findRuns,
  listRunStates,
  withTrueStatus,
} from '../../look/queries/runs.ts';
import { ordinalOf } from '../../look/queries/trials.ts';
import { editRun as editLabel } from '../../evaluate/run/run-label.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import type { Evaluated } from './runs/evaluate.ts';
import { readFromStore, type StoreChoice, withStore, withWritableStore } from './open-store.ts';
import type { RunReport } from './runs/run.ts';
import { findPart, type PartChoices } from './runs/run-part.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { readRuns, type Store } from '../../stores/store.ts';

/** The runs that are listed. */
export interface ListRunsOptions extends StoreChoice {
  /** The most runs; all by default. */
  readonly limit?: number;
  /** Terms such as `tag=prompt=v7`, `name=release-*` and `decision=fail`, all of which must hold. */
  readonly filter?: readonly string[];
}

/** Reads the newest runs with their state; all runs when no limit is given. */
export async function listRuns({ limit, filter, ...choice }: ListRunsOptions = {}): Promise<Run[]> {
  return await withStore(choice, async (store) =>
    (await listRunStates(store, { limit, where: filter })).map(withTrueStatus),
  );
}

/** Changes the name, the note and the tags of a run, and returns what it is called then. Throws `usage-invalid` for an invalid name. */
export async function editRun(
  runId: string,
  change: Parameters<typeof editLabel>[1],
  choice: StoreChoice = {},
): Promise<Awaited<ReturnType<typeof editLabel>> & { readonly run: string }> {
  return await withStore(choice, async (store) => {
    const run = await findRun(store, runId);
    return { run: run.id, ...(await editLabel(run, change, store)) };
  });
}

/** The part of a run whose results are read, and the store. */
export interface ReadRunOptions extends StoreChoice, PartChoices {}

/**
 * Reads a stored run with its summary and its results, as `touchstone show` does. The summary is about the whole run;
 * `results()` cover the part that the options leave, and can be read more than once.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run or a case that is not there, and a filter that cannot be understood.
 */
export async function readRun(
  runId = 'latest',
  { filter, cases, failed, ...choice }: ReadRunOptions = {},
): Promise<RunReport> {
  return await withStore(choice, async (store) => {
    const run = await findRun(store, runId);
    const summary = await readSummary(run, store);
    const part = await findPart(run, store, { filter, cases, failed });
    const results = () => readFromStore(choice, (opened) => opened.readResults(run.id, part?.ordinals));
    return { run, summary, results };
  });
}

/** One of the trials of a case. */
export interface ReadTrialOptions extends StoreChoice {
  /** The name of the target; the first of the run by default. */
  readonly target?: string;
  /** The number of the attempt, from 1, which is the default. */
  readonly attempt?: number;
}

/**
 * Reads one trial of a stored run in full: its case, transcript, verdicts and score, and all that judges were asked and said.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run, case, target or attempt that is not there.
 */
export async function readTrial(
  runId: string,
  caseId: string,
  { target, attempt = 1, ...choice }: ReadTrialOptions = {},
): Promise<Omit<Evaluated, 'unread'>> {
  return await withStore(choice, async (store) => {
    const run = await findRun(store, runId);
    const planned = await store.findCase(run.id, caseId);
    const name = target ?? run.targets[0]?.name;
    const place = planned && ordinalOf(run, { position: planned.position, target: name, attempt });
    const [result]: (Result | undefined)[] =
      place === undefined ? [] : await Array.fromAsync(store.readResults(run.id, [place]));
    if (result === undefined) {
      const what = `attempt ${attempt} of ${name} at a question "${caseId}"`;
      throw new TouchstoneError('case-not-found', `Run ${run.id} has no ${what}.`);
    }
    const ids = judgementsOf(result.verdicts);
    const judgements = ids.length === 0 ? [] : await Array.fromAsync(store.readJudgements(run.id, ids));
    return { ...result, judgements };
  });
}

/** Options of removing runs. */
export interface RemoveRunsOptions extends StoreChoice {
  /** Called with the runs, and the number of people's labels of their answers, before any is removed; none is when it throws. */
  readonly confirm?: (runs: readonly Run[], labels: number) => Promise<void>;
}

/** The runs that were removed, and the number of people's labels of their answers, which stay. */
export interface RemovedRuns {
  readonly deleted: readonly string[];
  readonly labelsKept: number;
}

/** Removes runs permanently, and counts what stays of them. Throws as `deleteRuns` does. */
export async function removeRuns(
  runIds: readonly string[],
  { confirm, ...choice }: RemoveRunsOptions = {},
): Promise<RemovedRuns> {
  return await withStore(choice, async (store) => {
    const runs = new Map((await findRuns(store, runIds)).map((run) => [run.id, run]));
    const ids = [...runs.keys()];
    const counts = await Promise.all(
      ids.map(async (run) => await store.documents.count(labelKind, { where: { run_id: run } })),
    );
    const labelsKept = counts.reduce((sum, count) => sum + count, 0);
    await confirm?.([...runs.values()], labelsKept);
    await deleteFrom(ids, store);
    return { deleted: ids, labelsKept };
  });
}

/**
 * Removes runs permanently, with all that belongs to them alone, as `touchstone delete` does: all of them or none.
 * @param runIds - Ids of runs, parts of them, `latest`, `latest~1`, names of baselines, or their own names.
 * @returns The ids of the runs that were removed.
 * @throws TouchstoneError for a run that is not there, or that a process is at work on.
 */
export async function deleteRuns(runIds: readonly string[], choice: StoreChoice = {}): Promise<string[]> {
  return [...(await removeRuns(runIds, choice)).deleted];
}

/** The choice of what to erase, and of the store. */
export interface EraseTextsOptions extends StoreChoice, ErasureChoice {
  /** True to look only, and to change nothing. */
  readonly isDry?: boolean;
  /** Called with what would be erased; nothing is when it throws. */
  readonly confirm?: (planned: ErasedInProject) => Promise<void>;
}

/** A cassette of recorded tools that contains a text. */
export interface HoldingCassette {
  readonly file: string;
  /** The numbers of its lines that contain one of the texts, from 1. */
  readonly lines: readonly number[];
}

/** The records that an erasure changes, or has changed, and the files here that it does not change. */
export interface ErasedInProject extends ErasedTexts {
  /** The cassettes of recorded tools that contain one of the texts. */
  readonly cassettes: readonly HoldingCassette[];
}

/**
 * Erases the texts of people, or all records that hold a text, as `touchstone erase --yes` does: texts are overwritten with a mark, and
 * scores, verdicts and other numbers stay.
 * @returns The numbers of records, and the lines of golden sets and cassettes that still hold cases made of them, or the texts.
 * @throws TouchstoneError for a choice of nothing, a text that is too short, and a run that a process works on.
 */
export async function eraseTexts(options: EraseTextsOptions): Promise<ErasedInProject> {
  return await withWritableStore(options, async (store) => {
    const { erase, ...found } = await planErasure(store, options);
    const planned = { ...found, cassettes: await findHoldingCassettes(store, options.texts ?? []) };
    if (options.isDry === true) return planned;
    await options.confirm?.(planned);
    return { ...planned, ...(await erase()) };
  });
}

/** Returns the cassettes of stored runs that contain one of some texts, of those that are files here. Nothing changes them. */
async function findHoldingCassettes(store: Store, texts: readonly string[]): Promise<HoldingCassette[]> {
  const files = new Set<string>();
  for await (const { tools } of readRuns(store))
    if (tools?.cassette !== undefined) files.add(tools.cassette.path);
  // In a file of JSON lines a text is written as JSON writes it.
  const written = texts.map((text) => JSON.stringify(text).slice(1, -1));
  const found = [...files].toSorted().map((file): HoldingCassette => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const isCassette = lines[0]?.startsWith('{"cassette":') === true;
    const holding = lines.flatMap((line, index) =>
      isCassette && written.some((text) => line.includes(text)) ? [index + 1] : [],
    );
    return { file, lines: holding };
  });
  return found.filter(({ lines }) => lines.length > 0);
}
