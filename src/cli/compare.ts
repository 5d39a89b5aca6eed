import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../errors.ts';
import type { ComparisonInput } from '../reporters/run-comparison/comparison-input.ts';
import { comparisonJson } from '../reporters/run-comparison/json.ts';
import { comparisonMarkdown } from '../reporters/run-comparison/markdown.ts';
import { comparisonText } from '../reporters/run-comparison/terminal.ts';
import { compareRuns } from '../run/compare-runs.ts';
import type { TargetChoice } from '../run/compare-runs/pick-targets.ts';
import type { RegressionCheck, RunComparison } from '../schema/run-comparison.ts';
import { findComparedRun, type FoundRun } from './find-compared-run.ts';
import { findStoreFolder, openStore } from './open-store.ts';
import { claimStdout, viewOfTerminal } from './output.ts';
import type { ReportChoices } from './write-report.ts';

/** The options of `touchstone compare`, as the command line gives them. */
export interface CompareFlags extends ReportChoices {
  /** Which targets belong together: `A=B`, or one name for both. */
  readonly target?: readonly string[];
  readonly failOnRegression?: boolean;
  /** As a share. */
  readonly margin?: number;
}

/** Flips that are told in full: where all are wanted, in files and in JSON, and at a terminal. */
const mostFlips = { all: 10_000, written: 100, shown: 10 } as const;
const usualMargin = 0.05;

/** `touchstone compare A B …`: holds runs against the first, paired by question. Gives the exit code. */
export async function compareCommand(given: readonly string[], flags: CompareFlags): Promise<number> {
  const output = claimStdout();
  const files = (flags.output ?? []).map((file) => ({ file, write: writerFor(file) }));
  const store = await openStore(flags.store);
  try {
    const runs: FoundRun[] = [];
    const places = { store, storeFolder: await findStoreFolder(flags.store) };
    for (const name of given) runs.push(await findComparedRun(name, places));
    const isGate = flags.failOnRegression === true || flags.margin !== undefined;
    const isWritten = flags.json === true || files.length > 0;
    const comparison = await compareRuns(runs, {
      targets: flags.target?.map(parseTargets),
      flips: mostFlips[flags.verbose === true ? 'all' : isWritten ? 'written' : 'shown'],
      ...(isGate ? { margin: flags.margin ?? usualMargin } : {}),
    });
    const input: ComparisonInput = {
      comparison,
      storeFolder: flags.store,
      files: new Map(runs.flatMap(({ run, file }) => (file === undefined ? [] : [[run.id, file]]))),
    };
    for (const { file, write } of files) await writeComparison(file, write(input));
    const view = viewOfTerminal(flags.verbose === true);
    await output.write(flags.json === true ? comparisonJson(input) : comparisonText(input, view));
    return flags.failOnRegression === true ? exitCodeOf(comparison) : 0;
  } finally {
    await store.close();
  }
}

function writerFor(file: string): (input: ComparisonInput) => string {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.md') return comparisonMarkdown;
  if (extension === '.json') return comparisonJson;
  throw new TouchstoneError('output-invalid', `No comparison is written to files like ${file}.`, {
    remedy: 'Use a file name that ends in .md or .json.',
  });
}

async function writeComparison(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new TouchstoneError('output-unwritable', `${file} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function parseTargets(given: string): TargetChoice {
  const [, a = given, b = given] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  return { a, b };
}

const codes: Readonly<Record<RegressionCheck['decision'], number>> = {
  pass: 0,
  inconclusive: 3,
  'not-measured': 2,
  fail: 1,
};

/** A regression anywhere outweighs what was not measured, and that what could not be decided. */
function exitCodeOf({ comparisons }: RunComparison): number {
  const decisions = new Set(comparisons.map(({ regression }) => regression?.decision ?? 'not-measured'));
  const worst = (['fail', 'not-measured', 'inconclusive'] as const).find((decision) =>
    decisions.has(decision),
  );
  return codes[worst ?? 'pass'];
}
