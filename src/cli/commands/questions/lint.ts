import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, repeated, text } from '../../program/input.ts';
import { datasetFormat, json, metadata } from '../../program/shared-inputs.ts';

/** `touchstone lint [file…]`: what is wrong with a dataset. */
export const lint = defineCommand({
  name: 'lint',
  summary: 'check a dataset before you trust numbers based on it',
  description:
    'Checks a dataset for duplicates, questions that ask the same thing, expectations that every answer meets or that none can meet, and questions that another file has as well. Makes no calls.',
  inputs: {
    files: argument('[file...]', "the files to check (default: the config's dataset); `-` is standard input"),
    against: repeated(
      '<file>',
      'a file that must not share a question with the dataset, such as training data; may be repeated',
    ),
    config: text(
      '<config>',
      'config with the metrics that read the dataset (default: the one in this folder)',
    ),
    datasetFormat: datasetFormat('the files, if their names do not show it'),
    metadata,
    skip: repeated('<rule>', 'turn a rule off; may be repeated'),
    strict: flag('exit with 1 for warnings as well'),
    verbose: flag('list every finding, not just the first five of each rule').short('v'),
    json,
  },
  help: `
Examples:
  $ touchstone lint golden.jsonl                     with the metrics of the config here, if any
  $ touchstone lint golden.jsonl --against train.jsonl   questions that are in both
  $ touchstone lint golden.csv extra.csv --strict    several files as one set; warnings fail, too
  $ touchstone lint --skip small-sample --json       the dataset of the config

To turn a rule off for one question, give it a tag: lint-skip:near-duplicate. The rules are
explained in docs/datasets.md.

Exit codes:
  0  nothing was found, or only warnings and notes
  1  errors; with --strict, warnings, too
  4  wrong usage, or a file that cannot be opened`,
  run: async ({ files, datasetFormat: format, skip, strict, ...input }, output) => {
    const { lint: check } = await import('../../../library/api/lint.ts');
    const { lintText } = await import('../../../look/reporters/lint.ts');
    const report = await check(files, {
      against: input.against,
      config: input.config,
      format,
      metadata: input.metadata,
      skip: skip?.flatMap((names) => names.split(',')).map((name) => name.trim()),
      onNotice: (message) => console.error(toTerminalText(message)),
    });
    await output.print(input.json, report, () => lintText(report, output.view(input.verbose)));
    const { error, warning } = report.counts;
    return error > 0 || (strict === true && warning > 0) ? 1 : 0;
  },
});
