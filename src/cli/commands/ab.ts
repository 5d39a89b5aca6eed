import { defineCommand } from '../program/define-command.ts';
import { flag, parsed, repeated, text, argument } from '../program/input.ts';
import { amount, duration, wholeNumber } from '../program/parse-option.ts';
import {
  cache,
  filter,
  json,
  limit,
  outputTo,
  regressionInputs,
  store,
  telemetryInputs,
} from '../program/shared-inputs.ts';

/** `touchstone ab [config] [config]`: two targets asked the same questions side by side, and compared. */
export const ab = defineCommand({
  name: 'ab',
  summary: 'ask two versions of a bot the same questions, and show which is better',
  description:
    'Asks two targets every question, taking turns so that the time of day favours neither; then shows whether B is better than A, and how sure that is.',
  inputs: {
    configs: argument(
      '[config...]',
      'a config for both, or one for A and one for B (default: the one in this folder)',
    ),
    a: text('<target>', 'which target is A, if a config has several'),
    b: text('<target>', 'which target is B'),
    set: repeated(
      '<path=value>',
      'change a setting for B, such as targets.0.model.model=gpt-5-mini; may be repeated',
    ),
    dataset: repeated('<file>', "golden set to use instead of the config's; `-` is standard input"),
    attempts: parsed('<k>', 'how many times each target tries each question', wholeNumber(1)),
    filter,
    limit,
    concurrency: parsed('<n>', 'attempts in flight, for both targets together', wholeNumber(1)),
    timeLimit: parsed('<ms>', 'time limit of one call in milliseconds', wholeNumber(1)),
    maxCost: parsed('<usd>', 'cost limit for targets, judges and users together', amount),
    maxTime: parsed('<duration>', 'start nothing new after 30min, 2h …', duration),
    resume: text('[run]', 'continue an interrupted test: the last one, or the one you name'),
    cache,
    dryRun: flag('show what would be called, and call nothing'),
    ...telemetryInputs,
    ...regressionInputs,
    output: outputTo('the comparison to a .html, .md or .json file'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone ab old.config.yaml new.config.yaml     two configs with a target each
  $ touchstone ab --a v1 --b v2                       two targets of the config here
  $ touchstone ab --set targets.0.model.model=gpt-5-mini   the bot unchanged, and with another model
  $ touchstone ab --set targets.bot.with.topK=8 --attempts 3 --max-cost 5
  $ touchstone ab --dry-run                           how many calls the run would make

PATH is a path into the config, with a target by its number or its name; VALUE is JSON or a text.
Only the target may differ: both sides share dataset, metrics, scorecard and settings.

Exit codes:
  0  A and B were compared, whatever the result
  1  with --fail-on-regression: B is shown to be worse by more than the margin
  2  not measured: not enough data, or the run ended early
  3  with --fail-on-regression: the data do not decide whether B is worse
  4  wrong usage, configuration or data; nothing was called
  130  interrupted with Ctrl-C; answers received so far are stored, --resume continues`,
  run: async (input, output) => await (await import('../running/ab.ts')).runAb(input, output),
});
