import { defineCommand } from '../program/define-command.ts';
import { argument, repeated } from '../program/input.ts';
import { json, outputTo, regressionInputs, store } from '../program/shared-inputs.ts';

/** `touchstone compare A B …`: runs compared with the first, paired by question. */
export const compare = defineCommand({
  name: 'compare',
  summary: 'show whether one run is better than another, and how sure that is',
  description:
    'Compares each run with the first, question by question: better, worse, no visible difference, or not enough data. Shows every measure and the answers that flipped. Makes no calls.',
  inputs: {
    names: argument(
      '<run|file...>',
      'two or more runs: ids or parts of ids, latest, latest~1, baselines, names of runs, or exported files',
    ),
    target: repeated('<a=b>', 'pair targets with different names; may be repeated'),
    ...regressionInputs,
    output: outputTo('the comparison to a .md or .json file, or, for two runs, to one .html page'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone compare latest~1 latest              the last run against the one before
  $ touchstone compare main latest --output report.md    against the baseline main
  $ touchstone compare main latest --output report.html  a page to send, with both answers
  $ touchstone compare run.jsonl latest             against an exported run
  $ touchstone compare dwwq x3ab --target bot=bot-v2
  $ touchstone compare dwwq latest --fail-on-regression --margin 3
  $ touchstone compare dwwq x3ab k7fe               all against the first, and a ranking

Questions are paired by what is asked and expected, whatever their ids; attempts are averaged first.
The exit code is 0 whatever the result; with --fail-on-regression it is 1 for a regression, 2 when
it was not measured, 3 when the data do not decide it.`,
  run: async ({ names, target, store: place, ...flags }, output) => {
    const { withNamedRuns } = await import('../../library/api/named-runs.ts');
    const { compareRuns } = await import('../../people/reviews/compare-runs.ts');
    const comparing = await import('../running/comparing.ts');
    const files = comparing.chooseComparisonFiles(flags.output, names.length);
    return await withNamedRuns(names, { store: place }, async (runs, opened) => {
      await files.check({ store: opened, reads: names });
      const targets = target?.map((text) => {
        const [, a = text, b = text] = /^([^=]+)=(.+)$/.exec(text) ?? [];
        return { a, b };
      });
      const comparison = await compareRuns(runs, { ...comparing.choicesOf(flags), targets });
      const exitCode = flags.failOnRegression === true ? comparing.regressionExitCode(comparison) : 0;
      return await comparing.reportComparison(
        { comparison, runs, storeFolder: place },
        { flags, output, files, exitCode },
      );
    });
  },
});
