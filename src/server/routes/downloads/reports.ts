import type { Context } from 'hono';
import { z } from 'zod';
import { fileNameOf } from '../../../core/lib/files/file-name.ts';
import { equalTo, sides } from '../../../core/lib/filter/filter.ts';
import { formatFilter } from '../../../core/lib/filter/format-filter.ts';
import type { MatrixHead, MatrixRow } from '../../../core/schema/api/comparison/matrix.ts';
import type { RunRow } from '../../../core/schema/api/run-row.ts';
import type { Run } from '../../../core/schema/run.ts';
import { readSummary } from '../../../evaluate/run/summarize.ts';
import { findColumns, listMatrix, type MatrixTargets } from '../../../look/queries/matrix.ts';
import { whereOf, findTrials } from '../../../look/queries/trials.ts';
import { listRunHeads } from '../../../look/queries/runs.ts';
import { csv, csvLine } from '../../../look/reporters/csv.ts';
import { html } from '../../../look/reporters/html.ts';
import { matrixHtml } from '../../../look/reporters/html-matrix.ts';
import { matrix } from '../../../library/api/compare.ts';
import type { ReportInput } from '../../../look/reporters/reporter.ts';
import { type Cell, trialColumns } from '../../../look/reporters/trial-table.ts';
import { makeRunRow, runState } from '../../../look/report/rows/run-row.ts';
import type { Store } from '../../../stores/store.ts';
import { type AddRoute, describeUse, openRun, parseInput } from '../../route.ts';

const rowsSchema = z.object({ format: z.enum(['csv', 'jsonl']) });

const reportSchema = z.object({
  format: z.enum(['csv', 'jsonl', 'html']),
  where: z.string().optional(),
});

const runsSchema = rowsSchema.extend({
  dataset: z.string().optional(),
  target: z.string().optional(),
  branch: z.string().optional(),
});

const matrixSchema = z.object({
  format: z.enum(['csv', 'jsonl', 'html']),
  columns: z.string(),
  where: z.string().optional(),
  sort: z.string().optional(),
});

/** The most questions of a matrix in a page in one file. */
const mostMatrixRows = 200;

/** The most runs in a table. */
const mostRuns = 10_000;

/**
 * Adds what pages offer as a file, narrowed as they are: `GET /api/runs/:run/report`, the answers of a run as a table or as a page in one
 * file; `GET /api/runs/table`, the list of runs; and `GET /api/matrix/table`, a matrix with its answers in full.
 */
export const addReports: AddRoute = (app, { openStore, storeFolder, shown }) => {
  app.get('/api/run-table', async (context) => {
    const { format, ...named } = parseInput(runsSchema, context.req.query());
    const rows = listRunRows(await openStore(), named);
    return sendRows(context, rows, { name: 'runs', format });
  });
  app.get('/api/matrix/table', async (context) => {
    const { format, columns, ...query } = parseInput(matrixSchema, context.req.query());
    const store = await openStore();
    const names = columns.split(',').filter((name) => name.trim() !== '');
    const targets = await findColumns(store, names);
    for (const { run } of targets.columns) shown.add(run.id, 0, lastOrdinal(run));
    if (format === 'html') {
      const whole = await matrix(names, { store, ...query, limit: mostMatrixRows });
      return sendStream(context, matrixHtml(whole), { name: 'matrix', format });
    }
    return sendRows(context, listMatrixRows(store, { targets, ...query }), { name: 'matrix', format });
  });
  app.get('/api/runs/:run/report', async (context) => {
    const { format, where } = parseInput(reportSchema, context.req.query());
    const { store, run } = await openRun(openStore, context.req);
    const ordinals = await findTrials(store, run, { where: whereOf(where, run) });
    const input = await readInput(store, run, { where, ordinals, storeFolder });
    if (ordinals === undefined) shown.add(run.id, 0, lastOrdinal(run));
    for (const ordinal of ordinals ?? []) shown.add(run.id, ordinal);
    if (format === 'jsonl') return sendRows(context, listTrialRows(input), { name: run.id, format });
    const reporter = format === 'html' ? html : csv;
    const view = { verbose: true, width: 80, color: false };
    return sendStream(context, reporter.report(input, view), { name: run.id, format });
  });
};

/** Returns the last place in the plan of a run. */
function lastOrdinal({ dataset, targets, attempts }: Run): number {
  return Math.max(0, dataset.cases * targets.length * attempts - 1);
}

interface InputChoice {
  readonly where: string | undefined;
  readonly ordinals: readonly number[] | undefined;
  readonly storeFolder: string | undefined;
}

