import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import { moment } from '../parse-moment.ts';
import { gather, wholeNumber } from '../parse-option.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone trends`. */
export function addTrends(program: Command, exitWith: ExitWith): void {
  program
    .command('trends')
    .summary('show how scores, latency and cost went from run to run')
    .description(
      'Shows how targets did from run to run and commit to commit, with intervals, and marks where the level changed. Calls nothing.',
    )
    .addOption(new Option('--target <name>', 'only this target; may be repeated').argParser<string[]>(gather))
    .addOption(new Option('--category <name>', 'only the questions of a category'))
    .addOption(new Option('--metric <name>', 'a metric in place of the score'))
    .addOption(new Option('--last <n>', 'only the newest n runs').argParser(wholeNumber(1)).default(30))
    .addOption(new Option('--since <when>', 'only runs since 2026-02-11, or since 14d ago').argParser(moment))
    .addOption(new Option('--branch <name>', 'only runs of a branch of git'))
    .addOption(
      new Option(
        '-o, --output <file>',
        'also write the trends to a .md, .json or .csv file; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.trends)
    .action(async (flags) => exitWith(await (await import('../trends.ts')).trendsCommand(flags)));
}
