import type { ImportContent } from '../content/content.ts';
import { parseIfReadable, readCell, rowsOf } from '../content/rows.ts';
import { asArray, asNumber, asObject, asText, type Fields, objectsIn } from '../values.ts';

/** One item of a run, in whichever form it was exported. */
export interface OutputItem {
  readonly id?: string;
  readonly runId: string;
  readonly index: number | undefined;
  readonly item: Fields;
  readonly sample: Fields;
  /** The results of the graders: `{name, type, score, passed, sample}`. */
  readonly results: readonly Fields[];
  /** `pass`, `fail` or `error`; undefined in files that do not say it. */
  readonly status: string | undefined;
  /** The time at which it was made, as the file has it. */
  readonly createdAt?: unknown;
}

/** Everything that a file, or the files of a folder, contain of hosted evals. */
export interface HostedExport {
  readonly evals: Fields[];
  readonly runs: Fields[];
  readonly items: OutputItem[];
  /** Rows of a data source: items that were not asked, or that came with an answer. */
  readonly rows: Fields[];
  /** The number of lists of which the API had more than the file contains. */
  cutLists: number;
}

/** Reads an export; undefined for what is none. A folder counts when one of its files does. */
export function readExport(content: ImportContent): HostedExport | undefined {
  const found: HostedExport = { evals: [], runs: [], items: [], rows: [], cutLists: 0 };
  if (content.form === 'json') addValue(content.value, found);
  else if (content.form === 'jsonl') for (const row of content.rows) addValue(row, found);
  else if (content.form === 'csv') addTable(content, found);
  else if (content.form === 'folder') addFolder(content, found);
  const isFound = found.evals.length + found.runs.length + found.items.length + found.rows.length > 0;
  return isFound ? found : undefined;
}

/** Adds the files of a folder, if one of them contains an eval, a run or its items. Other files may be of anything. */
function addFolder({ names, files }: Extract<ImportContent, { form: 'folder' }>, found: HostedExport): void {
  const parts: HostedExport = { evals: [], runs: [], items: [], rows: [], cutLists: 0 };
  for (const name of names.filter((each) => /\.jsonl?$/i.test(each)).slice(0, 1000)) {
    const parsed = parseIfReadable(files, name);
    if (parsed?.form === 'json') addValue(parsed.value, parts);
    if (parsed?.form === 'jsonl') for (const row of parsed.rows) addValue(row, parts);
  }
  if (parts.evals.length + parts.runs.length + parts.items.length === 0) return;
  found.evals.push(...parts.evals);
  found.runs.push(...parts.runs);
  found.items.push(...parts.items);
  found.rows.push(...parts.rows);
  found.cutLists += parts.cutLists;
}

function addTable(content: ImportContent & { readonly form: 'csv' }, found: HostedExport): void {
  if (!['item', 'grades'].every((name) => content.header.includes(name))) return;
  for (const row of rowsOf(content) ?? []) {
    addValue(Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(cell)])), found);
  }
}

function addValue(value: unknown, found: HostedExport): void {
  if (Array.isArray(value)) {
    for (const each of value) addValue(each, found);
    return;
  }
  const object = asObject(value);
  if (object !== undefined) addObject(object, found);
}

function addObject(object: Fields, found: HostedExport): void {
  if (object.object === 'list' && Array.isArray(object.data)) {
    addValue(object.data, found);
    if (object.has_more === true) found.cutLists += 1;
  } else if (object.object === 'eval') found.evals.push(object);
  else if (object.object === 'eval.run') found.runs.push(object);
  else if (object.object === 'eval.run.output_item') found.items.push(fromApi(object));
  else if (asObject(object.eval)?.testing_criteria !== undefined) addExport(object, found);
  else if (object.run !== undefined && Array.isArray(object.output_items)) addRun(object, found);
  else if (isDashboardRow(object)) found.items.push(fromDashboard(object));
  else if (isUploadedRow(object)) found.rows.push(object);
}

function addExport({ eval: described, runs, rows }: Fields, found: HostedExport): void {
  const own = asObject(described);
  if (own !== undefined) found.evals.push(own);
  for (const run of objectsIn(runs)) {
    if (run.run === undefined) found.runs.push(run);
    else addRun(run, found);
  }
  found.rows.push(...objectsIn(rows).map((row) => (asObject(row.item) === undefined ? { item: row } : row)));
}

function addRun({ run, output_items: items }: Fields, found: HostedExport): void {
  const described = asObject(run);
  if (described !== undefined) found.runs.push(described);
  const runId = asText(described?.id);
  found.items.push(...objectsIn(items).map((item) => fromApi({ ...(runId && { run_id: runId }), ...item })));
}

function fromApi(item: Fields): OutputItem {
  return {
    id: asText(item.id),
    runId: asText(item.run_id) ?? 'run',
    index: asNumber(item.datasource_item_id),
    item: asObject(item.datasource_item) ?? {},
    sample: asObject(item.sample) ?? {},
    results: objectsIn(item.results),
    status: asText(item.status),
    createdAt: item.created_at,
  };
}

function isDashboardRow({ item, grades, run_id: run }: Fields): boolean {
  return asObject(item) !== undefined && asObject(grades) !== undefined && run !== undefined;
}

/** Reads a row of the results that the dashboard exports. A row without `passes` has an error. */
function fromDashboard(item: Fields): OutputItem {
  const { outputs, token_usage: usage, ...rest } = asObject(item.sample) ?? {};
  const passes = asObject(item.passes);
  const samples = asObject(item.grader_samples) ?? {};
  const results = Object.entries(asObject(item.grades) ?? {}).map(([name, score]) => ({
    name,
    score,
    passed: passes?.[name],
    sample: samples[name],
  }));
  const isPassed = passes !== undefined && Object.values(passes).every((each) => each === true);
  return {
    runId: String(item.run_id),
    index: asNumber(item.data_source_idx),
    item: asObject(item.item) ?? {},
    sample: { ...rest, output: asArray(outputs), usage },
    results,
    status: passes === undefined ? 'error' : isPassed ? 'pass' : 'fail',
  };
}

/** Returns whether a row is one of a file that was uploaded as a data source. */
function isUploadedRow(row: Fields): boolean {
  const names = Object.keys(row);
  return asObject(row.item) !== undefined && names.every((name) => name === 'item' || name === 'sample');
}
