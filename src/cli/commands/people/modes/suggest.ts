import { interrupted, listenForInterrupts } from '../../../interrupts.ts';
import { defineCommand } from '../../../program/define-command.ts';
import { flag, parsed, text } from '../../../program/input.ts';
import { distance } from '../../../program/parse-option.ts';
import { json, maxCost, reviewTask, store } from '../../../program/shared-inputs.ts';
import { storeOf } from '../../../program/store-of.ts';

/** `touchstone modes suggest`: groups of notes, from the judge's model or from an embedder. */
export const suggest = defineCommand({
  name: 'suggest',
  description:
    "Suggests groups of the notes of what went wrong: by the judge's model, which sees notes and never answers, or by their similarity. Nothing counts until a person makes modes of them.",
  inputs: {
    task: text('<task>', `the notes of this review task only: ${reviewTask} (default: all notes)`),
    embed: flag('group by similarity, with the embedder of the config, and ask no model'),
    cut: parsed(
      '<distance>',
      'with --embed: the distance at which groups are no longer joined (default: 0.35)',
      distance,
    ),
    model: text('<model>', "the model to ask: a name, or a file (default: that of the config's judge)"),
    maxCost,
    config: text('<config>', 'config with the judge or the embedder (default: the one in this folder)'),
    json,
    store,
  },
  run: async (input, output) => {
    const { suggestModes } = await import('../../../../library/api/modes/suggest.ts');
    const { withWritableStore } = await import('../../../../library/api/open-store.ts');
    const { describeGrouping } = await import('../../../texts/suggested-modes.ts');
    const signals = listenForInterrupts((line) => console.error(line));
    const { task, embed, cut, model, config } = input;
    try {
      return await withWritableStore(storeOf(input), async (opened) => {
        const needs = { store: opened, signals, maxCost: input.maxCost };
        const suggested = await suggestModes({ task, embed, cut, model, config, ...needs });
        await output.print(input.json, suggested, describeGrouping);
        return signals.stop.aborted ? interrupted : 0;
      });
    } finally {
      signals.release();
    }
  },
});
