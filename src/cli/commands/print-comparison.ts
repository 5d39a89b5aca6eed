import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import type { ComparisonInput } from '../../look/report/comparison/rows.ts';
import { comparisonJson } from '../../look/reporters/json.ts';
import { comparisonMarkdown } from '../../look/reporters/run-comparison/markdown.ts';
import { comparisonText } from '../../look/reporters/run-comparison/terminal.ts';
import type { CompareChoices } from '../../decide/analysis/compare/compare-runs.ts';
import type { RegressionCheck, RunComparison } from '../../core/schema/run-comparison.ts';
import { type Output, viewOfTerminal } from '../output.ts';
import type { ReportChoices } from '../write-report.ts';
import { writeEach, writeFile } from '../../library/api/write-file.ts';

/** The options that comparing commands share: how the comparison is printed, and what makes the command fail. */
export interface ComparisonFlags extends ReportChoices {
  readonly failOnRegression?: boolean;
  /** The largest difference that does not matter, as a share. */
  readonly margin?: number;
}

/** The most flipped answers that are listed: with `--verbose`, in files and JSON, and in a terminal. */
const mostFlips = { all: 10_000, written: 100, shown: 10 } as const;
const usualMargin = 0.05;

/**
 * Returns what the comparison has to compute for these flags. Throws `output-invalid` for a file of an unknown format, and for
 * a page that would not compare two runs.
 * @param runs - The number of runs, where the command can write a page.
 */
export function readComparisonFlags(flags: ComparisonFlags, runs?: number): Omit<CompareChoices, 'review'> {
  const files = flags.output ?? [];
  for (const file of files) if (!isPage(file) || runs === undefined) writerFor(file, runs);
  if (runs !== undefined && runs !== 2 && files.some(isPage)) {
    throw new TouchstoneError('output-invalid', `A page compares two runs, and ${runs} are named.`, {
      remedy: 'Name two runs, or write a file whose name ends in .md or .json.',
    });
  }
  const isGate = flags.failOnRegression === true || flags.margin !== undefined;
  const isWritten = flags.json === true || files.length > 0;
  return {
    flips: mostFlips[flags.verbose === true ? 'all' : isWritten ? 'written' : 'shown'],
    ...(isGate ? { margin: flags.margin ?? usualMargin } : {}),
  };
}

/** Prints a comparison, then writes it to the requested files. Throws `output-unwritable`. */
export async function printComparison(
  input: ComparisonInput,
  flags: ComparisonFlags,
  output: Output,
  page?: () => AsyncIterable<string>,
): Promise<void> {
  const view = viewOfTerminal(flags.verbose === true);
  await output.write(flags.json === true ? comparisonJson(input) : comparisonText(input, view));
  const writings = (flags.output ?? []).map(
    (file) => () => writeFile(file, page !== undefined && isPage(file) ? page() : [writerFor(file)(input)]),
  );
  await writeEach(writings);
}

/** Returns whether a file is a page, with the components of the dashboard. */
function isPage(file: string): boolean {
  return path.extname(file).toLowerCase() === '.html';
}

function writerFor(file: string, runs?: number): (input: ComparisonInput) => string {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.md') return comparisonMarkdown;
  if (extension === '.json') return comparisonJson;
  throw new TouchstoneError('output-invalid', `A comparison cannot be written as ${file}.`, {
    remedy:
      runs === undefined
        ? 'Use a file name that ends in .md or .json.'
        : 'Use a file name that ends in .md or .json, or for two runs in .html.',
  });
}

const codes: Readonly<Record<RegressionCheck['decision'], number>> = {
  pass: 0,
  inconclusive: 3,
  'not-measured': 2,
  fail: 1,
};

/**
 * Returns the exit code of a comparison under `--fail-on-regression`. A regression anywhere outweighs a comparison that was
 * not measured, which outweighs one that is undecided.
 */
export function regressionExitCode({ comparisons }: RunComparison): number {
  const decisions = new Set(comparisons.map(({ regression }) => regression?.decision ?? 'not-measured'));
  const worst = (['fail', 'not-measured', 'inconclusive'] as const).find((decision) =>
    decisions.has(decision),
  );
  return codes[worst ?? 'pass'];
}
