import { defineCommand } from '../../program/define-command.ts';
import { parsed } from '../../program/input.ts';
import { points } from '../../program/parse-option.ts';
import { json, outputTo, runName, store } from '../../program/shared-inputs.ts';

/** `touchstone grid [run]`: which setting matters, and which combination is worth its price. */
export const grid = defineCommand({
  name: 'grid',
  summary: 'show which setting of a grid matters, and which combination is worth its price',
  description:
    'Shows the combinations of a target with a `grid` of settings: scores and costs, the effect of each setting with its interval, and the combinations that no other beats in both score and cost. Makes no calls.',
  inputs: {
    run: runName,
    within: parsed(
      '<points>',
      'also name what is cheaper and not worse by more than this, in percentage points',
      points,
    ),
    output: outputTo('the grid to a .md or .json file'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone grid                        the grid of the last run
  $ touchstone grid latest --within 2      what is cheaper, and not worse by over 2 points
  $ touchstone grid dwwq --output grid.md

The exit code is 0 whatever the effects.`,
  run: async ({ run, within, json: isJson, output: names, store: place }, output) => {
    const { grid: read } = await import('../../../library/api/compare.ts');
    const { withStore } = await import('../../../library/api/open-store.ts');
    const { gridText } = await import('../../../look/reporters/grid.ts');
    const { chooseFormats, gridFormats } = await import('../../result-files.ts');
    const files = chooseFormats(names, gridFormats);
    return await withStore({ store: place }, async (opened) => {
      await files.check({ store: opened });
      const found = await read(run, { within, store: opened });
      await output.print(isJson, found, () => gridText(found, output.view(false)));
      return await files.write(found, 0);
    });
  },
});
