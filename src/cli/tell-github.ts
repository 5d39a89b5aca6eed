import { appendFile } from 'node:fs/promises';
import { messageOf, TouchstoneError } from '../errors.ts';
import { randomId } from '../lib/random-id.ts';
import { github } from '../reporters/github.ts';
import { markdown } from '../reporters/markdown.ts';
import type { ReportInput, ReportView } from '../reporters/reporter.ts';

/** What `--output` takes in place of a file: annotations in the log, and the report in the summary of the job. */
export const githubOutput = 'github';

/** How the log of a GitHub job is written. */
export interface GithubLog {
  /** Prints the report itself. */
  readonly printReport: () => Promise<void>;
  /** Writes to the log, in order with the report. */
  readonly write: (text: string) => Promise<void>;
}

/**
 * Prints a report in which GitHub reads no commands, whatever a bot has said; then the annotations; and appends the
 * Markdown report to the summary of the job where there is one. Throws `output-unwritable`.
 */
export async function tellGithub(
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
