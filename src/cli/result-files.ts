import path from 'node:path';
import { TouchstoneError } from '../core/errors.ts';
import { jsonDocument } from '../core/lib/objects.ts';
import type { RunGrids } from '../core/schema/api/comparison/grid.ts';
import type { Matrix } from '../core/schema/api/comparison/matrix.ts';
import type { PeoplePreferenceReport } from '../core/schema/api/preference/people.ts';
import type { PreferenceReport } from '../core/schema/api/preference/report.ts';
import type { ModeComparison, ModeTable } from '../core/schema/modes/mode-table.ts';
import { checkOutputFiles, type OutputChecks } from '../library/api/output-files.ts';
import { type Pieces, writeEach, writeFile } from '../library/api/write-file.ts';
import type { ComparisonInput } from '../look/report/comparison/rows.ts';
import type { TrendsInput } from '../look/report/trends.ts';
import { gridMarkdown } from '../look/reporters/grid.ts';
import { matrixHtml } from '../look/reporters/html-matrix.ts';
import { matrixMarkdown } from '../look/reporters/matrix.ts';
import { modeComparisonMarkdown, modesMarkdown } from '../look/reporters/modes/text.ts';
import { preferenceHtml } from '../look/reporters/preferences/html.ts';
import { preferenceMarkdown } from '../look/reporters/preferences/text.ts';
import { comparisonMarkdown } from '../look/reporters/run-comparison/layout.ts';
import { trendsCsv } from '../look/reporters/trends/csv.ts';
import { trendsMarkdown } from '../look/reporters/trends/text.ts';
import { exitCodeAfterWriting } from './write-report.ts';

/** The formats of a result: for each extension of a file, the function that formats it. */
interface ResultFormats<Result> {
  /** The subject, such as `Trends`. */
  readonly name: string;
  readonly writers: Readonly<Record<string, (result: Result) => string | Pieces>>;
}

/** The formats of trends. */
export const trendsFormats: ResultFormats<TrendsInput> = {
  name: 'Trends',
  writers: { '.md': trendsMarkdown, '.json': ({ trends }) => jsonDocument(trends), '.csv': trendsCsv },
};

/** A comparison, and its page with the answers of both sides. */
export interface WrittenComparison extends ComparisonInput {
  readonly page: () => AsyncIterable<string>;
}

/** The formats of a comparison of runs. */
export const comparisonFormats: ResultFormats<WrittenComparison> = {
  name: 'A comparison',
  writers: {
    '.html': ({ page }) => page(),
    '.md': comparisonMarkdown,
    '.json': ({ comparison }) => jsonDocument(comparison),
  },
};

/** The formats of a matrix. */
export const matrixFormats: ResultFormats<Matrix> = {
  name: 'A matrix',
  writers: { '.html': matrixHtml, '.md': matrixMarkdown, '.json': jsonDocument },
};

/** The formats of a table of failure modes. */
export const modesFormats: ResultFormats<ModeTable> = {
  name: 'A table of failure modes',
  writers: { '.md': modesMarkdown, '.json': jsonDocument },
};

/** The formats of a comparison of failure modes. */
export const modeComparisonFormats: ResultFormats<ModeComparison> = {
  name: 'A comparison of failure modes',
  writers: { '.md': modeComparisonMarkdown, '.json': jsonDocument },
};

/** The formats of grids of settings. */
export const gridFormats: ResultFormats<RunGrids> = {
  name: 'A grid',
  writers: { '.md': gridMarkdown, '.json': jsonDocument },
};

/** The formats of a comparison of answers by a judge. */
export const preferenceFormats: ResultFormats<PreferenceReport> = {
  name: 'A comparison of answers',
  writers: { '.html': preferenceHtml, '.md': preferenceMarkdown, '.json': jsonDocument },
};

/** The formats of a comparison of answers by people. */
export const peoplePreferenceFormats: ResultFormats<PeoplePreferenceReport> = {
  name: preferenceFormats.name,
  writers: { '.html': preferenceHtml, '.json': jsonDocument },
};

/** The files that a command writes its result to as well. */
export interface ResultFiles<Result> {
  /** Checks the files before any work is done; see `checkOutputFiles`. */
  check(checks: OutputChecks): Promise<void>;
  /** Writes them, after the result was printed; see `exitCodeAfterWriting`. */
  write(result: Result, exitCode: number): Promise<number>;
}

/** Chooses the formats of files by their names. Throws `output-invalid` for an unknown extension. */
export function chooseFormats<Result>(
  files: readonly string[] = [],
  { name, writers }: ResultFormats<Result>,
): ResultFiles<Result> {
  const chosen = files.map((file) => {
    const write = writers[path.extname(file).toLowerCase()];
    if (write !== undefined) return { file, write };
    const known = Object.keys(writers);
    throw new TouchstoneError('output-invalid', `${name} cannot be written as ${file}.`, {
      remedy: `Use a file name that ends in ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
    });
  });
  return {
    check: async (checks) => await checkOutputFiles(files, checks),
    write: async (result, exitCode) =>
      await writeAll(
        chosen.map(({ file, write }) => ({ file, content: () => write(result) })),
        exitCode,
      ),
  };
}

/** Writes a result as JSON to files of any names, after it was printed. Returns the exit code. */
export async function writeJsonFiles(
  files: readonly string[],
  result: unknown,
  exitCode: number,
): Promise<number> {
  return await writeAll(
    files.map((file) => ({ file, content: () => jsonDocument(result) })),
    exitCode,
  );
}

async function writeAll(
  files: readonly { readonly file: string; readonly content: () => string | Pieces }[],
  exitCode: number,
): Promise<number> {
  const writings = files.map(({ file, content }) => async () => {
    const pieces = content();
    await writeFile(file, typeof pieces === 'string' ? [pieces] : pieces);
  });
  return await exitCodeAfterWriting(exitCode, async () => await writeEach(writings));
}
