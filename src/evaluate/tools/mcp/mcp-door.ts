import { rm } from 'node:fs/promises';
import { TouchstoneError } from '../../../core/errors.ts';
import { makeWorkFolder } from '../../../core/lib/files/work-folder.ts';
import { toJson } from '../../targets/reply/to-json.ts';
import { listMcpTools, type McpSurroundings } from '../../targets/chat/mcp.ts';
import { type McpServerOptions, readSecrets, refuseWrittenSecrets } from '../../targets/chat/mcp-options.ts';
import type { Door } from '../door.ts';
import { createCalls } from './mcp-calls.ts';
import { type DoorParts, McpHandling } from './mcp-handling.ts';
import { createHttpUpstream, type McpUpstream } from './mcp-upstream.ts';
import { toolsIn } from '../recorded-lists.ts';
import { createStdioUpstream, fillFolder, folderPlaceholder } from './stdio-upstream.ts';
import { createToolFacts } from './tool-facts.ts';

/** The surroundings of a door. */
export interface DoorNeeds extends McpSurroundings {
  /** True where no server is started or reached. */
  readonly isOffline: boolean;
}

/** Creates the door of an MCP server. Throws `target-invalid` or `environment-missing`. */
export function createMcpDoor(name: string, server: McpServerOptions, needs: DoorNeeds): Door {
  checkOptions(name, server);
  const { isOffline } = needs;
  const upstream = isOffline ? undefined : createUpstream(server, needs);
  const facts = createToolFacts(name);
  const parts: DoorParts = { name, upstream, facts, answer: createCalls(name, facts), resumable: new Map() };
  return {
    open: async () => await upstream?.open(),
    handle: async (request, response, path, attribute) => {
      // The protocol has one address; nothing else of the host is served.
      if (/^\/?(\?.*)?$/.test(path)) await new McpHandling(parts, request, response).handle(attribute);
      else response.writeHead(404).end();
    },
    listTools: async () => {
      if (isOffline) return undefined;
      const list = toJson({ tools: await listAlone(server, needs) });
      facts.learn(list);
      return toolsIn(list);
    },
    close: async () => await upstream?.close(),
  };
}

/** Lists the tools of a server; a program is started in a folder of its own for that. */
async function listAlone(server: McpServerOptions, needs: McpSurroundings) {
  const isFoldered = JSON.stringify(server.env).includes(folderPlaceholder);
  const folder = isFoldered ? await makeWorkFolder('tools') : '';
  try {
    return await listMcpTools({ ...server, env: fillFolder(server.env, folder) }, needs);
  } finally {
    if (isFoldered) await rm(folder, { recursive: true, force: true });
  }
}

/** Refuses options that the tools of a bot's own cannot have: what it is offered is the server's list. */
function checkOptions(name: string, server: McpServerOptions): void {
  refuseWrittenSecrets(server);
  const useless = server.only === undefined ? server.prefix !== '' && 'prefix' : 'only';
  if (useless === false) return;
  const message = `\`tools.servers.${name}.mcp.${useless}\` has no effect: the bot lists the tools of the server itself.`;
  throw new TouchstoneError('target-invalid', message, {
    remedy: 'Remove it; `tools.allow` and `tools.deny` refuse calls.',
  });
}

function createUpstream(server: McpServerOptions, { environment, folder }: McpSurroundings): McpUpstream {
  const { url, headers, headersFromEnv, envFrom } = server;
  const secrets = readSecrets([...envFrom, ...Object.values(headersFromEnv)], environment);
  if (url === undefined) return createStdioUpstream({ server, secrets, environment, folder });
  const secret = Object.entries(headersFromEnv).map(
    ([header, name]) => [header, secrets.get(name) ?? ''] as const,
  );
  return createHttpUpstream(new URL(url), new Map([...Object.entries(headers), ...secret]));
}
