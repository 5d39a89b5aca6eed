import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { makeFolder } from '../../../core/lib/make-folder.ts';
import { moveFile } from '../../../core/lib/files/replace-file.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { type Judgement, judgementSchema } from '../../../core/schema/judgement.ts';
import { type CasedTrial, resultSchema } from '../../../core/schema/result.ts';
import type { Store } from '../../../stores/store.ts';

/** The milliseconds that a write to the store may take before what it contains is saved in a file. */
const slowAfterMs = 1000;
/** The milliseconds after which a file that is still being written belongs to a process that has ended. */
const cutAfterMs = 60_000;
/** The milliseconds between two looks at what another process stores. */
const lookEveryMs = 200;

/** The folder of a spool, and who hears of it. */
export interface SpoolNeeds {
  readonly folder: string;
  readonly onNotice: (message: string) => void;
}

const entrySchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      run: z.string(),
      type: z.literal('trial'),
      record: resultSchema.unwrap().pick({ case: true, trial: true }),
    }),
    z.object({ run: z.string(), type: z.literal('judgement'), record: judgementSchema }),
  ]),
);

/** A line of a spool. */
type Entry =
  | { readonly run: string; readonly type: 'trial'; readonly record: CasedTrial }
  | { readonly run: string; readonly type: 'judgement'; readonly record: Judgement };

/**
 * Wraps a store so that answers which were paid for survive while it is away, even if this process is killed meanwhile: a write of
 * trials or judgements that takes long, or fails since the store cannot be used, is saved in a file of the folder, which
 * `emptySpool` stores later. The write still fails as it would without the file.
 */
export function withSpool(store: Store, needs: SpoolNeeds): Store {
  return {
    ...store,
    addTrials: async (runId, trials, writing) =>
      await keepWhileAway(
        store.addTrials(runId, trials, writing),
        trials.map((record) => ({ run: runId, type: 'trial', record })),
        needs,
      ),
    addJudgements: async (runId, judgements) =>
      await keepWhileAway(
        store.addJudgements(runId, judgements),
        runId === null ? [] : judgements.map((record) => ({ run: runId, type: 'judgement', record })),
        needs,
      ),
  };
}

async function keepWhileAway<Result>(
  storing: Promise<Result>,
  entries: readonly Entry[],
  { folder, onNotice }: SpoolNeeds,
): Promise<Result> {
  const settled = storing.then(
    () => 'stored' as const,
    (error: unknown) => (isStoreFault(error) ? ('fault' as const) : ('refused' as const)),
  );
  const first = await Promise.race([settled, wait(slowAfterMs, 'slow' as const, { ref: false })]);
  if (first === 'stored' || first === 'refused' || entries.length === 0) return await storing;
  const file = await writeEntries(entries, folder).catch((error: unknown) => {
    onNotice(`Answers could not be saved in ${folder}: ${messageOf(error)}`);
    return undefined;
  });
  if ((await settled) !== 'fault' && file !== undefined) await rm(file, { force: true });
  return await storing;
}

/** Returns whether the store could not be used, so that what was to be written may be stored later. */
function isStoreFault(error: unknown): boolean {
  return error instanceof TouchstoneError && error.code === 'store-unreadable';
}

