import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, parsed, text } from '../../program/input.ts';
import { wholeNumber } from '../../program/parse-option.ts';
import { json, outputTo, store } from '../../program/shared-inputs.ts';

/** `touchstone matrix A B C`: the answers of several runs or targets side by side. */
export const matrix = defineCommand({
  name: 'matrix',
  summary: 'show the answers of several runs or targets side by side',
  description:
    'Shows each question with the answers of up to eight runs or targets: how each turned out, its score, and the first reason of a failure. Makes no calls.',
  inputs: {
    columns: argument(
      '[column...]',
      'runs, named as in compare; `run:target` for one of its targets (default: the targets of the latest run)',
    ),
    filter: text('<expr>', 'only some rows: cells=differ, cells=all-fail, cells=only-c-fails, a.passed=true'),
    sort: text(
      '<order>',
      'the order of the rows: mean, -spread, id, c.total (default: the order of the dataset, or the lowest mean score first where not all are shown)',
    ),
    limit: parsed('<n>', 'the number of rows', wholeNumber(1)).default(200),
    verbose: flag('show longer answers').short('v'),
    output: outputTo('the matrix to a .html, .md or .json file'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone matrix v1 v2 v3                      three runs, by their names
  $ touchstone matrix latest                        the targets of one run
  $ touchstone matrix v2 v3 --filter cells=differ   the questions on which they differ
  $ touchstone matrix v1 v2 v3 --filter cells=only-c-fails --output only-v3.md
  $ touchstone matrix v1 v2 v3 --output v1-v2-v3.html
  $ touchstone matrix dwwq:small dwwq:large x3ab:large --sort -spread

Questions are paired by what is asked and expected, whatever their ids. Columns are a, b, c, … in
filters: \`a.passed=true c.total<0.5\`. The exit code is 0 whatever the answers.`,
  run: async ({ columns, filter: where, json: isJson, output: names, store: place, ...choices }, output) => {
    const { matrix: read } = await import('../../../library/api/compare.ts');
    const { withStore } = await import('../../../library/api/open-store.ts');
    const { matrixText } = await import('../../../look/reporters/matrix.ts');
    const { chooseFormats, matrixFormats } = await import('../../result-files.ts');
    const files = chooseFormats(names, matrixFormats);
    const { sort, limit, verbose } = choices;
    return await withStore({ store: place }, async (opened) => {
      await files.check({ store: opened });
      const named = columns.length === 0 ? ['latest'] : columns;
      const found = await read(named, { where, sort, limit, store: opened });
      await output.print(isJson, found, () => matrixText(found, output.view(verbose)));
      return await files.write(found, 0);
    });
  },
});
