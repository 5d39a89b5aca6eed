import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import { gather, wholeNumber } from '../parse-option.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone runs` and `touchstone show`. */
export function addRecordCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('runs')
    .summary('list the runs that are kept')
    .description('Lists the runs that are kept, the newest first.')
    .addOption(new Option('--limit <n>', 'only the newest n').argParser(wholeNumber(1)))
    .addOption(new Option('--watch', 'show how runs go on, until Ctrl-C'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.runs)
    .action(async (flags) => exitWith(await (await import('../runs.ts')).runsCommand(flags)));

  program
    .command('show')
    .summary('print the report of a run again')
    .description('Prints the report of a run that is kept.')
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
    .addOption(
      new Option(
        '--case <id>',
        'one case in full: every turn, tool call and word of a judge; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.filterOption())
    .addOption(new Option('--failed', 'list only what did not pass'))
    .addOption(
      new Option(
        '--disagreements [kind]',
        'list the answers on which metrics contradict each other, the two verdicts side by side',
      ),
    )
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.show)
    .action(async (run, flags) => exitWith(await (await import('../show.ts')).showCommand(run, flags)));
}
