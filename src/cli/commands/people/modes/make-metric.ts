import { defineCommand } from '../../../program/define-command.ts';
import { argument, text } from '../../../program/input.ts';
import { json, store, yes } from '../../../program/shared-inputs.ts';
import { placeFlags, storeOf } from '../../../program/store-of.ts';

/** `touchstone modes make-metric <mode>`: a check or a judge that finds a failure mode, added to the config. */
export const makeMetric = defineCommand({
  name: 'make-metric',
  description:
    'Makes a metric of a failure mode, and shows the change of the config: a check by code where one finds the mode, otherwise a judge with examples, whose certificate the gate requires. One half of the questions is learned from, the other one counts. Makes no calls.',
  inputs: {
    mode: argument('<mode>', 'the id of the mode'),
    as: text('<kind>', 'the kind of metric (default: a check where one makes no error, else a judge)').oneOf([
      'check',
      'judge',
    ]),
    config: text('<config>', 'config to change (default: the one in this folder)'),
    yes,
    json,
    store,
  },
  run: async (input, output) => {
    const api = await import('../../../../library/api/modes/make-metric.ts');
    const { describeMade, describeWritten } = await import('../../../texts/made-metric.ts');
    const made = await api.makeMetric({
      mode: input.mode,
      as: input.as,
      ...storeOf(input),
      confirm: async (planned) => {
        if (input.json !== true) await output.write(describeMade(planned));
        if (input.yes === true) return true;
        const { confirm } = await import('../../../confirm.ts');
        await confirm({
          question: 'Add it to the config?',
          unasked: 'The metric was drafted, and nothing was written.',
          remedy: 'Add it to the config with `--yes`.',
          refused: 'Nothing was written.',
        });
        return true;
      },
    });
    return await output.print(input.json, made, () => describeWritten(made, placeFlags(input)));
  },
});
