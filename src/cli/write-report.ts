import { findReporterFor } from '../config/find-reporter.ts';
import { json } from '../reporters/json.ts';
import type { ReportInput } from '../reporters/reporter.ts';
import { terminal } from '../reporters/terminal.ts';
import type { Disagreement } from '../schema/disagreement.ts';
import type { Run } from '../schema/run.ts';
import type { Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { type Output, viewOfTerminal, writeCommandsToStderr } from './output.ts';
import { githubOutput, tellGithub } from './tell-github.ts';
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
