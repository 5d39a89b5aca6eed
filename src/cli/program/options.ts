import { Option } from 'commander';
import { datasetFormats } from '../../evaluate/datasets/dataset.ts';
import { gather, percentage, wholeNumber } from './parse-option.ts';

// Options that several commands share. Every command gets a new one, since commander keeps state in them.

/** Creates `--store`: the folder where runs are stored. */
export const storeOption = () =>
  new Option(
    '--store <folder>',
    "folder with the stored runs, or the address of a database (default: the config's, or .touchstone)",
  );

/** Creates `--json`: one document for programs. */
export const jsonOption = () =>
  new Option('--json', 'print one JSON document; messages go to standard error');

/** Creates `--verbose`: every question in full. */
export const verboseOption = () =>
  new Option('-v, --verbose', 'show question, answer, tools and every verdict of each case');

/** Creates `--methods`: the statistics behind every interval. */
export const methodsOption = () =>
  new Option('--methods', 'show n, clusters, coverage and method of every interval; --verbose includes this');

/** Creates `--output`: reports in files. */
export const outputOption = () =>
  new Option(
    '-o, --output <file>',
    'also write the report to a file: .html (a page to share), .json, .md, .csv or .parquet (one row per answer) or .xml (JUnit); or to a GitHub job: `github`; may be repeated',
  ).argParser<string[]>(gather);

/** Creates `--filter`: a selection of cases. */
export const filterOption = () =>
  new Option(
    '--filter <expr>',
    'only some cases: category=hybrid, id=tax-*, tag!=slow; may be repeated',
  ).argParser<string[]>(gather);

/** Creates `--dataset-format`: the format of files whose names do not show it. */
export const datasetFormatOption = (files: string) =>
  new Option('--dataset-format <format>', `format of ${files}`).choices(datasetFormats);

/** Creates `--metadata`: columns that look like expectations but are metadata. */
export const metadataOption = () =>
  new Option('--metadata <name...>', 'columns to read as metadata, even if they look like expectations');

/** Creates `--skip-duplicates`: rows that repeat an id or content are left out. */
export const skipDuplicatesOption = () =>
  new Option('--skip-duplicates', 'skip rows that repeat an id or content, and say how many');

/** Creates `--limit`: the first cases only. */
export const limitOption = () =>
  new Option('--limit <n>', 'only the first n cases').argParser(wholeNumber(1));

/** Creates `--fail-under`: the score that the gate requires. */
export const failUnderOption = () =>
  new Option(
    '--fail-under <percent>',
    'exit with 1 if the overall score is below this, such as 85',
  ).argParser(percentage);

/** Creates `--sequential`: the run ends once the gate is decided. */
export const sequentialOption = () =>
  new Option('--sequential', 'ask in random order, and stop as soon as the gate is decided; see below');

/** Creates `--no-sequential`: every question is asked, whatever the config says. */
export const noSequentialOption = () =>
  new Option('--no-sequential', 'ask every question even if the config sets gate.sequential');

/** Creates `--baseline`: the baseline of the gate. */
export const baselineOption = () =>
  new Option(
    '--baseline <name|file>',
    'compare the run with a baseline: a name, or a file that `baseline export` wrote',
  );

/** Creates `--dataset`: one or more files of the golden set. */
export const datasetOption = (meaning: string) =>
  new Option('--dataset <file>', meaning).argParser<string[]>(gather);

/** Creates `--no-cache`: stored judgements are not reused. */
export const noCacheOption = () =>
  new Option('--no-cache', 'ask judges again even if a judgement is stored; both are stored');

/** Creates `--faults`: faults in the target's tools. */
export const faultsOption = () =>
  new Option(
    '--faults <kinds>',
    'also run every target with faults in its tools: timeout,error@0.5 or all; see below',
  ).argParser<string[]>(gather);

/** Creates `--perturb`: changed forms of the questions. */
export const perturbOption = () =>
  new Option(
    '--perturb <kinds>',
    'also ask every question in changed forms: typos,case:upper or all; see below',
  ).argParser<string[]>(gather);

/** Creates `--otel`: spans for a tracing tool. */
export const otelOption = () =>
  new Option(
    '--otel [url]',
    "send OpenTelemetry spans to a collector: this URL, the config's, or OTEL_EXPORTER_OTLP_ENDPOINT",
  );

/** Creates `--otel-content`: texts are part of the spans. */
export const otelContentOption = () =>
  new Option(
    '--otel-content',
    'with --otel: also send questions, answers, prompts, tool arguments and results',
  );

/** Creates `--resume`: an earlier run to continue. */
export const resumeOption = () =>
  new Option(
    '--resume [run]',
    'continue an interrupted run: the last one, or the one you name; asks only for missing answers',
  );

/** Creates `--view`: the dashboard beside the run. */
export const viewOption = () =>
  new Option('--view', 'follow the run in the browser; press Ctrl-C when you are done');

/** Creates `--watch`: a run after each edit. */
export const watchOption = () =>
  new Option('--watch', 'whenever a file changes, ask again only what the change affects, until Ctrl-C');

/** Creates `--port`: the port of the dashboard. */
export const portOption = () =>
  new Option('--port <n>', 'the port to serve on (default: 7357, or a free one when it is taken)').argParser(
    wholeNumber(1, 65_535),
  );

/** Creates `--no-open`: no browser. */
export const noOpenOption = () => new Option('--no-open', 'print the address, but open no browser');

/** A function that receives the exit code of the executed command. */
export type ExitWith = (exitCode: number) => void;
