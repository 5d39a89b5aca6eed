import { lint } from '../../library/api/lint.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { lintText } from '../../look/reporters/lint.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';

/** The options of `touchstone lint`, as parsed from the command line. */
export interface LintFlags {
  readonly against?: readonly string[];
  readonly config?: string;
  readonly datasetFormat?: string;
  readonly metadata?: readonly string[];
  readonly skip?: readonly string[];
  readonly strict?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Runs `touchstone lint`: checks a dataset and prints what was found. Returns the exit code. */
export async function lintCommand(files: readonly string[], flags: LintFlags): Promise<number> {
  const output = claimStdout();
  const { against, config, datasetFormat: format, metadata } = flags;
  const report = await lint(files, {
    against,
    config,
    format,
    metadata,
    skip: flags.skip?.flatMap((names) => names.split(',')).map((name) => name.trim()),
    onNotice: (message) => {
      console.error(toTerminalText(message));
    },
  });
  const { color } = viewOfTerminal(false);
  const view = { verbose: flags.verbose === true, color };
  await output.write(flags.json === true ? jsonDocument(report) : lintText(report, view));
  const { error, warning } = report.counts;
  return error > 0 || (flags.strict === true && warning > 0) ? 1 : 0;
}
