import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone init`. */
export function addInit(program: Command, exitWith: ExitWith): void {
  program
    .command('init')
    .summary('lay out a config, a dataset and a bot to start from')
    .description('Lays out a config, a golden set and a bot to start from. Overwrites nothing.')
    .argument('[folder]', 'where to; created when it is not there', '.')
    .addOption(
      new Option('--target <kind>', 'what your bot is: a function, a program, or an endpoint')
        .choices(['module', 'command', 'http'])
        .default('module'),
    )
    .addOption(option.jsonOption())
    .addHelpText('after', examples.init)
    .action(async (folder, flags) => exitWith(await (await import('../init.ts')).initCommand(folder, flags)));
}
