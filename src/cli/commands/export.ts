import path from 'node:path';
import { exportDataset } from '../../library/api/export-dataset.ts';
import { exportTo, findExporter } from '../../library/api/export-to.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { Exporter } from '../../exchange/exporters/exporter.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { exportText } from '../../look/reporters/import-report.ts';
import type { ExportRecord } from '../../core/schema/api/imported-project.ts';
import { exportRun } from '../../evaluate/run/record/archive.ts';
import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import { findRun } from '../../look/queries/runs.ts';
import { type SalvagedRun, salvageRun } from '../../evaluate/run/record/salvage.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';
import type { Store } from '../../stores/store.ts';
import { openStore } from '../open-store.ts';
import { damagedCode } from './check.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';
import { checkOutputFiles } from '../../library/api/output-files.ts';
import { writeFile } from '../../library/api/write-file.ts';
import { escapeJson, jsonDocument } from '../../core/lib/objects.ts';

/** The options of `touchstone export`, as parsed from the command line. */
export interface ExportFlags {
  readonly store?: string;
  readonly output?: string;
  /** The files of a dataset to write in place of a run. */
  readonly dataset?: readonly string[];
  /** The name of the form of another tool to write. */
  readonly to?: string;
  /** True to say what would become of every part, and to write nothing. */
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** True to write the intact records of a damaged run. */
  readonly salvage?: boolean;
}

/**
 * Runs `touchstone export [run]`: writes a whole run as JSONL to standard output or a file, or in the form of another tool.
 * Returns the exit code.
 */
export async function exportCommand(runId: string | undefined, flags: ExportFlags): Promise<number> {
  if (flags.dataset !== undefined) return await exportDatasetForTool(flags.dataset, flags);
  if (flags.to !== undefined) return await exportForTool(flags.to, runId, flags);
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    await checkOutputFiles(flags.output === undefined ? [] : [flags.output], { store });
    const run = await findRun(store, runId);
    await requireWhole(run, store);
    const { lost, lines }: SalvagedRun =
      flags.salvage === true ? await salvageRun(run, store) : { lost: [], lines: exportRun(run, store) };
    if (flags.output === undefined) await output.writeAll(forTerminals(lines));
    else {
      await writeFile(flags.output, lines);
      console.error(`Wrote run ${run.id} to ${flags.output}.`);
    }
    if (run.status === 'running')
      console.error('The run is not complete: the file contains the answers so far.');
    const labels = await describeLabels(run.id, store, flags);
    if (labels !== undefined) console.error(labels);
    if (lost.length > 0) console.error(describeLost(lost));
    return lost.length > 0 ? damagedCode : 0;
  } finally {
    await store.close();
  }
}

/** Writes a run in the form of another tool, and says what becomes of every part. */
async function exportForTool(
  format: string,
  runId: string | undefined,
  { output: place, dryRun: isDryRun = false, json: isJson = false, store: folder }: ExportFlags,
): Promise<number> {
  const output = claimStdout();
  const exporter = findExporter(format);
  const store = await openStore(folder);
  try {
    const choices = { store, isDryRun, output: place };
    const record = await exportTo(format, runId, choices);
    if (isJson) {
      await output.write(jsonDocument(record));
      return 0;
    }
    await output.write(exportText(record, { width: 100, color: viewOfTerminal(false).color }));
    await output.write(`\n${describeFiles(record, { exporter, isDryRun })}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

/** Writes a dataset in the form of another tool, and says what becomes of every part of its cases. */
async function exportDatasetForTool(
  dataset: readonly string[],
  { to, output: place, dryRun: isDryRun = false, json: isJson = false }: ExportFlags,
): Promise<number> {
  const output = claimStdout();
  if (to === undefined) {
    throw new TouchstoneError('usage-invalid', '`--dataset` needs the name of another tool.', {
      remedy: 'Add `--to langfuse`, or another one that `touchstone export --help` lists.',
    });
  }
  const record = await exportDataset(to, dataset, {
    isDryRun,
    output: place,
  });
  if (isJson) await output.write(jsonDocument(record));
  else {
    await output.write(exportText(record, { width: 100, color: viewOfTerminal(false).color }));
    await output.write(`\n${describeFiles(record, { isDryRun })}\n`);
  }
  return 0;
}

function describeFiles(
  { files }: Pick<ExportRecord, 'files'>,
  { exporter, isDryRun }: { readonly exporter?: Exporter; readonly isDryRun: boolean },
): string {
  const names = files.map((file) => toTerminalText(displayPath(path.resolve(file)))).join(', ');
  if (isDryRun) return `Nothing was written. Without --dry-run: ${names}`;
  const [first = ''] = files;
  const place = files.length === 1 ? first : path.dirname(first);
  const next = exporter?.opensWith?.(quoteForShell(toTerminalText(displayPath(path.resolve(place)))));
  return `Wrote ${names}${next === undefined ? '' : `\n\nLook at it: ${next}`}`;
}

/** Describes the labels of people, which are not a part of the run; undefined when there are none. */
async function describeLabels(
  runId: string,
  { reviews }: Store,
  { salvage }: ExportFlags,
): Promise<string | undefined> {
  const command = `touchstone labels export FILE${salvage === true ? ' --salvage' : ''}`;
  try {
    const labels = await reviews.countLabels({ run: runId });
    const noun = formatPlural(labels, 'label');
    return labels === 0 ? undefined : `${noun} of its answers by people are not in the file: ${command}`;
  } catch (error) {
    if (salvage !== true) throw error;
    return `The labels of its answers by people cannot be counted: ${command}`;
  }
}

function describeLost(lost: readonly string[]): string {
  const names = lost.map((what) => `  ${toTerminalText(what)}`);
  const remedy =
    'Import the file into another store (--store) and resume the run there: only lost records are made again.';
  return `Damaged or missing, and not in the file:\n${names.join('\n')}\n${remedy}`;
}

/** Escapes characters that a terminal would interpret. The import reads the same values from the escaped lines. */
async function* forTerminals(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}
