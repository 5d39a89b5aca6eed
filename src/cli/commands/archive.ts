import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone export`, `import`, `delete` and `check`. */
export function addArchiveCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('export')
    .summary('write a whole run as JSONL')
    .description('Writes a whole run as JSONL, without loss, to standard output or a file.')
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
    .addOption(new Option('-o, --output <file>', 'the file to write (default: standard output)'))
    .addOption(new Option('--salvage', 'of a damaged run: write what is whole, and list what is not'))
    .addOption(option.storeOption())
    .addHelpText('after', examples.export)
    .action(async (run, flags) => exitWith(await (await import('../export.ts')).exportCommand(run, flags)));

  program
    .command('import')
    .summary('add an exported run to the store')
    .description(
      'Adds a run that `touchstone export` wrote to the store: all of it, or nothing when the file is cut short or was changed.',
    )
    .argument('<file>', 'the JSONL file; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.import)
    .action(async (file, flags) => exitWith(await (await import('../import.ts')).importCommand(file, flags)));

  program
    .command('delete')
    .summary('remove runs permanently')
    .description('Removes runs permanently, with all that belongs to them. Asks first, unless --yes.')
    .argument('<run...>', 'their ids, or the beginning or end of them')
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.delete)
    .action(async (runs, flags) => exitWith(await (await import('../delete.ts')).deleteCommand(runs, flags)));

  program
    .command('check')
    .summary('look for damage in the store')
    .description(
      'Looks through the store for records that are damaged or missing, and totals that do not add up.',
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.check)
    .action(async (flags) => exitWith(await (await import('../check.ts')).checkCommand(flags)));
}
