import { defineCommand } from '../program/define-command.ts';
import { exitCodes, filterGrammar } from '../program/help-sections.ts';
import { argument, flag, inGroup, parsed, repeated, text } from '../program/input.ts';
import { moment, timeWindow, wholeNumber } from '../program/parse-option.ts';
import {
  cache,
  filter,
  gateInputs,
  json,
  limit,
  metadata,
  reportInputs,
  store,
} from '../program/shared-inputs.ts';

/** `touchstone score FILE`: recorded answers scored without calling a target. */
export const score = defineCommand({
  name: 'score',
  summary: 'score recorded answers; calls no target',
  description: 'Scores recorded answers. Calls no target; metrics that need a judge call it.',
  inputs: {
    file: argument(
      '[file]',
      'a file with questions, expectations and answers; or only answers, with --dataset',
    ),
    dataset: repeated('<file>', 'golden set, if the file has only answers'),
    metadata,
    config: text('<config>', 'config with the scorecard, metrics and gate to use'),
    filter,
    limit,
    cache,
    ...gateInputs,
    ...inGroup('The live assistant:', {
      traces: flag('score stored traces of production by the `watch` of the config, in place of a file'),
      since: parsed('<time>', 'with --traces: the traces of the last 1d, 36h, 1w (default: 1d)', timeWindow),
      sample: parsed(
        '<n>',
        'with --traces: score at most n, drawn at random (default: 200)',
        wholeNumber(1, 10_000),
      ),
      until: parsed(
        '<time>',
        'with --traces: the end of the window, for a day that was missed (default: now)',
        moment,
      ),
    }),
    ...reportInputs,
    json,
    store,
  },
  help: `
Examples:
  $ touchstone score answers.jsonl                      questions and answers in one file
  $ touchstone score answers.csv --dataset golden.csv   matched by id or by question
  $ touchstone score traces.json --dataset golden.jsonl   OpenTelemetry or OpenInference traces
  $ touchstone score answers.jsonl --config . --fail-under 85
  $ touchstone score --traces --since 1d --sample 200 --config live.yaml   once a day
${filterGrammar}${exitCodes}`,
  run: async ({ file, ...input }, output) => {
    if (input.traces === true || file === undefined) {
      const { scoreStoredTraces } = await import('../running/score-traces.ts');
      return await scoreStoredTraces({ file, ...input }, output);
    }
    const { scoreFile } = await import('../running/score.ts');
    return await scoreFile(file, input, output);
  },
});
