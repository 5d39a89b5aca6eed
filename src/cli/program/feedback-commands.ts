import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { wholeNumber } from './parse-option.ts';

/** Adds the command `touchstone feedback` with its own commands. */
export function addFeedback(program: Command, exitWith: ExitWith): void {
  const feedback = program
    .command('feedback')
    .summary('what users said of answers, and how many said nothing')
    .description(
      'Stores and summarizes the feedback of users: thumbs, stars, edits, escalations and outcomes.',
    )
    .addHelpText('after', examples.feedback);
  const load = async () => await import('../commands/feedback.ts');
  feedback
    .command('import')
    .description('Adds the feedback of a JSONL file. What is stored already is left out.')
    .argument('<file>', 'the JSONL file; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  feedback
    .command('show')
    .description('Summarizes feedback by category and period, with what those may think who said nothing.')
    .addOption(
      new Option('--by <period>', 'the length of the periods')
        .choices(['day', 'week', 'month'])
        .default('week'),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).showCommand(flags)));
  feedback
    .command('list')
    .description('Lists the newest records of feedback with the answers that they are about.')
    .addOption(new Option('--limit <n>', 'so many records').argParser(wholeNumber(1)).default(50))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  feedback
    .command('forget-users')
    .description('Removes the key with which users are hashed, so that no hash can be traced to a person.')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).forgetUsersCommand(flags)));
}
