import path from 'node:path';
import { TouchstoneError } from '../../errors.ts';
import type { ComparisonInput } from '../../report/comparison-rows.ts';
import { comparisonJson } from '../../reporters/json.ts';
import { comparisonMarkdown } from '../../reporters/run-comparison/markdown.ts';
import { comparisonText } from '../../reporters/run-comparison/terminal.ts';
import type { CompareChoices } from '../../analysis/compare/compare-runs.ts';
import type { RegressionCheck, RunComparison } from '../../schema/run-comparison.ts';
import { type Output, viewOfTerminal } from '../output.ts';
import type { ReportChoices } from '../write-report.ts';
import { writeFile } from '../write-file.ts';

/** How a command tells a comparison, and what it asks of it. */
export interface ComparisonFlags extends ReportChoices {
  readonly failOnRegression?: boolean;
  /** As a share. */
  readonly margin?: number;
}

/** Flips that are told in full: where all are wanted, in files and in JSON, and at a terminal. */
const mostFlips = { all: 10_000, written: 100, shown: 10 } as const;
const usualMargin = 0.05;

/** What is asked of a comparison that is going to be told so. Throws `output-invalid` for a file of an unknown form. */
export function readComparisonFlags(flags: ComparisonFlags): CompareChoices {
  const files = flags.output ?? [];
  for (const file of files) writerFor(file);
  const isGate = flags.failOnRegression === true || flags.margin !== undefined;
  const isWritten = flags.json === true || files.length > 0;
  return {
    flips: mostFlips[flags.verbose === true ? 'all' : isWritten ? 'written' : 'shown'],
    ...(isGate ? { margin: flags.margin ?? usualMargin } : {}),
  };
}

/** Writes a comparison to the files asked for and prints it. Throws `output-unwritable`. */
export async function tellComparison(
  input: ComparisonInput,
  flags: ComparisonFlags,
  output: Output,
): Promise<void> {
  for (const file of flags.output ?? []) await writeFile(file, [writerFor(file)(input)]);
  const view = viewOfTerminal(flags.verbose === true);
  await output.write(flags.json === true ? comparisonJson(input) : comparisonText(input, view));
}

function writerFor(file: string): (input: ComparisonInput) => string {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.md') return comparisonMarkdown;
  if (extension === '.json') return comparisonJson;
  throw new TouchstoneError('output-invalid', `No comparison is written to files like ${file}.`, {
    remedy: 'Use a file name that ends in .md or .json.',
  });
}

const codes: Readonly<Record<RegressionCheck['decision'], number>> = {
  pass: 0,
  inconclusive: 3,
  'not-measured': 2,
  fail: 1,
};

/**
 * The exit code of a comparison with which a build stands or falls: a regression anywhere outweighs what was not measured,
 * and that what could not be decided.
 */
export function regressionExitCode({ comparisons }: RunComparison): number {
  const decisions = new Set(comparisons.map(({ regression }) => regression?.decision ?? 'not-measured'));
  const worst = (['fail', 'not-measured', 'inconclusive'] as const).find((decision) =>
    decisions.has(decision),
  );
  return codes[worst ?? 'pass'];
}
