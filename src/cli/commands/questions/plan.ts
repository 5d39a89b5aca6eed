import { defineCommand } from '../../program/define-command.ts';
import { parsed, text } from '../../program/input.ts';
import { percentage } from '../../program/parse-option.ts';
import { json, runName, store } from '../../program/shared-inputs.ts';

/** `touchstone plan [run]`: how many questions it takes to see a difference. */
export const plan = defineCommand({
  name: 'plan',
  summary: 'work out how many questions you need to see a difference',
  description:
    'Works out how many questions and attempts you need to see a difference between two versions, from the spread of the scores in a past run.',
  inputs: {
    run: runName,
    difference: parsed('<points>', 'the difference to detect, in percentage points', percentage).default(5),
    power: parsed('<percent>', 'the chance of detecting it if it exists', percentage).default(80),
    target: text('<name...>', 'the two targets to compare, or one'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone plan                           from the last run: the size needed to see 5 points
  $ touchstone plan dwwq --difference 2       a smaller difference
  $ touchstone plan --target v1 v2 --power 90`,
  run: async ({ run, difference, power, target: targets, ...flags }, output) => {
    const { planSize } = await import('../../../library/api/compare.ts');
    const { sizePlanText } = await import('../../texts/size-plan.ts');
    const question = { targets, difference: difference / 100, power: power / 100 };
    await output.print(flags.json, await planSize(run, { ...question, store: flags.store }), sizePlanText);
    return 0;
  },
});
