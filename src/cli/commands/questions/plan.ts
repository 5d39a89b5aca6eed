import { defineCommand } from '../../program/define-command.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { flag, parsed, text } from '../../program/input.ts';
import { percentage, points, share } from '../../program/parse-option.ts';
import { json, runName, store } from '../../program/shared-inputs.ts';

/** `touchstone plan [run]`: how many questions it takes to see a difference, or to rule out a loss. */
export const plan = defineCommand({
  name: 'plan',
  summary: 'work out how many questions you need to see a difference, or to show that nothing got worse',
  description:
    'Works out how many questions and attempts you need to see a difference between two versions, or to rule out a loss, from the spread of the scores in a past run. Questions that share a cluster count as what they are: one observation, or little more.',
  inputs: {
    run: runName,
    difference: parsed(
      '<points>',
      'the difference to detect, in percentage points (default: 5); with --margin, the true one (default: 0)',
      percentage,
    ),
    margin: parsed('<points>', 'the loss to rule out, in percentage points: plans for a gate', points),
    discordance: parsed(
      '<share>',
      'with --margin: the share of questions on which the versions differ, such as 10%, in place of a run',
      share,
    ),
    cluster: flag('plan by the clusters of the run, and refuse one without'),
    power: parsed('<percent>', 'the chance of detecting it if it exists', percentage).default(80),
    target: text('<name...>', 'the two targets to compare, or one'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone plan                           from the last run: the size needed to see 5 points
  $ touchstone plan dwwq --difference 2       a smaller difference
  $ touchstone plan --target v1 v2 --power 90
  $ touchstone plan latest --margin 5         the size that shows that nothing got worse by 5 points
  $ touchstone plan --margin 5 --discordance 10%`,
  run: async (
    { run, difference, margin, discordance, cluster, power, target: targets, ...flags },
    output,
  ) => {
    if (discordance !== undefined && margin === undefined) {
      throw new TouchstoneError('usage-invalid', '`--discordance` is about a loss to rule out.', {
        remedy: 'Name it: `--margin 5`.',
      });
    }
    const { planSize } = await import('../../../library/api/compare.ts');
    const { sizePlanText } = await import('../../texts/size-plan.ts');
    const question = {
      targets,
      difference: difference === undefined ? undefined : difference / 100,
      margin,
      discordance,
      cluster,
      power: power / 100,
    };
    return await output.print(
      flags.json,
      await planSize(run, { ...question, store: flags.store }),
      sizePlanText,
    );
  },
});
