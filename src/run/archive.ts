import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { PlannedCase, Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import {
  type ArchiveRow,
  archiveVersion,
  type CheckedLine,
  checkLines,
  createLineWriter,
  invalidImport,
} from './archive-line.ts';
import { createClaimed } from './create-claimed.ts';
import { isWorkedOn } from './require-whole.ts';
import { summarizeRun } from './summarize.ts';

/** A whole run as lines of JSON, the same bytes from every store. Throws `run-not-found`. */
export async function* exportRun(run: Run, store: Store): AsyncGenerator<string> {
  const counts = { cases: 0, judgements: 0, results: 0 };
  const toLine = createLineWriter();
  yield toLine('run', { version: archiveVersion, run });
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

/**
 * Adds an exported run to a store and returns it. All or nothing: throws `import-invalid` with the line when the file
 * is not a whole export as it was written, or when the run is there already, and leaves nothing behind. Throws
 * `run-in-progress` while another process imports the same run. An import that
 * is killed leaves a run that is never taken for a whole one: until its last row is there it is kept as `planning`.
 */
export async function importRun(rows: AsyncIterable<ArchiveRow>, store: Store): Promise<Run> {
  const lines = checkLines(rows);
  const run = await readHead(lines, store);
  using claims = new DisposableStack();
  claims.defer(await addHead({ ...run, status: 'planning' }, store));
  try {
    await copyRows(run, lines, store);
    const whole = await withSummary(run, store);
    await store.updateRun(whole);
    return whole;
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}

/** A run that has ended has its numbers. */
async function withSummary(run: Run, store: Store): Promise<Run> {
  const hasEnded = run.status === 'completed' || run.status === 'interrupted';
  if (!hasEnded || run.summary !== undefined) return run;
  return { ...run, summary: await summarizeRun(run, store) };
}

async function readHead(lines: AsyncGenerator<CheckedLine>, store: Store): Promise<Run> {
  const first = await lines.next();
  if (first.done === true) throw invalidImport('The file is empty.');
  const { content, place } = first.value;
  if (content.type !== 'run') {
    throw invalidImport(`${formatPlace(place)}: an exported run begins with the run itself.`);
  }
  if (content.run.status === 'planning') {
    throw invalidImport(`${formatPlace(place)}: the run was exported before its plan was complete.`);
  }
  await refuseKept(content.run.id, store);
  return content.run;
}

/** Adds the record of the run. Another process may have done so since it was looked for. */
async function addHead(run: Run, store: Store): Promise<() => void> {
  try {
    return await createClaimed(run, store);
  } catch (error) {
    await refuseKept(run.id, store);
    throw error;
  }
}

async function refuseKept(runId: string, store: Store): Promise<void> {
  const kept = await store.readRun(runId);
  if (kept === undefined) return;
  if (kept.status === 'planning' && (await isWorkedOn(runId, store))) {
    const message = `Run ${runId} is being imported by another process already.`;
    throw new TouchstoneError('run-in-progress', message, { remedy: 'Wait until it is there.' });
  }
  const state = kept.status === 'planning' ? ', but not whole: it was ended before all of it was there' : '';
  throw invalidImport(
    `Run ${kept.id} is in the store already${state}.`,
    `Keep it, or delete it first: \`touchstone delete ${kept.id}\`.`,
  );
}

const batchSize = 500;

async function copyRows(run: Run, lines: AsyncIterable<CheckedLine>, store: Store): Promise<void> {
  let cases: PlannedCase[] = [];
  let judgements: Judgement[] = [];
  let results: Result[] = [];
  let end: Place | undefined;
  const flush = async () => {
    await store.addCases(run.id, cases);
    await store.addJudgements(run.id, judgements);
    await store.addTrials(run.id, results);
    await store.addScores(run.id, results);
    [cases, judgements, results] = [[], [], []];
  };
  for await (const { content, place } of lines) {
    if (end !== undefined) {
      throw invalidImport(
        `${formatPlace(place)}: more lines after the end of the run at ${formatPlace(end)}.`,
      );
    }
    if (content.type === 'case') cases.push(content.case);
    else if (content.type === 'judgement') judgements.push(content.judgement);
    else if (content.type === 'result') results.push(content.result);
    else if (content.type === 'end') end = place;
    else throw invalidImport(`${formatPlace(place)}: a second run begins in the same file.`);
    if (cases.length + judgements.length + results.length >= batchSize) await flush();
  }
  if (end === undefined) throw invalidImport('The file ends before the run does; the export was cut short.');
  await flush();
}
