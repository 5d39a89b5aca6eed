import { TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Damage, readRuns, type Store } from '../../../stores/store.ts';
import { compareTotals } from '../../../decide/analysis/summary/check-totals.ts';
import { summarySchema } from '../../../core/schema/summary.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import { summarizeRun } from '../summarize.ts';
import { archiveVersion, createLineWriter } from './archive-line.ts';
import { exportRun } from './archive.ts';

/** The readable rest of a damaged run. */
export interface SalvagedRun {
  /** The names of the records that are lost; none where the run is whole. */
  readonly lost: readonly string[];
  /** The lines of a file that can be imported. */
  readonly lines: AsyncIterable<string>;
}

/**
 * Reads what is whole of a damaged run, for a file that can be imported. The run counts as interrupted in it: imported and
 * resumed, only what is lost is asked again.
 */
export async function salvageRun(run: Run, store: Store): Promise<SalvagedRun> {
  const lost: string[] = [];
  let cases = 0;
  for await (const { type } of store.readWhole(run.id, (what) => lost.push(what)))
    cases += Number(type === 'case');
  for await (const { problem } of readFiles(run.id, store)) if (problem !== undefined) lost.push(problem);
  if (lost.length === 0) return { lost, lines: exportRun(run, store) };
  const { summary: _ofAll, finishedAt: _then, dataset, ...rest } = run;
  // Another hash: the dataset has more cases than the file.
  const hash = cases === dataset.cases ? dataset.hash : hashText(`${dataset.hash} salvaged`);
  const left: Run = { ...rest, status: 'interrupted', dataset: { ...dataset, hash } };
  return { lost, lines: writeLines(left, store) };
}

/** A file that the records of a run name: its bytes, or the words for its loss. */
type FoundFile = { readonly hash: string } & (
  | { readonly bytes: Uint8Array; readonly problem?: never }
  | { readonly problem: string; readonly bytes?: never }
);

/** Yields the pictures and other files that the records of a run name. */
async function* readFiles(runId: string, store: Store): AsyncGenerator<FoundFile> {
  for (const hash of await store.blobs.listUsed(runId)) {
    const name = `the file ${hash.slice(0, 12)}… of a question or an answer`;
    try {
      const bytes = await store.blobs.read(hash);
      yield bytes === undefined ? { hash, problem: `${name} is missing` } : { hash, bytes };
    } catch (error) {
      if (!(error instanceof TouchstoneError) || error.code !== 'store-damaged') throw error;
      yield { hash, problem: `${name} has changed since it was stored` };
    }
  }
}

async function* writeLines(run: Run, store: Store): AsyncGenerator<string> {
  const counts = { cases: 0, judgements: 0, results: 0 };
  const toLine = createLineWriter();
  yield toLine('run', { version: archiveVersion, run });
  for await (const { hash, bytes } of readFiles(run.id, store))
    if (bytes !== undefined)
      yield toLine('blob', { blob: { hash, base64: Buffer.from(bytes).toString('base64') } });
  for await (const { type, ...record } of store.readWhole(run.id, () => {})) {
    counts[`${type}s`] += 1;
    yield toLine(type, record);
  }
  yield toLine('end', counts);
}

/** Finds the damaged records of a store, the files that they name and that are missing or have changed, and the runs whose summary differs from what their records give. */
export async function* checkStore(store: Store): AsyncGenerator<Damage> {
  const damaged = new Set<string | undefined>();
  for await (const damage of store.check()) {
    damaged.add(damage.runId);
    yield damage;
  }
  // Which runs these are is not known.
  if (damaged.has(undefined)) return;
  for await (const run of readRuns(store)) {
    for await (const { problem } of readFiles(run.id, store))
      if (problem !== undefined) yield { runId: run.id, what: problem };
    if (!damaged.has(run.id))
      for (const what of await checkSummary(run, store)) yield { runId: run.id, what };
  }
}

/** Another version may have counted in another way. */
async function checkSummary(run: Run, store: Store): Promise<string[]> {
  const kept = summarySchema.safeParse(run.summary).data;
  if (kept === undefined || run.touchstoneVersion !== touchstoneVersion) return [];
  const changes = compareTotals(kept, await summarizeRun(run, store));
  return changes.map((change) => `its summary differs from its records: ${change}`);
}
