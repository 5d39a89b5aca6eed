import { z } from 'zod';
import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import { type PlannedCase, plannedCaseSchema, type Result, resultSchema } from '../schema/result.ts';
import { type Run, runSchema } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';

const archiveVersion = 1;
const batchSize = 500;

/** One line of an exported run: first the run, then its cases, then its trials with all that was said of them. */
export const archiveLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), version: z.literal(archiveVersion), run: runSchema }),
  z.object({ type: z.literal('case'), case: plannedCaseSchema }),
  z.object({ type: z.literal('result'), result: resultSchema }),
  z.object({ type: z.literal('end'), cases: z.int(), results: z.int() }),
]);
type ArchiveLine = z.infer<typeof archiveLineSchema>;

/** A whole run as lines of JSON. Throws `run-not-found`. */
export async function* exportRun(run: Run, store: Store): AsyncGenerator<string> {
  const counts = { cases: 0, results: 0 };
  yield line({ type: 'run', version: archiveVersion, run });
  for await (const planned of store.readCases(run.id)) {
    counts.cases += 1;
    yield line({ type: 'case', case: planned });
  }
  for await (const result of store.readResults(run.id)) {
    counts.results += 1;
    yield line({ type: 'result', result });
  }
  yield line({ type: 'end', ...counts });
}

function line(content: ArchiveLine): string {
  return `${JSON.stringify(content)}\n`;
}

/** A line of a file that is to be imported, parsed as JSON. */
export interface ArchiveRow {
  readonly value: unknown;
  readonly place: Place;
}

/**
 * Adds an exported run to a store and returns it. All or nothing: throws `import-invalid` when the file is not a whole
 * export or the run is there already, and leaves nothing behind.
 */
export async function importRun(rows: AsyncIterable<ArchiveRow>, store: Store): Promise<Run> {
  const lines = rows[Symbol.asyncIterator]();
  const run = await readHead(lines, store);
  await store.createRun(run);
  try {
    await copyRows(run, { [Symbol.asyncIterator]: () => lines }, store);
    return run;
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}

async function readHead(lines: AsyncIterator<ArchiveRow>, store: Store): Promise<Run> {
  const first = await lines.next();
  if (first.done === true) throw invalid('The file is empty.');
  const head = parseLine(first.value);
  if (head.type !== 'run')
    throw invalid(`${formatPlace(first.value.place)}: an exported run begins with the run itself.`);
  if ((await store.readRun(head.run.id)) === undefined) return head.run;
  throw invalid(
    `Run ${head.run.id} is in the store already.`,
    'Keep it, or delete it first: `touchstone delete`.',
  );
}

async function copyRows(run: Run, rows: AsyncIterable<ArchiveRow>, store: Store): Promise<void> {
  const counts = { cases: 0, results: 0 };
  let cases: PlannedCase[] = [];
  let results: Result[] = [];
  const flush = async () => {
    await store.addCases(run.id, cases);
    await store.addTrials(run.id, results);
    await store.addScores(run.id, results);
    [cases, results] = [[], []];
  };
  for await (const row of rows) {
    const content = parseLine(row);
    if (content.type === 'case') {
      counts.cases += 1;
      cases.push(content.case);
    } else if (content.type === 'result') {
      counts.results += 1;
      results.push(content.result);
    } else if (content.type === 'run')
      throw invalid(`${formatPlace(row.place)}: a second run begins in the same file.`);
    else {
      await flush();
      if (content.cases === counts.cases && content.results === counts.results) return;
      throw invalid(`The file holds ${counts.results} results of ${content.results}; lines are missing.`);
    }
    if (cases.length + results.length >= batchSize) await flush();
  }
  throw invalid('The file ends before the run does; the export was cut short.');
}

function parseLine({ value, place }: ArchiveRow): ArchiveLine {
  const parsed = archiveLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw invalid(
    `${formatPlace(place)} is no line of an exported run: ${problem?.path.join('.')} ${problem?.message}.`,
  );
}

function invalid(message: string, remedy?: string): TouchstoneError {
  return new TouchstoneError('import-invalid', message, remedy === undefined ? {} : { remedy });
}
