import { appendFile } from 'node:fs/promises';
import { findReporterFor } from '../library/config/registries.ts';
import { messageOf, TouchstoneError } from '../core/errors.ts';
import { randomId } from '../core/lib/random-id.ts';
import { github } from '../look/reporters/github.ts';
import { json } from '../look/reporters/json.ts';
import { markdown } from '../look/reporters/markdown.ts';
import type { ReportInput, ReportView } from '../look/reporters/reporter.ts';
import { terminal } from '../look/reporters/terminal.ts';
import type { Run } from '../core/schema/run.ts';
import type { Summary } from '../core/schema/summary.ts';
import type { Store } from '../stores/store.ts';
import type { RunPart } from '../library/api/runs/run-part.ts';
import { printError } from './print-error.ts';
import { type Output, writeCommandsToStderr } from './output.ts';
import { checkOutputFiles, type OutputChecks } from '../library/api/output-files.ts';
import { writeEach, writeFile } from '../library/api/write-file.ts';

/** The options on the form and the content of a report. */
export interface ReportChoices {
  readonly json?: boolean;
  readonly verbose?: boolean;
  /** True when no text is shortened. */
  readonly full?: boolean;
  /** True when every number is shown with its n, clusters, coverage and method. */
  readonly methods?: boolean;
  /** True for the whole report where neither `verbose` nor `methods` asks for more than what is read first. */
  readonly whole?: boolean;
  /** Which pictures a page in one file has, where not as many as fit. */
  readonly attachments?: ReportView['attachments'];
  /** The files to write as well, with the format in their extension; or `github`. */
  readonly output?: readonly string[];
  /** The folder of the store, when a later command would not find it without `--store`. */
  readonly store?: string;
  /** The command that asks again only what did not pass; absent where nothing can be asked again. */
  readonly again?: string;
}

/** The source, the output and the options of a report. */
interface ReportNeeds {
  readonly store: Store;
  readonly output: Output;
  readonly choices: ReportChoices;
  /** The part to report; the whole run by default. */
  readonly part?: RunPart;
  /** The processes that work on the run, for the JSON report. */
  readonly workers?: ReportInput['workers'];
}

/** Throws `output-invalid` when a requested file has an unknown format. */
export function checkFormats({ output = [] }: ReportChoices): void {
  for (const file of filesOf(output)) findReporterFor(file);
}

/**
 * Checks the requested files before any work is done.
 * @throws TouchstoneError `output-invalid` for a file of an unknown format and for one that is an input; `output-unwritable`.
 */
export async function checkOutputs(choices: ReportChoices, checks: OutputChecks = {}): Promise<void> {
  checkFormats(choices);
  await checkOutputFiles(filesOf(choices.output), checks);
}

/** Prints the report of a run, then writes it to the requested files. Throws `output-unwritable`. */
export async function writeReport(
  run: Run,
  summary: Summary,
  { store, output, choices, part, workers }: ReportNeeds,
): Promise<void> {
  const input: ReportInput = {
    run,
    summary,
    results: (ordinals) => store.readResults(run.id, within(part, ordinals)),
    judgements: (ids) => store.readJudgements(run.id, ids),
    readBlob: async (hash) => await store.blobs.read(hash),
    narrowing: part?.narrowing,
    disagreements: part?.disagreements,
    workers,
    storeFolder: choices.store,
  };
  const isShort = choices.whole !== true && choices.verbose !== true && choices.methods !== true;
  const view = {
    ...output.view(choices.verbose, choices.methods),
    full: choices.full,
    isShort,
    attachments: choices.attachments,
  };
  const isJson = choices.json === true;
  const shown = { ...input, again: choices.again };
  const printReport = () => output.writeAll((isJson ? json : terminal).report(shown, view));
  const isForGithub = choices.output?.includes(githubOutput) === true;
  const write = isJson ? writeCommandsToStderr : output.writeCommands;
  await (isForGithub ? reportToGithub(input, view, { printReport, write }) : printReport());
  const writings = filesOf(choices.output).map(
    (file) => () => writeFile(file, findReporterFor(file).report(input, { ...view, color: false })),
  );
  const jobSummary = isForGithub ? (process.env['GITHUB_STEP_SUMMARY'] ?? '') : '';
  if (jobSummary !== '') writings.push(() => append(jobSummary, markdown.report(input, view)));
  await writeEach(writings);
}

/**
 * Writes what a command reports, and returns its exit code: the code of the result where there is one to report, whatever happens
 * to a file. Where the result alone would be 0, an output that cannot be written makes it 4.
 */
export async function exitCodeAfterWriting(exitCode: number, write: () => Promise<void>): Promise<number> {
  try {
    await write();
    return exitCode;
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code !== 'output-unwritable') throw error;
    const ownCode = await printError(error, false);
    return exitCode === 0 ? ownCode : exitCode;
  }
}

/** Returns the names given to `--output` that are files. */
function filesOf(outputs: readonly string[] = []): string[] {
  return outputs.filter((name) => name !== githubOutput);
}

/** Returns the ordinals that belong to the part; undefined means all. */
function within(
  part: RunPart | undefined,
  ordinals: readonly number[] | undefined,
): readonly number[] | undefined {
  if (part === undefined || ordinals === undefined) return part?.ordinals ?? ordinals;
  const inPart = new Set(part.ordinals);
  return ordinals.filter((ordinal) => inPart.has(ordinal));
}

/** The value of `--output` for a GitHub job: annotations in its log, and the report in its summary. */
const githubOutput = 'github';

/** The two ways of writing to the log of a GitHub job. */
interface GithubLog {
  /** Prints the report itself. */
  readonly printReport: () => Promise<void>;
  /** Writes to the log, in order with the report. */
  readonly write: (text: string) => Promise<void>;
}

/** Prints a report in which GitHub executes no commands, whatever a bot answered; then the annotations. */
async function reportToGithub(
  input: ReportInput,
  view: ReportView,
  { printReport, write }: GithubLog,
): Promise<void> {
  const token = randomId();
  await write(`::stop-commands::${token}\n`);
  await printReport();
  await write(`\n::${token}::\n`);
  for await (const piece of github.report(input, view)) await write(piece);
}

async function append(file: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of pieces) await appendFile(file, piece);
  } catch (error) {
    throw new TouchstoneError(
      'output-unwritable',
      `${file}, the summary of the job, cannot be written: ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}
