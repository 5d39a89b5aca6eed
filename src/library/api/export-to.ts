import { statSync } from 'node:fs';
import path from 'node:path';
import { exporters } from '../config/other-tools.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { ExportedFile, Exporter } from '../../exchange/exporters/exporter.ts';
import { noteFile } from '../../exchange/exporters/common-parts.ts';
import { countFates, Ledger } from '../../exchange/importers/ledger.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { ExportRecord } from '../../core/schema/api/imported-project.ts';
import { checkOutputFiles, type OutputChecks } from './output-files.ts';
import { findWholeRun } from './named-runs.ts';
import { type StoreChoice, withStore } from './open-store.ts';
import { writeFile } from './write-file.ts';

/** Options of an export for another tool. */
export interface ExportToOptions extends StoreChoice {
  /**
   * The file to write, or the folder for a format that has several files. Named after the run and written into the current
   * folder by default.
   */
  readonly output?: string;
  /** True to write nothing, and only to say what would become of every part. */
  readonly isDryRun?: boolean;
}

/**
 * Writes a run in the form of another tool, as `touchstone export --to` does. Nothing is sent anywhere.
 * @param format - The name of the form, such as `promptfoo` or `inspect`.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for an unknown format, a run that is not there or whose totals do not add up, and a file that cannot be
 * written.
 */
export async function exportTo(
  format: string,
  runId = 'latest',
  { output, isDryRun = false, ...choice }: ExportToOptions = {},
): Promise<ExportRecord> {
  const exporter = findExporter(format);
  return await withStore(choice, async (store) => {
    const run = await findWholeRun(store, runId);
    const summary = await readSummary(run, store);
    const results = (ordinals?: readonly number[]) => store.readResults(run.id, ordinals);
    const ledger = new Ledger();
    const files = exporter.write({ run, summary, results }, ledger);
    const folder = `${run.id}-${exporter.name}`;
    for (const _hash of await store.blobs.listUsed(run.id)) noteFile(ledger);
    const names = await writeExportedFiles(files, { output, isDryRun, folder, store });
    const entries = ledger.entries();
    const { name, title } = exporter;
    return { format: name, title, run: run.id, files: names, parts: countFates(entries), ledger: entries };
  });
}

/** Writes the files of an export, or only reads them to their ends. Returns the names of those that were written or would be. */
export async function writeExportedFiles(
  files: readonly ExportedFile[],
  {
    output,
    isDryRun,
    folder,
    ...checks
  }: OutputChecks & { output: string | undefined; isDryRun: boolean; folder: string },
): Promise<string[]> {
  refuseSoleFile(files, output);
  const names = files.map((file) => placeOf(file, { files, output, folder }));
  if (!isDryRun) await checkOutputFiles(names, checks);
  const written: string[] = [];
  for (const [index, { pieces, isOptional = false }] of files.entries()) {
    const name = names[index] as string;
    const content = isOptional ? await withPieces(pieces) : pieces;
    if (content === undefined) continue;
    if (isDryRun) for await (const _piece of content);
    else await writeFile(name, content);
    written.push(name);
  }
  return written;
}

/** Returns the pieces of a file; undefined when there are none. */
async function withPieces<Piece>(pieces: AsyncIterable<Piece>): Promise<AsyncIterable<Piece> | undefined> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return undefined;
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

/** Returns the exporter of a name. Throws `usage-invalid`. */
export function findExporter(format: string): Exporter {
  const found = exporters.find(({ name }) => name === format);
  if (found !== undefined) return found;
  const names = exporters.map(({ name }) => name);
  throw new TouchstoneError(
    'usage-invalid',
    `\`--to ${format}\`: there is no such format.${didYouMean(format, names)}`,
    { remedy: `The formats are ${names.join(', ')}.` },
  );
}

/** Throws `usage-invalid` for the name of a file where there are several: a folder of that name would look like the file. */
function refuseSoleFile(files: readonly ExportedFile[], output: string | undefined): void {
  const ending = path.extname(output ?? '').toLowerCase();
  const isOfFile = files.some(({ name }) => ending !== '' && path.extname(name).toLowerCase() === ending);
  if (output === undefined || files.length === 1 || !isOfFile) return;
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const names = files.map(({ name }) => name).join(', ');
  throw new TouchstoneError(
    'usage-invalid',
    `${output} is the name of one file, and these are several: ${names}.`,
    {
      remedy: `Name a folder for them: ${path.join(path.dirname(output), path.parse(output).name)}`,
    },
  );
}

/** Returns where a file is written: a single one under the given name, several below a folder. */
function placeOf(
  { name }: ExportedFile,
  { files, output, folder }: { files: readonly ExportedFile[]; output: string | undefined; folder: string },
): string {
  if (files.length === 1) return output ?? name;
  return path.join(output ?? folder, name);
}
