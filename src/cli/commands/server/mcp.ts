import { defineCommand } from '../../program/define-command.ts';
import { flag, parsed, text } from '../../program/input.ts';
import { amount } from '../../program/parse-option.ts';

/** `touchstone mcp`: the tools of a project for coding agents, until their client ends. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve this project to coding agents, by the Model Context Protocol',
  description:
    'Serves the tools of this project to a coding agent over standard input and output, by the Model Context Protocol. A client starts it; docs/mcp.md says how.',
  inputs: {
    config: text('<config>', 'a config file, or a folder with one (default: this folder)'),
    readOnly: flag('only tools that read: nothing can be started or stopped'),
    maxCost: parsed(
      '<usd>',
      'what an agent may spend on a run without asking (default: agents.maxCost of the config)',
      amount,
    ),
  },
  help: `
Examples:
  $ touchstone mcp                          as a client starts it: the config in this folder
  $ touchstone mcp --config bots --read-only

In a client:  {"command": "npx", "args": ["--no-install", "touchstone", "mcp"]}

Standard output is the protocol and nothing else; messages for people go to standard error.`,
  run: async (input, output) => {
    const { answerProjectCall } = await import('../../agents/local-project.ts');
    if (await answerProjectCall()) return 0;
    return await (await import('../../agents/serve-mcp.ts')).serveMcp(input, output);
  },
});
