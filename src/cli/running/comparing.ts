import { TouchstoneError } from '../../core/errors.ts';
import type { KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import type { CompareChoices } from '../../decide/analysis/compare/compare-runs.ts';
import type { RegressionCheck } from '../../core/schema/decision.ts';
import type { RunComparison } from '../../core/schema/run-comparison.ts';
import { writePage } from '../../look/reporters/html-page.ts';
import { comparisonText } from '../../look/reporters/run-comparison/layout.ts';
import { readComparisonAnswers } from '../../server/comparison-answers.ts';
import type { Output } from '../output.ts';
import type { InputOf } from '../program/input.ts';
import type { json, regressionInputs, reportInputs } from '../program/shared-inputs.ts';
import {
  chooseFormats,
  comparisonFormats,
  type ResultFiles,
  type WrittenComparison,
} from '../result-files.ts';

/** The options on how a comparison is decided and reported. */
export type ComparisonFlags = InputOf<typeof regressionInputs> & {
  readonly output?: (typeof reportInputs.output)['value'];
  readonly json?: (typeof json)['value'];
};

/** The most that a page contains. */
const pageLimits = { cases: 2_000, bytes: 20_000_000 };

/** The most flipped answers that are listed: with `--verbose`, in files and JSON, and in a terminal. */
const mostFlips = { all: 10_000, written: 100, shown: 10 } as const;
const usualMargin = 0.05;

/** Returns what the comparison has to compute for these flags. */
export function choicesOf(flags: ComparisonFlags): Omit<CompareChoices, 'review'> {
  const isGate = flags.failOnRegression === true || flags.margin !== undefined;
  const isWritten = flags.json === true || (flags.output ?? []).length > 0;
  return {
    flips: mostFlips[flags.verbose === true ? 'all' : isWritten ? 'written' : 'shown'],
    ...(isGate ? { margin: flags.margin ?? usualMargin } : {}),
  };
}

/** Chooses the formats of the files. Throws `output-invalid` for an unknown one, and for a page that would not compare two runs. */
export function chooseComparisonFiles(
  files: readonly string[] | undefined,
  runs = 2,
): ResultFiles<WrittenComparison> {
  if (runs !== 2 && files?.some((file) => /\.html$/i.test(file)) === true) {
    throw new TouchstoneError('output-invalid', `A page compares two runs, and ${runs} are named.`, {
      remedy: 'Name two runs, or write a file whose name ends in .md or .json.',
    });
  }
  return chooseFormats(files, comparisonFormats);
}

/** Compared runs, each with the file that it was read from, if any. */
interface ComparedRuns {
  readonly comparison: RunComparison;
  readonly runs: readonly (KeptRun & { readonly file?: string })[];
  readonly storeFolder: string | undefined;
}

/** Where a comparison is reported, and the exit code of the result. */
interface ComparisonReport {
  readonly flags: ComparisonFlags;
  readonly output: Output;
  readonly files: ResultFiles<WrittenComparison>;
  readonly exitCode: number;
}

/** Prints a comparison, then writes it to the files. Returns the exit code. */
export async function reportComparison(
  { comparison, runs, storeFolder }: ComparedRuns,
  { flags, output, files, exitCode }: ComparisonReport,
): Promise<number> {
  const read = new Map(runs.flatMap(({ run, file }) => (file === undefined ? [] : [[run.id, file]])));
  const input = { comparison, storeFolder, files: read };
  await output.print(flags.json, comparison, () => comparisonText(input, output.view(flags.verbose)));
  const [a, b] = runs as readonly [KeptRun, KeptRun];
  const page = () => writePage(readComparisonAnswers({ a, b, comparison, storeFolder }, pageLimits));
  return await files.write({ ...input, page }, exitCode);
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
