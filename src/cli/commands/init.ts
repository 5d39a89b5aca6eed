import { defineCommand } from '../program/define-command.ts';
import { argument, text } from '../program/input.ts';
import { json } from '../program/shared-inputs.ts';

/** The kinds of project that `touchstone init` can create: the folders of `templates/`. */
const templates = ['module', 'command', 'http'] as const;

/** `touchstone init [folder]`: a config, a dataset and a bot to start from. */
export const init = defineCommand({
  name: 'init',
  summary: 'create a config, a dataset and a bot to start from',
  description: 'Creates a config, a golden set and a bot to start from. Overwrites nothing.',
  inputs: {
    folder: argument('[folder]', 'the folder to create them in; created if missing').default('.'),
    target: text('<kind>', 'what your bot is: a function, a program, or an endpoint')
      .oneOf(templates)
      .default('module'),
    json,
  },
  help: `
Examples:
  $ touchstone init my-eval                    a bot that is a TypeScript function
  $ touchstone init my-eval --target command   a bot in any language, run as a process
  $ touchstone init my-eval --target http      a bot behind an endpoint`,
  run: async ({ folder, target, json: isJson }, output) => {
    const { createProject, describeProject } = await import('../create-project.ts');
    const project = await createProject(folder, target);
    const text = await describeProject(project);
    await output.print(isJson, { folder: project.folder, files: project.files }, () => text);
    return 0;
  },
});
