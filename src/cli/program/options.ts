import { Option } from 'commander';
import { gather, percentage, wholeNumber } from './parse-option.ts';

// Options that several commands have. Each use is a new one, since commander keeps state in them.

/** `--store`: where runs are kept. */
export const storeOption = () =>
  new Option('--store <folder>', "folder that keeps the runs (default: the config's, or .touchstone)");

/** `--json`: one document for machines. */
export const jsonOption = () =>
  new Option('--json', 'print one JSON document; messages go to standard error');

/** `--verbose`: every question in full. */
export const verboseOption = () =>
  new Option('-v, --verbose', 'show question, answer, tools and every verdict of each case');

/** `--methods`: how sure every number is. */
export const methodsOption = () =>
  new Option('--methods', 'show n, clusters, share measured and method of every interval; so does --verbose');

/** `--output`: reports in files. */
export const outputOption = () =>
  new Option(
    '-o, --output <file>',
    'also write the report to a .json, .md, .csv (a row for each answer) or .xml (JUnit) file, or to a GitHub job: `github`; may be repeated',
  ).argParser<string[]>(gather);

/** `--filter`: some cases only. */
export const filterOption = () =>
  new Option(
    '--filter <expr>',
    'only some cases: category=hybrid, id=tax-*, tag!=slow; may be repeated',
  ).argParser<string[]>(gather);

/** `--metadata`: columns that look like an expectation and are none. */
export const metadataOption = () =>
  new Option('--metadata <name...>', 'columns to keep as metadata, whatever they look like');

/** `--skip-duplicates`: rows whose id was there before are left out. */
export const skipDuplicatesOption = () =>
  new Option('--skip-duplicates', 'leave out rows whose id or content was there before, and say how many');

/** `--limit`: the first cases only. */
export const limitOption = () =>
  new Option('--limit <n>', 'only the first n cases').argParser(wholeNumber(1));

/** `--fail-under`: a gate. */
export const failUnderOption = () =>
  new Option('--fail-under <percent>', 'exit with 1 when the overall score is lower, such as 85').argParser(
    percentage,
  );

/** `--sequential`: no more questions than it takes. */
export const sequentialOption = () =>
  new Option('--sequential', 'ask in a random order, and only until the gate is decided; see below');

/** `--no-sequential`: every question, whatever the config says. */
export const noSequentialOption = () =>
  new Option('--no-sequential', 'ask every question though the config says gate.sequential');

/** `--baseline`: what a run is held against. */
export const baselineOption = () =>
  new Option(
    '--baseline <name|file>',
    'hold the run against a baseline: a name, or a file that `baseline export` wrote',
  );

/** `--dataset`: the golden set, or several files of one. */
export const datasetOption = (meaning: string) =>
  new Option('--dataset <file>', meaning).argParser<string[]>(gather);

/** `--no-cache`: judges are asked again. */
export const noCacheOption = () =>
  new Option('--no-cache', 'ask judges again what they have answered before; both answers are kept');

/** `--faults`: faults in the tools. */
export const faultsOption = () =>
  new Option(
    '--faults <kinds>',
    'also run every target with faults in its tools: timeout,error@0.5 or all; see below',
  ).argParser<string[]>(gather);

/** `--perturb`: questions put in another way. */
export const perturbOption = () =>
  new Option(
    '--perturb <kinds>',
    'also put every question in other ways: typos,case:upper or all; see below',
  ).argParser<string[]>(gather);

/** `--otel`: spans for a tracing tool. */
export const otelOption = () =>
  new Option(
    '--otel [url]',
    "send OpenTelemetry spans to a collector: this one, the config's, or OTEL_EXPORTER_OTLP_ENDPOINT",
  );

/** `--otel-content`: what was said, in spans. */
export const otelContentOption = () =>
  new Option('--otel-content', 'with --otel: send questions, answers, prompts and what tools were given too');

/** Told the exit code of the command that was run. */
export type ExitWith = (exitCode: number) => void;
