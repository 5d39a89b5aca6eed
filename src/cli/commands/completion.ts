import { defineCommand } from '../program/define-command.ts';
import { argument } from '../program/input.ts';

/** `touchstone completion SHELL`: the script that completes commands, options and values. */
export const completion = defineCommand({
  name: 'completion',
  summary: 'print a completion script for your shell',
  description: 'Prints a script that lets your shell complete commands, options, their values and files.',
  inputs: { shell: argument('<shell>', 'your shell').oneOf(['bash', 'zsh', 'fish']) },
  help: `
Examples:
  $ source <(touchstone completion bash)      in ~/.bashrc
  $ source <(touchstone completion zsh)       in ~/.zshrc, after compinit
  $ touchstone completion fish > ~/.config/fish/completions/touchstone.fish

When touchstone is installed in a project, add the folder node_modules/.bin to PATH.`,
  run: async ({ shell }, output, { parent }) => {
    const { completionScript } = await import('../completion.ts');
    if (parent !== null) await output.write(completionScript(parent, shell));
    return 0;
  },
});
