import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { amount, duration, gather, moment, points, wholeNumber } from './parse-option.ts';

/** Adds the command `touchstone compare`. */
export function addCompare(program: Command, exitWith: ExitWith): void {
  program
    .command('compare')
    .summary('show whether one run is better than another, and how sure that is')
    .description(
      'Compares each run with the first, question by question: better, worse, no visible difference, or not enough data. Shows every measure and the answers that flipped. Makes no calls.',
    )
    .argument(
      '<run|file...>',
      'two or more runs: ids or parts of ids, latest, latest~1, baselines, or exported files',
    )
    .addOption(
      new Option('--target <a=b>', 'pair targets with different names; may be repeated').argParser<string[]>(
        gather,
      ),
    )
    .addOption(
      new Option(
        '--fail-on-regression',
        'exit with 1 when B is shown to be worse by more than the margin, 3 when undecided',
      ),
    )
    .addOption(
      new Option(
        '--margin <points>',
        'largest difference that does not matter, in points (default: 5)',
      ).argParser(points),
    )
    .addOption(new Option('-v, --verbose', 'show every flipped question and every category'))
    .addOption(
      new Option(
        '-o, --output <file>',
        'also write the comparison to a .md or .json file, or, for two runs, to one .html page; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.compare)
    .action(async (runs, flags) =>
      exitWith(await (await import('../commands/compare.ts')).compareCommand(runs, flags)),
    );
}

/** Adds the command `touchstone ab`. */
export function addAb(program: Command, exitWith: ExitWith): void {
  const command = program
    .command('ab')
    .summary('ask two versions of a bot the same questions, and show which is better')
    .description(
      'Asks two targets every question, taking turns so that the time of day favours neither; then shows whether B is better than A, and how sure that is.',
    )
    .argument(
      '[config...]',
      'a config for both, or one for A and one for B (default: the one in this folder)',
    )
    .addOption(new Option('--a <target>', 'which target is A, if a config has several'))
    .addOption(new Option('--b <target>', 'which target is B'))
    .addOption(
      new Option(
        '--set <path=value>',
        'change a setting for B, such as targets.0.model.model=gpt-5-mini; may be repeated',
      ).argParser<string[]>(gather),
    );
  for (const each of [...callingOptions(), ...reportOptions()]) command.addOption(each);
  command.addHelpText('after', examples.ab).action(async (configs, flags) => {
    exitWith(await (await import('../commands/ab.ts')).abCommand(configs, flags));
  });
}

/** Returns the options on how both targets are called. */
function callingOptions(): Option[] {
  return [
    option.datasetOption("golden set to use instead of the config's; `-` is standard input"),
    new Option('--attempts <k>', 'how many times each target tries each case').argParser(wholeNumber(1)),
    option.filterOption(),
    option.limitOption(),
    new Option('--concurrency <n>', 'trials in flight, for both targets together').argParser(wholeNumber(1)),
    new Option('--time-limit <ms>', 'time limit of one call in milliseconds').argParser(wholeNumber(1)),
    new Option('--max-cost <usd>', 'cost limit for targets, judges and users together').argParser(amount),
    new Option('--max-time <duration>', 'start nothing new after 30min, 2h …').argParser(duration),
    new Option('--resume [run]', 'continue an interrupted test: the last one, or the one you name'),
    option.noCacheOption(),
    new Option('--dry-run', 'show what would be called, and call nothing'),
    option.otelOption(),
    option.otelContentOption(),
  ];
}

/** Returns the options on how the comparison is reported. */
function reportOptions(): Option[] {
  return [
    new Option(
      '--fail-on-regression',
      'exit with 1 when B is shown to be worse by more than the margin, 3 when undecided',
    ),
    new Option(
      '--margin <points>',
      'largest difference that does not matter, in points (default: 5)',
    ).argParser(points),
    new Option('-v, --verbose', 'show every flipped question and every category'),
    new Option(
      '-o, --output <file>',
      'also write the comparison to a .html, .md or .json file; may be repeated',
    ).argParser<string[]>(gather),
    option.jsonOption(),
    option.storeOption(),
  ];
}

/** Adds the command `touchstone prefer`. */
export function addPrefer(program: Command, exitWith: ExitWith): void {
  program
    .command('prefer')
    .summary('ask a judge which of two answers is better, case by case')
    .description(
      'Asks the judge of the config to compare the stored answers of each pair of targets, blind and in both orders. Prints the win rate, and a ranking of three targets or more. Calls no target; stored judgements are reused, not paid for again.',
    )
    .argument('<run...>', 'one run with several targets, or several runs: ids, latest, latest~1, baselines')
    .addOption(
      new Option('--config <config>', 'config with the judge to ask (default: the one in this folder)'),
    )
    .addOption(
      new Option('--target <name>', 'only this target; may be repeated (default: all)').argParser<string[]>(
        gather,
      ),
    )
    .addOption(
      new Option('--criterion <text>', 'what makes an answer better (default: it helps the person more)'),
    )
    .addOption(
      new Option(
        '--order <order>',
        'ask each pair in both orders, or once in a random order for half the price',
      )
        .choices(['both', 'random'])
        .default('both'),
    )
    .addOption(new Option('--seed <seed>', 'seed of random orders and of the ranking (default: 0)'))
    .addOption(new Option('--max-cost <usd>', 'ask nothing more once this is spent').argParser(amount))
    .addOption(
      new Option('--by <whom>', "whose preferences: the judge's, or people's, from their labels")
        .choices(['judge', 'people'])
        .default('judge'),
    )
    .addOption(
      new Option(
        '--task <task>',
        'with --by people: the review task (default: the newest one for these runs)',
      ),
    )
    .addOption(new Option('--dry-run', 'print what would be asked and what it would cost, and ask nothing'))
    .addOption(
      new Option(
        '-o, --output <file>',
        'also write the report to a .md or .json file; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.prefer)
    .action(async (runs, flags) =>
      exitWith(await (await import('../commands/prefer.ts')).preferCommand(runs, flags)),
    );
}

/** Adds the command `touchstone trends`. */
export function addTrends(program: Command, exitWith: ExitWith): void {
  program
    .command('trends')
    .summary('show how scores, latency and cost changed from run to run')
    .description(
      'Shows how targets scored from run to run and commit to commit, with intervals, and marks where the level changed. Makes no calls.',
    )
    .addOption(new Option('--target <name>', 'only this target; may be repeated').argParser<string[]>(gather))
    .addOption(new Option('--category <name>', 'only the questions of one category'))
    .addOption(new Option('--metric <name>', 'show a metric instead of the score'))
    .addOption(new Option('--last <n>', 'only the newest n runs').argParser(wholeNumber(1)).default(30))
    .addOption(
      new Option('--since <when>', 'only runs since a day, such as 2026-02-11, or of the last 14d').argParser(
        moment,
      ),
    )
    .addOption(new Option('--branch <name>', 'only runs on this git branch'))
    .addOption(
      new Option(
        '-o, --output <file>',
        'also write the trends to a .md, .json or .csv file; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.trends)
    .action(async (flags) => exitWith(await (await import('../commands/trends.ts')).trendsCommand(flags)));
}
