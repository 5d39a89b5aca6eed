import { defineCommand } from '../../program/define-command.ts';
import { flag, parsed, text } from '../../program/input.ts';
import { amount } from '../../program/parse-option.ts';

/** `touchstone mcp`: the tools of a project for coding agents, until their client ends. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve this project to coding agents, by the Model Context Protocol',
  description:
    'Serves the tools of this project to a coding agent by the Model Context Protocol: over standard input and output, or over HTTP on this machine. A client starts it; docs/agents.md says how.',
  inputs: {
    config: text('<config>', 'a config file, or a folder with one (default: this folder)'),
    http: text(
      '[port]',
      'over HTTP on this machine, with a key in a file (port: 7357, or a free one when it is taken)',
    ),
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
  $ touchstone mcp --http                   for a client that connects, until Ctrl-C

In a client:  {"command": "npx", "args": ["--no-install", "touchstone", "mcp"]}

Standard output is the protocol and nothing else; messages for people go to standard error.`,
  run: async (input, output) => {
    const { answerProjectCall } = await import('../../agents/local-project.ts');
    if (await answerProjectCall()) return 0;
    return await (await import('../../agents/serve-mcp.ts')).serveMcp(input, output);
  },
});
