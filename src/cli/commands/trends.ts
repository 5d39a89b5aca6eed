import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { trendsCsv } from '../../look/reporters/trends/csv.ts';
import { trendsJson } from '../../look/reporters/json.ts';
import { trendsMarkdown } from '../../look/reporters/trends/markdown.ts';
import { trendsText } from '../../look/reporters/trends/terminal.ts';
import type { TrendsInput } from '../../look/report/trends.ts';
import { traceTrends } from '../../people/reviews/trace-trends.ts';
import { openStore } from '../open-store.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';
import { checkOutputFiles } from '../../library/api/output-files.ts';
import { writeEach, writeFile } from '../../library/api/write-file.ts';
import { exitCodeAfterWriting } from '../write-report.ts';

/** The options of `touchstone trends`, as parsed from the command line. */
export interface TrendsFlags {
  readonly target?: readonly string[];
  readonly category?: string;
  readonly metric?: string;
  readonly last: number;
  /** The start of the period, in milliseconds since 1970. */
  readonly since?: number;
  readonly branch?: string;
  readonly output?: readonly string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone trends`: reports how targets scored from run to run, and where that changed. Returns the exit code. */
export async function trendsCommand(flags: TrendsFlags): Promise<number> {
  const output = claimStdout();
  const files = (flags.output ?? []).map((file) => ({ file, write: writerFor(file) }));
  const { target: targets, category, metric, last, since, branch } = flags;
  const store = await openStore(flags.store);
  try {
    await checkOutputFiles(flags.output ?? [], { store });
    const trends = await traceTrends(store, { targets, category, metric, last, since, branch });
    const input: TrendsInput = { trends, storeFolder: flags.store };
    await output.write(flags.json === true ? trendsJson(input) : trendsText(input, viewOfTerminal(false)));
    const writings = files.map(
      ({ file, write }) =>
        () =>
          writeFile(file, [write(input)]),
    );
    return await exitCodeAfterWriting(0, () => writeEach(writings));
  } finally {
    await store.close();
  }
}

const writers: Readonly<Record<string, (input: TrendsInput) => string>> = {
  '.md': trendsMarkdown,
  '.json': trendsJson,
  '.csv': trendsCsv,
};

function writerFor(file: string): (input: TrendsInput) => string {
  const writer = writers[path.extname(file).toLowerCase()];
  if (writer !== undefined) return writer;
  throw new TouchstoneError('output-invalid', `Trends cannot be written as ${file}.`, {
    remedy: 'Use a file name that ends in .md, .json or .csv.',
  });
}
