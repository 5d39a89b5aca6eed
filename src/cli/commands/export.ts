import { TouchstoneError } from '../../core/errors.ts';
import type { Output } from '../output.ts';
import { defineCommand } from '../program/define-command.ts';
import { flag, type InputOf, text } from '../program/input.ts';
import { json, runName, store } from '../program/shared-inputs.ts';

const inputs = {
  run: runName,
  to: text(
    '<format>',
    'csv, hugging-face, inspect, inspect-json, langfuse, langsmith, langsmith-experiment, otel, parquet or promptfoo; with --dataset: deepeval, inspect, langfuse, langsmith or promptfoo',
  ),
  dataset: text('<files...>', 'with --to: convert the questions of these files instead of a run'),
  output: text(
    '<file>',
    'the file or folder to write (default: standard output; with --to, named after the run)',
  ).short('o'),
  dryRun: flag('with --to: show how every part would be converted, and write nothing'),
  json,
  salvage: flag('for a damaged run: write the intact records, and list the others'),
  store,
};

/** `touchstone export [run]`: a whole run as JSONL, or a run or a dataset in the form of another tool. */
export const exportRuns = defineCommand({
  name: 'export',
  summary: 'write a whole run as JSONL, or in the format of another tool',
  description:
    'Writes a whole run as JSONL, without loss, to standard output or a file; or converts it to the format of another tool, and lists every part that has no equivalent there. Sends nothing anywhere.',
  inputs,
  help: `
Examples:
  $ touchstone export > run.jsonl                   the last run
  $ touchstone export dwwq --output run.jsonl       the run whose id ends in dwwq

  $ touchstone export dwwq --salvage > run.jsonl    the intact records of a damaged run
  $ touchstone export --to promptfoo -o eval.json   for the viewer of promptfoo
  $ touchstone export --to inspect --dry-run        what an Inspect log would contain, and what not
  $ touchstone export --dataset golden.jsonl --to langfuse    the questions, as items of a dataset

The file contains the run, its questions and every answer, call and verdict; \`touchstone import\`
reads it. Every line carries a hash of itself and of all lines before it. A damaged run is refused
with exit code 4; --salvage writes the intact records, lists the others, and ends with exit code 2.`,
  run: async (input, output) =>
    input.to === undefined && input.dataset === undefined
      ? await writeRun(input, output)
      : await convert(input, output),
});

type ExportInput = InputOf<typeof inputs>;

/** Writes a run or a dataset in the form of another tool, and says what becomes of every part. */
async function convert({ run, to, dataset, ...input }: ExportInput, output: Output): Promise<number> {
  const { exportDataset } = await import('../../library/api/export-dataset.ts');
  const { exportTo, findExporter } = await import('../../library/api/export-to.ts');
  const { exportText } = await import('../../look/reporters/import-report.ts');
  const { describeFiles } = await import('../texts/exporting.ts');
  if (to === undefined) {
    throw new TouchstoneError('usage-invalid', '`--dataset` needs the name of another tool.', {
      remedy: 'Add `--to langfuse`, or another one that `touchstone export --help` lists.',
    });
  }
  const isDryRun = input.dryRun === true;
  const choices = { isDryRun, output: input.output };
  const record =
    dataset === undefined
      ? await exportTo(to, run, { ...choices, store: input.store })
      : await exportDataset(to, dataset, choices);
  const exporter = dataset === undefined ? findExporter(to) : undefined;
  const said = () =>
    `${exportText(record, { width: 100, color: output.view().color })}\n${describeFiles(record, { exporter, isDryRun })}\n`;
  return await output.print(input.json, record, said);
}

/** Writes a whole run as JSONL. Returns 2 when records are damaged. */
async function writeRun({ salvage, output: file, ...input }: ExportInput, output: Output): Promise<number> {
  const { openExport } = await import('../../library/api/archive.ts');
  const { withStore } = await import('../../library/api/open-store.ts');
  const { checkOutputFiles } = await import('../../library/api/output-files.ts');
  const { writeFile } = await import('../../library/api/write-file.ts');
  const { describeLabelsLeft } = await import('../texts/exporting.ts');
  const { damagedCode, describeLost, forTerminals } = await import('../write-records.ts');
  return await withStore({ store: input.store }, async (opened) => {
    await checkOutputFiles(file === undefined ? [] : [file], { store: opened });
    const isSalvage = salvage === true;
    const { run, lost, lines } = await openExport(input.run, opened, isSalvage);
    if (file === undefined) await output.writeAll(forTerminals(lines));
    else {
      await writeFile(file, lines);
      console.error(`Wrote run ${run.id} to ${file}.`);
    }
    if (run.status === 'running')
      console.error('The run is not complete: the file contains the answers so far.');
    const labels = await describeLabelsLeft(run.id, opened, isSalvage);
    if (labels !== undefined) console.error(labels);
    if (lost.length === 0) return 0;
    console.error(
      `${describeLost(lost)}\nImport the file into another store (--store) and resume the run there: only lost records are made again.`,
    );
    return damagedCode;
  });
}
