import { createServer as createHttpServer } from 'node:http';
import { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { isSameSecret } from '../../privacy/accounts/secrets.ts';
import { addFailures } from '../add-dashboard.ts';
import { securityHeaders } from '../security-headers.ts';
import { answerWith, listenOn } from '../serve.ts';
import type { McpProject } from './project.ts';
import { createServer } from './server.ts';

/** The names by which this machine calls itself. */
const ownNames = ['127.0.0.1', 'localhost'];

/** A server over HTTP on this machine. */
export interface McpHttpServer {
  /** The address for a client: `http://127.0.0.1:7357/mcp`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the tools of a project over HTTP to this machine alone, to clients that send the key. Throws `port-unavailable`. */
export async function serveMcpOverHttp(
  project: McpProject,
  { port: wanted, key }: { readonly port: number | undefined; readonly key: string },
): Promise<McpHttpServer> {
  const server = createHttpServer();
  const port = await listenOn(server, { port: wanted });
  const answer = createMcpAnswer(project);
  const app = new Hono();
  app.use(securityHeaders);
  app.use(guardMcp(key));
  app.all('/mcp', async ({ req }) => await answer.fetch(req.raw));
  addFailures(app, project.onFault);
  const end = answerWith(server, app);
  const close = async () => {
    await answer.close();
    await end();
  };
  return { address: `http://127.0.0.1:${port}/mcp`, close };
}

/** Creates what answers requests of the protocol over HTTP: each has a server of its own, and nothing is remembered between two. */
export function createMcpAnswer(project: McpProject): ReturnType<typeof createMcpHandler> {
  const onerror = (error: Error) => project.onFault?.(`touchstone mcp: ${messageOf(error)}`);
  return createMcpHandler(() => createServer(project), { legacy: 'stateless', onerror });
}

/**
 * Lets only requests through that have the key, under a name of this machine, and from no page of another site. Throws
 * `access-denied`, and `not-signed-in` without the key.
 */
function guardMcp(key: string): MiddlewareHandler {
  return async ({ req }, next) => {
    const [host, origin] = [req.header('host'), req.header('origin')];
    if (!validateHostHeader(host, ownNames).ok) throw refusal('This address is not the one of the server.');
    if (origin !== undefined && !validateOriginHeader(origin, ownNames).ok)
      throw refusal('The request comes from another site.');
    const sent = /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? '';
    if (!isSameSecret(sent, key))
      throw new TouchstoneError('not-signed-in', 'The key is missing, or belongs to another server.', {
        remedy: 'Send the key of the file that `touchstone mcp --http` names: `Authorization: Bearer …`.',
      });
    await next();
  };
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('access-denied', message, {
    remedy: 'Use the address that `touchstone mcp --http` prints.',
  });
}
