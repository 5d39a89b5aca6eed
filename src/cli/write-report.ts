import { appendFile } from 'node:fs/promises';
import { findReporterFor } from '../config/registries.ts';
import { messageOf, TouchstoneError } from '../errors.ts';
import { randomId } from '../lib/random-id.ts';
import { github } from '../reporters/github.ts';
import { json } from '../reporters/json.ts';
import { markdown } from '../reporters/markdown.ts';
import type { ReportInput, ReportView } from '../reporters/reporter.ts';
import { terminal } from '../reporters/terminal.ts';
import type { Run } from '../schema/run.ts';
import type { Disagreement, Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { type Output, viewOfTerminal, writeCommandsToStderr } from './output.ts';
import { writeFile } from './write-file.ts';

/** In which forms a command tells a run. */
export interface ReportChoices {
  readonly json?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** Whether no text is cut, however long. */
  readonly full?: boolean | undefined;
  /** Whether every number is told with its n, clusters, coverage and method. */
  readonly methods?: boolean | undefined;
  /** Files to write as well, the end of the name choosing the form; or `github`. */
  readonly output?: readonly string[] | undefined;
  /** The folder of the store, where a later command would not find it by itself. */
  readonly store?: string | undefined;
}

/** The part of a run that a report lists. */
export interface RunPart {
  /** In the words of the command line. */
  readonly narrowing: string;
  /** Where its trials stand in the plan, in rising order. A place may be empty. */
  readonly ordinals: readonly number[];
  /** Where the part is listed as what metrics contradict each other on. */
  readonly disagreements?: readonly Disagreement[] | undefined;
}

interface ReportNeeds {
  readonly store: Store;
  readonly output: Output;
  readonly choices: ReportChoices;
  /** Everything when left out. */
  readonly part?: RunPart | undefined;
}

/** Makes sure that every file asked for is of a known form, before any work is done. Throws `output-invalid`. */
export function checkOutputs({ output = [] }: ReportChoices): void {
  for (const file of filesOf(output)) findReporterFor(file);
}

/** Prints the report of a run, and writes it to the files asked for. Throws `output-unwritable`. */
export async function writeReport(
  run: Run,
  summary: Summary,
  { store, output, choices, part }: ReportNeeds,
): Promise<void> {
  const input: ReportInput = {
    run,
    summary,
    results: (ordinals) => store.readResults(run.id, within(part, ordinals)),
    judgements: (ids) => store.readJudgements(run.id, ids),
    narrowing: part?.narrowing,
    disagreements: part?.disagreements,
    storeFolder: choices.store,
  };
  const view = { ...viewOfTerminal(choices.verbose === true, choices.methods === true), full: choices.full };
  for (const file of filesOf(choices.output)) {
    await writeFile(file, findReporterFor(file).report(input, { ...view, color: false }));
  }
  const isJson = choices.json === true;
  const printReport = () => output.writeAll((isJson ? json : terminal).report(input, view));
  if (choices.output?.includes(githubOutput) !== true) return await printReport();
  await tellGithub(input, view, {
    printReport,
    write: isJson ? writeCommandsToStderr : output.writeCommands,
  });
}

/** What `--output` names, without what is no file. */
function filesOf(outputs: readonly string[] = []): string[] {
  return outputs.filter((name) => name !== githubOutput);
}

/** Of some places those that are in a part; undefined for all. */
function within(
  part: RunPart | undefined,
  ordinals: readonly number[] | undefined,
): readonly number[] | undefined {
  if (part === undefined || ordinals === undefined) return part?.ordinals ?? ordinals;
  const inPart = new Set(part.ordinals);
  return ordinals.filter((ordinal) => inPart.has(ordinal));
}

/** What `--output` takes in place of a file: annotations in the log, and the report in the summary of the job. */
const githubOutput = 'github';

/** How the log of a GitHub job is written. */
interface GithubLog {
  /** Prints the report itself. */
  readonly printReport: () => Promise<void>;
  /** Writes to the log, in order with the report. */
  readonly write: (text: string) => Promise<void>;
}

/**
 * Prints a report in which GitHub reads no commands, whatever a bot has said; then the annotations; and appends the
 * Markdown report to the summary of the job where there is one. Throws `output-unwritable`.
 */
async function tellGithub(
  input: ReportInput,
  view: ReportView,
  { printReport, write }: GithubLog,
): Promise<void> {
  const token = randomId();
  await write(`::stop-commands::${token}\n`);
  await printReport();
  await write(`\n::${token}::\n`);
  for await (const piece of github.report(input, view)) await write(piece);
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '') await append(summary, markdown.report(input, view));
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
