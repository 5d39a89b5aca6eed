import { defineCommand } from '../../program/define-command.ts';
import { argument } from '../../program/input.ts';

/** `touchstone mcp-proxy`: an MCP server that a bot starts itself, behind the proxy of a run. */
export const mcpProxy = defineCommand({
  name: 'mcp-proxy',
  summary: 'start an MCP server whose calls a run observes, mocks or replays',
  description:
    'Starts an MCP server over stdio for a bot that starts its servers itself. During a run, the use of tools passes the `tools` setting of the config; outside a run every byte passes as it is.',
  inputs: {
    name: argument('<name>', 'the name of the server in reports and mocks, such as memory'),
    command: argument('<command...>', 'the program to start, with its arguments, after `--`'),
  },
  help: `
In the config of the bot, in place of the server's own command:
  {"command": "touchstone",
   "args": ["mcp-proxy", "memory", "--", "npx", "-y", "@modelcontextprotocol/server-memory"],
   "env": {"TOUCHSTONE_TOOLS_URL": "…"}}

It reads the address of the run in TOUCHSTONE_TOOLS_URL, which a bot finds in its environment or
in its request. Most clients pass only a few variables to their servers: write it into \`env\`.

Examples:
  $ touchstone mcp-proxy memory -- npx -y @modelcontextprotocol/server-memory`,
  run: async ({ name, command }, output) => {
    const { runShim } = await import('../../../evaluate/tools/mcp/shim.ts');
    const address = process.env['TOUCHSTONE_TOOLS_URL'];
    const write = async (bytes: Buffer) => await output.writeCommands(bytes.toString('utf8'));
    return await runShim({ name, command, address, input: process.stdin, write });
  },
});