/** Returns what a report reads of a run: all of its answers, or the ones that match a filter. */
async function readInput(
  store: Store,
  run: Run,
  { where, ordinals, storeFolder }: InputChoice,
): Promise<ReportInput> {
  const wanted = ordinals && new Set(ordinals);
  return {
    run,
    summary: await readSummary(run, store),
    results: (asked) =>
      store.readResults(run.id, wanted ? (asked ?? ordinals)?.filter((one) => wanted.has(one)) : asked),
    judgements: (ids) => store.readJudgements(run.id, ids),
    readBlob: async (hash) => await store.blobs.read(hash),
    narrowing: where,
    storeFolder,
  };
}

/** Yields the answers of a run as rows with the columns of its CSV. */
async function* listTrialRows({ run, results }: ReportInput): AsyncIterable<TableRow> {
  const columns = trialColumns(run);
  for await (const result of results())
    yield Object.fromEntries(columns.map(({ name, read }) => [name, read(result) ?? null]));
}

/** Yields the runs of a list, a row for each target. */
async function* listRunRows(
  store: Store,
  named: Readonly<Record<string, string | undefined>>,
): AsyncIterable<TableRow> {
  const where = formatFilter(
    Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [equalTo(field, [value])])),
  );
  for (const { run, isEnded } of await listRunHeads(store, {
    where: where === '' ? [] : [where],
    limit: mostRuns,
  })) {
    const row = makeRunRow(run, runState(run, isEnded), undefined);
    for (const target of row.targets) yield runTableRow(row, target);
  }
}

function runTableRow(row: RunRow, target: string): TableRow {
  const { id, name, note, tags = {}, state, createdAt, finishedAt, dataset, attempts, cost, git } = row;
  const headline = row.headlines?.find((each) => each.target === target);
  const score = row.passMark === null ? undefined : headline?.score;
  return {
    run: id,
    name,
    note,
    tags: Object.entries(tags)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
    state,
    started: createdAt,
    finished: finishedAt,
    dataset: dataset.sources.join(', '),
    target,
    score: score?.value,
    lower: score?.lower,
    upper: score?.upper,
    measured: headline?.counts.measured,
    planned: headline?.counts.planned,
    gate: row.decision?.isGated === true ? row.decision.outcome : null,
    attempts,
    cost,
    commit: git?.commit,
    branch: git?.branch,
  };
}

interface MatrixChoice {
  readonly targets: MatrixTargets;
  readonly where?: string;
  readonly sort?: string;
}

/** Yields the questions of a matrix, with what each of its columns answered. */
async function* listMatrixRows(store: Store, { targets, ...query }: MatrixChoice): AsyncIterable<TableRow> {
  for (let after: string | null | undefined; after !== null; ) {
    const list = await listMatrix(store, targets, { ...query, after });
    for (const row of list.rows) yield matrixTableRow(row, list.columns);
    after = list.next;
  }
}

function matrixTableRow(
  { caseId, category, question, cells }: MatrixRow,
  columns: readonly MatrixHead[],
): TableRow {
  const parts = cells.flatMap(({ result, total, answer, reason }, at) => {
    const side = (sides[at] ?? '').toUpperCase();
    const { run = '', target = '' } = columns[at] ?? {};
    return Object.entries({ column: `${target} of ${run}`, result, score: total, answer, reason }).map(
      ([name, value]) => [`${side}_${name}`, value] as const,
    );
  });
  return { id: caseId, category, question, ...Object.fromEntries(parts) };
}

/** A row of a table, with the names of its columns. */
type TableRow = Readonly<Record<string, Cell>>;

/** The name of a file without its extension, and its format. */
interface FileChoice {
  readonly name: string;
  readonly format: keyof typeof types;
}

const types = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

/** The byte order mark of UTF-8; without it spreadsheets assume another encoding. */
const byteOrderMark = '\ufeff';

/** Sends the rows of a table as a file of CSV, or of JSON lines. All rows have the columns of the first. */
function sendRows(context: Context, rows: AsyncIterable<TableRow>, choice: FileChoice): Response {
  return sendStream(context, choice.format === 'csv' ? csvOf(rows) : linesOf(rows), choice);
}

/** Sends a text as a file, piece by piece, so that its size is no matter. A browser saves it and never shows it. */
function sendStream(context: Context, pieces: AsyncIterable<string>, { name, format }: FileChoice): Response {
  describeUse(context, { file: format });
  const encoded = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return context.body(encoded, 200, {
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${fileNameOf(name)}.${format}"`,
  });
}

async function* csvOf(rows: AsyncIterable<TableRow>): AsyncIterable<string> {
  let isFirst = true;
  for await (const row of rows) {
    if (isFirst) yield byteOrderMark + csvLine(Object.keys(row));
    isFirst = false;
    yield csvLine(Object.values(row));
  }
}

async function* linesOf(rows: AsyncIterable<TableRow>): AsyncIterable<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
