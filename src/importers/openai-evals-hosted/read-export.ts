import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import { parseNearby } from '../content/open-content.ts';
import { asArray, asNumber, asObject, asText, type Fields, objectsIn } from '../values.ts';

/** One item of a run, in whichever form it was exported. */
export interface OutputItem {
  readonly id?: string | undefined;
  readonly runId: string;
  readonly index: number | undefined;
  readonly item: Fields;
  readonly sample: Fields;
  /** The results of the graders: `{name, type, score, passed, sample}`. */
  readonly results: readonly Fields[];
  /** `pass`, `fail` or `error`; undefined in files that do not say it. */
  readonly status: string | undefined;
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
    const parsed = parseNearby(files.read(name), name);
    if (parsed.form === 'json') addValue(parsed.value, parts);
    if (parsed.form === 'jsonl') for (const row of parsed.rows) addValue(row, parts);
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
  const given = asObject(value);
  if (given !== undefined) addObject(given, found);
}

function addObject(given: Fields, found: HostedExport): void {
  if (given.object === 'list' && Array.isArray(given.data)) {
    addValue(given.data, found);
    if (given.has_more === true) found.cutLists += 1;
  } else if (given.object === 'eval') found.evals.push(given);
  else if (given.object === 'eval.run') found.runs.push(given);
  else if (given.object === 'eval.run.output_item') found.items.push(fromApi(given));
  else if (asObject(given.eval)?.testing_criteria !== undefined) addExport(given, found);
  else if (given.run !== undefined && Array.isArray(given.output_items)) addRun(given, found);
  else if (isDashboardRow(given)) found.items.push(fromDashboard(given));
  else if (isUploadedRow(given)) found.rows.push(given);
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

function fromApi(given: Fields): OutputItem {
  return {
    id: asText(given.id),
    runId: asText(given.run_id) ?? 'run',
    index: asNumber(given.datasource_item_id),
    item: asObject(given.datasource_item) ?? {},
    sample: asObject(given.sample) ?? {},
    results: objectsIn(given.results),
    status: asText(given.status),
  };
}

function isDashboardRow({ item, grades, run_id: run }: Fields): boolean {
  return asObject(item) !== undefined && asObject(grades) !== undefined && run !== undefined;
}

/** Reads a row of the results that the dashboard exports. A row without `passes` has an error. */
function fromDashboard(given: Fields): OutputItem {
  const { outputs, token_usage: usage, ...rest } = asObject(given.sample) ?? {};
  const passes = asObject(given.passes);
  const samples = asObject(given.grader_samples) ?? {};
  const results = Object.entries(asObject(given.grades) ?? {}).map(([name, score]) => ({
    name,
    score,
    passed: passes?.[name],
    sample: samples[name],
  }));
  const isPassed = passes !== undefined && Object.values(passes).every((each) => each === true);
  return {
    runId: String(given.run_id),
    index: asNumber(given.data_source_idx),
    item: asObject(given.item) ?? {},
    sample: { ...rest, output: asArray(outputs), usage },
    results,
    status: passes === undefined ? 'error' : isPassed ? 'pass' : 'fail',
  };
}

/** Returns whether a row is one of a file that was uploaded as a data source. */
function isUploadedRow(given: Fields): boolean {
  const names = Object.keys(given);
  return asObject(given.item) !== undefined && names.every((name) => name === 'item' || name === 'sample');
}
