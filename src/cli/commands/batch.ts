import { defineCommand } from '../program/define-command.ts';
import { text } from '../program/input.ts';
import { json, runName, store } from '../program/shared-inputs.ts';
import { storeOf } from '../program/store-of.ts';

const cancel = defineCommand({
  name: 'cancel',
  summary: 'cancel the batches of a run',
  description:
    'Cancels the batches in which the judges and targets of a run are asked. Answers that have arrived by then are stored, and paid for.',
  inputs: {
    run: runName,
    config: text('<config>', 'the config of the run (default: the one in this folder)'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone batch cancel                         the batches of the last run
  $ touchstone batch cancel dwwq

\`touchstone run --resume\` gathers what was answered, and asks the rest again.`,
  run: async ({ run, config, ...flags }, output) => {
    const { cancelBatches } = await import('../../library/api/runs/cancel-batches.ts');
    const { formatPlural } = await import('../../look/report/format.ts');
    const cancelled = await cancelBatches(run, storeOf({ ...flags, config }));
    for (const name of cancelled.unknown)
      console.error(`The config has no model with the batches of ${name}: they were left as they are.`);
    await output.print(flags.json, cancelled, ({ run: id, batches, requests }) =>
      batches === 0
        ? `Run ${id} has no batch to cancel.\n`
        : `Cancelled ${formatPlural(batches, 'batch', 'batches')} of ${formatPlural(requests, 'question')}. The answers that arrived are stored: touchstone run --resume ${id}\n`,
    );
    return cancelled.unknown.length === 0 ? 0 : 4;
  },
});

/** `touchstone batch`: the batches in which judges and targets are asked. */
export const batch = defineCommand({
  name: 'batch',
  summary: 'cancel batches of questions',
  description:
    'Questions to judges and to bots that are models, in batches at half the price: docs/limits.md. `touchstone runs` lists what is pending.',
  help: `
Examples:
  $ touchstone batch cancel                         the batches of the last run`,
  commands: [cancel],
});
