import { compareTotals, isClaimed } from '../../../decide/analysis/summary/check-totals.ts';
import { formatPlace, TouchstoneError } from '../../../core/errors.ts';
import { blobReaderOf } from '../../../stores/blobs/blob-store.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Claim, readRuns, type Store } from '../../../stores/store.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import { createClaimedRun } from '../prepare/begin-run.ts';
import { unlessStopped } from '../prepare/plan.ts';
import { neverStopped } from '../run-needs.ts';
import { summarizeRun } from '../summarize.ts';
import {
  type ArchiveRow,
  archiveVersion,
  type CheckedLine,
  checkLines,
  createLineWriter,
  invalidImport,
} from './archive-line.ts';
import { createRowWriter } from './archive-rows.ts';

/** Yields a whole run as lines of JSON, byte for byte the same from every store. Throws `run-not-found`. */
export async function* exportRun(run: Run, store: Store): AsyncGenerator<string> {
  const counts = { cases: 0, judgements: 0, results: 0 };
  const toLine = createLineWriter();
  yield toLine('run', { version: archiveVersion, run });
  const readBlob = blobReaderOf(store);
  for (const hash of await store.blobs.listUsed(run.id)) {
    const base64 = Buffer.from(await readBlob(hash)).toString('base64');
    yield toLine('blob', { blob: { hash, base64 } });
  }
  for await (const planned of store.readCases(run.id)) {
    counts.cases += 1;
    yield toLine('case', { case: planned });
  }
  for await (const judgement of store.readJudgements(run.id)) {
    counts.judgements += 1;
    yield toLine('judgement', { judgement });
  }
  for await (const result of store.readResults(run.id)) {
    counts.results += 1;
    yield toLine('result', { result });
  }
  yield toLine('end', counts);
}

/** Options of an import. */
export interface ImportNeeds {
  readonly onNotice?: (message: string) => void;
  /** Stops the import when it is aborted. */
  readonly stop?: AbortSignal;
}

/**
 * Imports an exported run into a store and returns it. The import is all or nothing. It throws `import-invalid` with
 * the line when the file is not a whole, unchanged export, when its totals do not follow from its results, or when the
 * store has the run already; `run-stopped` when it is stopped; and `run-in-progress` while another process imports the
 * same run. In each case it leaves nothing behind. A run that is being imported has the status `planning` and no totals
 * until its last row is stored, so that what a killed import leaves is never mistaken for a whole run; the next import
 * removes it.
 */
export async function importRun(
  rows: AsyncIterable<ArchiveRow>,
  store: Store,
  { onNotice, stop = neverStopped.stop }: ImportNeeds = {},
): Promise<Run> {
  await removeLeftovers(store);
  const lines = checkLines(untilStopped(rows, stop));
  const stated = await readHead(lines, store);
  await using _claim = await addHead(incomplete(stated), store);
  try {
    await copyRows(stated, lines, store);
    const whole = await completeRun(stated, store, onNotice);
    await store.updateRun(whole);
    return whole;
  } catch (error) {
    await store.deleteRun(stated.id);
    throw error;
  }
}

/** Yields the rows, and throws `run-stopped` as soon as the import is stopped. */
async function* untilStopped(rows: AsyncIterable<ArchiveRow>, stop: AbortSignal): AsyncGenerator<ArchiveRow> {
  const iterator = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessStopped(iterator.next(), stop, importStopped);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited, since it may be reading a row that never comes.
    void iterator.return?.();
  }
}

function importStopped(): TouchstoneError {
  return new TouchstoneError('run-stopped', 'The import was stopped, and nothing of the run is stored.');
}

/** Removes runs that a killed import left behind. */
async function removeLeftovers(store: Store): Promise<void> {
  for await (const { id, isImporting, isSent } of readRuns(store, { status: 'planning' })) {
    const isLeft = isImporting === true && isSent !== true && !(await isClaimed(id, store));
    if (isLeft) await store.deleteRun(id);
  }
}

/**
 * Returns the record of a run whose rows are all stored: its summary is computed from them. Throws `import-invalid` when it is not the one
 * that the record states.
 */
