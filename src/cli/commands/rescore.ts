import { defineCommand } from '../program/define-command.ts';
import { exitCodes } from '../program/help-sections.ts';
import { rescoreInputs, runName } from '../program/shared-inputs.ts';

/** `touchstone rescore [run]`: stored answers scored again, as a new run. */
export const rescore = defineCommand({
  name: 'rescore',
  summary: 'score stored answers again; calls no target',
  description:
    'Scores the stored answers of a run with the metrics, scorecard, judge and gate of the config, and stores the result as a new run. With --weights, shows what other weights would change.',
  inputs: { run: runName, ...rescoreInputs },
  help: `
Examples:
  $ touchstone rescore                              the last run, with the current config
  $ touchstone rescore dwwq --config strict.yaml    with the rules of another config
  $ touchstone rescore --weights 'correct time=0.35,clear explanation=0.1'
  $ touchstone rescore --weights 'correct time=0.35' --keep

A new metric or judge sees every stored answer. Judgements that are already stored are reused, not
paid for again.${exitCodes}`,
  run: async (input, output) => await (await import('../running/rescore.ts')).rescoreRun(input, output),
});