/** Writes a file with a line for each entry. It appears whole, under a name that is never used again. Returns its path. */
async function writeEntries(entries: readonly Entry[], folder: string): Promise<string> {
  makeFolder(folder, 0o700);
  const file = path.join(folder, `${randomUUID()}.jsonl`);
  const part = `${file}.part`;
  const handle = await open(part, 'wx', 0o600);
  try {
    await handle.writeFile(entries.map(writeLine).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveFile(part, file);
  return file;
}

/** Writes an entry as a line of JSON that begins with the checksum of the rest. */
function writeLine(entry: Entry): string {
  const text = JSON.stringify(entry);
  return `{"checksum":"${hashText(text)}",${text.slice(1)}\n`;
}

/** Reads a line; undefined when it was cut or changed. */
function readLine(line: string): Entry | undefined {
  const [, checksum, rest] = /^\{"checksum":"([0-9a-f]{32})",(.*)$/s.exec(line) ?? [];
  const text = `{${rest}`;
  if (checksum !== hashText(text)) return undefined;
  const entry: unknown = parseJson(text);
  return entrySchema.safeParse(entry).success ? (entry as Entry) : undefined;
}

/** The store and the callbacks of a spool that is emptied. */
export interface EmptyingNeeds extends SpoolNeeds {
  readonly store: Store;
  /** The run that this process works on. */
  readonly runId: string;
  /** Counts an answer to a trial of that run which another process has stored meanwhile, with its known cost. */
  readonly onLate: (cost: number | undefined) => void;
}

/**
 * Stores everything that a spool contains, of whichever process, and removes it there. Answers to trials that are done meanwhile are
 * counted as late. What cannot be read is reported and stays, under another name; so does what belongs to a run that is gone.
 */
export async function emptySpool(needs: EmptyingNeeds): Promise<void> {
  if ((await listFiles(needs.folder)).length === 0) return;
  // Two processes that store the same file would count its late answers twice.
  await using _claim = await claimSpool(needs);
  let stored = 0;
  for (const file of await listFiles(needs.folder)) stored += await storeFile(file, needs);
  if (stored > 0)
    needs.onNotice(
      stored === 1
        ? `The answer saved in ${needs.folder} is now stored.`
        : `${stored} answers saved in ${needs.folder} are now stored.`,
    );
}

async function claimSpool({ store, runId }: EmptyingNeeds): Promise<AsyncDisposable> {
  for (;;) {
    try {
      return await store.claimRun(runId, 'spool');
    } catch (error) {
      if (!isInProgress(error)) throw error;
      await wait(lookEveryMs);
    }
  }
}

function isInProgress(error: unknown): boolean {
  return error instanceof TouchstoneError && error.code === 'run-in-progress';
}

/** Lists the files of a spool, those included that a process was writing when it died. */
async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const whole = names.filter((name) => name.endsWith('.jsonl')).sort();
  const cut: string[] = [];
  for (const name of names.filter((each) => each.endsWith('.jsonl.part'))) {
    const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > cutAfterMs) cut.push(name);
  }
  return [...whole, ...cut].map((name) => path.join(folder, name));
}

/** Stores what a file contains. Returns the number of answers and judgements that the store has now. */
async function storeFile(file: string, needs: EmptyingNeeds): Promise<number> {
  const { store, onNotice } = needs;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return 0;
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines.map(readLine);
  const entries = read.filter((entry) => entry !== undefined);
  for (const [runId, ofRun] of Map.groupBy(entries, ({ run }) => run)) {
    if ((await store.readRun(runId)) === undefined) {
      onNotice(
        `${file} has answers of run ${runId}, which is not in the store. It stays; remove it when it is not needed.`,
      );
      return 0;
    }
    if (!(await storeEntries(runId, ofRun, needs))) return 0;
  }
  const damaged = lines.flatMap((_, index) => (read[index] === undefined ? [index + 1] : []));
  if (damaged.length === 0 && lines.length > 0) await rm(file, { force: true });
  else {
    await moveFile(file, `${file}.damaged`);
    const which =
      damaged.length === 0 ? 'It is empty' : `Line ${damaged.join(', ')} of it was cut or changed`;
    onNotice(
      `${file}.damaged: ${which}, and what it contained has to be asked again. What could be read is stored.`,
    );
  }
  return entries.length;
}

/** Stores the entries of a run. Returns false when those that came too late cannot be counted now. */
async function storeEntries(
  runId: string,
  entries: readonly Entry[],
  needs: EmptyingNeeds,
): Promise<boolean> {
  const { store } = needs;
  const trials = entries.flatMap(({ type, record }) => (type === 'trial' ? [record] : []));
  const judgements = entries.flatMap(({ type, record }) => (type === 'judgement' ? [record] : []));
  if (judgements.length > 0) await store.addJudgements(runId, judgements);
  const late = trials.length === 0 ? [] : await store.addTrials(runId, trials, { keepsDone: true });
  return late.length === 0 || (await countLate(runId, late, needs));
}

/**
 * Counts late answers in the record of their run. When a process works on that run, late answers in the run of this process count as its
 * own; others cannot be counted now.
 */
async function countLate(
  runId: string,
  trials: readonly CasedTrial[],
  { store, onLate, ...needs }: EmptyingNeeds,
): Promise<boolean> {
  try {
    await using _claim = await store.claimRun(runId);
    const run = await store.readRun(runId);
    if (run === undefined) return true;
    const cost = trials.reduce((sum, { trial }) => sum + (trial.cost ?? 0), run.lateCost ?? 0);
    const lateAnswers = (run.lateAnswers ?? 0) + trials.length;
    await store.updateRun({ ...run, lateAnswers, ...(cost > 0 && { lateCost: cost }) });
    return true;
  } catch (error) {
    if (!isInProgress(error)) throw error;
    if (runId !== needs.runId) return false;
    for (const { trial } of trials) onLate(trial.cost);
    return true;
  }
}
