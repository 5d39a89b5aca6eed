import { defineCommand } from '../program/define-command.ts';
import { parsed, repeated, text } from '../program/input.ts';
import { moment, wholeNumber } from '../program/parse-option.ts';
import { json, outputTo, store } from '../program/shared-inputs.ts';

/** `touchstone trends`: how targets scored from run to run, and where that changed. */
export const trends = defineCommand({
  name: 'trends',
  summary: 'show how scores, latency and cost changed from run to run',
  description:
    'Shows how targets scored from run to run and commit to commit, with intervals, and marks where the level changed. Makes no calls.',
  inputs: {
    target: repeated('<name>', 'only this target; may be repeated'),
    category: text('<name>', 'only the questions of one category'),
    metric: text('<name>', 'show a metric instead of the score'),
    last: parsed('<n>', 'only the newest n runs', wholeNumber(1)).default(30),
    since: parsed('<when>', 'only runs since a day, such as 2026-02-11, or of the last 14d', moment),
    branch: text('<name>', 'only runs on this git branch'),
    output: outputTo('the trends to a .md, .json or .csv file'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone trends                               the newest 30 runs
  $ touchstone trends --branch main --since 30d --output trends.md
  $ touchstone trends --category hybrid
  $ touchstone trends --metric keywords --target assistant --json

Runs are compared only with runs that ask the same questions and score by the same rules; a line
separates them where that changed. A mark says which level changed, how much, and between which
commits. The exit code is 0 whatever the result.`,
  run: async ({ target: targets, output: names, json: isJson, store: place, ...choices }, output) => {
    const { trends: trace } = await import('../../library/api/compare.ts');
    const { withStore } = await import('../../library/api/open-store.ts');
    const { trendsText } = await import('../../look/reporters/trends/text.ts');
    const { chooseFormats, trendsFormats } = await import('../result-files.ts');
    const files = chooseFormats(names, trendsFormats);
    return await withStore({ store: place }, async (opened) => {
      await files.check({ store: opened });
      const input = { trends: await trace({ ...choices, targets, store: opened }), storeFolder: place };
      await output.print(isJson, input.trends, () => trendsText(input, output.view()));
      return await files.write(input, 0);
    });
  },
});