export async function completeRun(
  stated: Run,
  store: Store,
  onNotice?: ImportNeeds['onNotice'],
): Promise<Run> {
  const whole = await withOwnTotals(stated, store);
  checkTotals(stated, whole, onNotice);
  return whole;
}

/** Replaces the summary of a finished run by one computed from its results. */
async function withOwnTotals(stated: Run, store: Store): Promise<Run> {
  const { summary: _stated, ...run } = stated;
  if (run.status !== 'completed' && run.status !== 'interrupted') return run;
  return { ...run, summary: await summarizeRun(run, store) };
}

/**
 * Compares the totals in the file with those computed from its results. Throws `import-invalid` when they differ
 * although this version wrote the file. Another version may have counted differently, so its changes are only reported,
 * and so is a changed decision, which may depend on a baseline that this store does not have.
 */
function checkTotals(
  { summary: stated, touchstoneVersion: version }: Run,
  { id, summary: made }: Run,
  onNotice: ImportNeeds['onNotice'],
): void {
  if (stated === undefined || made === undefined) return;
  const changes = compareTotals(stated, made);
  if (changes.length > 0 && version === touchstoneVersion) {
    const message = `The totals of run ${id} in the file do not follow from its results: ${changes.join('; ')}.`;
    throw invalidImport(
      message,
      'Export it again from where it was made, or ask the person who changed the file.',
    );
  }
  if (changes.length > 0) {
    onNotice?.(
      `The totals were computed again, since version ${version} computed them differently: ${changes.join('; ')}.`,
    );
  }
  const [before, now] = [stated.decision.outcome, made.decision.outcome];
  if (before !== now) {
    const [reason = 'its rules were applied again to its results'] = made.decision.reasons;
    onNotice?.(`The decision was ${before} in the file and is ${now} here: ${reason}.`);
  }
}

/** Returns the record that a run has while its rows are being stored: it has no totals, and cannot be mistaken for a whole run. */
export function incomplete({ summary: _stated, finishedAt: _later, ...begun }: Run): Run {
  return { ...begun, status: 'planning', isImporting: true };
}

async function readHead(lines: AsyncGenerator<CheckedLine>, store: Store): Promise<Run> {
  const first = await lines.next();
  if (first.done === true) throw invalidImport('The file is empty.');
  const run = runOfLine(first.value);
  await refuseKept(run.id, store);
  return run;
}

/** Returns the run of the first line of a file. Throws `import-invalid` for another line. */
export function runOfLine({ content, place }: CheckedLine): Run {
  if (content.type !== 'run') {
    throw invalidImport(`${formatPlace(place)}: an exported run begins with the run itself.`);
  }
  if (content.run.status === 'planning') {
    throw invalidImport(`${formatPlace(place)}: the run was exported before its plan was complete.`);
  }
  const { isImporting: _never, isSent: _neither, ...run } = content.run;
  return run;
}

/** Adds and claims the record of the run. Another process may have added it since it was looked for. */
async function addHead(run: Run, store: Store): Promise<Claim> {
  try {
    return await createClaimedRun(run, store);
  } catch (error) {
    await refuseKept(run.id, store);
    throw error;
  }
}

async function refuseKept(runId: string, store: Store): Promise<void> {
  const kept = await store.readRun(runId);
  if (kept === undefined) return;
  if (kept.status === 'planning' && (await isClaimed(runId, store))) {
    const message = `Run ${runId} is being imported by another process already.`;
    throw new TouchstoneError('run-in-progress', message, { remedy: 'Wait until it is there.' });
  }
  // A run with an incomplete plan is never exported, so this one was left by an import of an older version.
  if (kept.status === 'planning') await store.deleteRun(runId);
  else {
    throw invalidImport(
      `Run ${kept.id} is already in the store.`,
      `Keep it, or delete it first: \`touchstone delete ${kept.id}\`.`,
    );
  }
}

async function copyRows(run: Run, lines: AsyncIterable<CheckedLine>, store: Store): Promise<void> {
  const writer = createRowWriter(run.id, store);
  for await (const line of lines) if (await writer.add(line)) await writer.flush();
  if (!writer.hasEnded()) throw invalidImport('The file ends before the run does; the export was cut short.');
  await writer.flush();
}
