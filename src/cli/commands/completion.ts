import type { Command } from 'commander';
import { examples } from '../help-texts.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone completion`. */
export function addCompletion(program: Command, exitWith: ExitWith): void {
  const command = program
    .command('completion')
    .summary('let a shell complete commands, options and files')
    .description('Prints a script by which a shell completes commands, options, their values and files.');
  command
    .addArgument(command.createArgument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples.completion)
    .action(async (shell) => {
      const { printCompletion } = await import('../completion/shells.ts');
      exitWith(await printCompletion(program, shell));
    });
}
