import path from 'node:path';
import { readers } from '../config/load-config.ts';
import { datasetExporters } from '../config/other-tools.ts';
import { openDataset } from '../../evaluate/datasets/open-dataset.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { DatasetExporter } from '../../exchange/exporters/datasets/dataset-exporter.ts';
import { noteFile } from '../../exchange/exporters/common-parts.ts';
import { countFates, Ledger } from '../../exchange/importers/ledger.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import type { Case } from '../../core/schema/case.ts';
import type { DatasetExportRecord } from '../../core/schema/api/imported-project.ts';
import { writeExportedFiles } from './export-to.ts';

/** Options of writing a dataset for another tool. */
export interface ExportDatasetOptions {
  /** The file to write, or the folder for a format that has several; a name of the format in the current folder by default. */
  readonly output?: string;
  /** True to write nothing, and only to say what would become of every part. */
  readonly isDryRun?: boolean;
  /** The folder that the files of the dataset are relative to; the current one by default. */
  readonly folder?: string;
}

/**
 * Writes the cases of a dataset in the form of another tool, as `touchstone export --dataset` does. Nothing is sent anywhere.
 * @param format - `deepeval`, `inspect`, `langfuse`, `langsmith` or `promptfoo`.
 * @param files - Files of any format of datasets.
 * @throws TouchstoneError for an unknown format, and for files that cannot be read or written.
 */
export async function exportDataset(
  format: string,
  files: string | readonly string[],
  { output, isDryRun = false, folder = process.cwd() }: ExportDatasetOptions = {},
): Promise<DatasetExportRecord> {
  const exporter = findDatasetExporter(format);
  const dataset = await openDataset({ paths: [files].flat(), folder, readers });
  const ledger = new Ledger();
  const written = exporter.write(casesIn(loadCases(dataset, { onNotice: () => {} }), ledger), ledger);
  const reads = dataset.sources.map((source) => path.resolve(folder, source));
  const names = await writeExportedFiles(written, {
    output,
    isDryRun,
    folder: `${exporter.name}-dataset`,
    reads,
  });
  const entries = ledger.entries();
  const { name, title } = exporter;
  const parts = countFates(entries);
  return { format: name, title, dataset: [...dataset.sources], files: names, parts, ledger: entries };
}

async function* casesIn(loaded: ReturnType<typeof loadCases>, ledger: Ledger): AsyncGenerator<Case> {
  for await (const { case: testCase, attachments = [] } of loaded) {
    for (const _file of attachments) noteFile(ledger);
    yield testCase;
  }
}

function findDatasetExporter(format: string): DatasetExporter {
  const found = datasetExporters.find(({ name }) => name === format);
  if (found !== undefined) return found;
  const names = datasetExporters.map(({ name }) => name);
  throw new TouchstoneError(
    'usage-invalid',
    `\`--to ${format}\`: a dataset cannot be written in this format.${didYouMean(format, names)}`,
    { remedy: `The formats of datasets are ${names.join(', ')}.` },
  );
}
