import { createServer } from 'node:http';
import { TouchstoneError } from '../../errors.ts';
import { answerWith, listenOn } from '../serve.ts';
import { createTeamApp } from './create-team-app.ts';
import type { TeamParts } from './pages.ts';

/** The options of a server for a team. */
export interface TeamOptions extends Omit<TeamParts, 'origin'> {
  readonly port?: number | undefined;
  /** The address to listen on; the loopback address when left out. */
  readonly host?: string | undefined;
  /** The address that people open; that of the port on this machine when left out. */
  readonly url?: string | undefined;
  /** The milliseconds in which a request must have arrived, so that slow ones do not fill the server; 60,000 when left out. */
  readonly requestMs?: number | undefined;
}

/** Serves a team. Throws `port-unavailable`, and `usage-invalid` for an address that would send passwords without TLS. */
export async function serveTeam({ port: wanted, host, url, requestMs = 60_000, ...parts }: TeamOptions) {
  const given = url === undefined ? undefined : originOf(url);
  if (given === undefined && host !== undefined && !isLoopback(host))
    throw new TouchstoneError('usage-invalid', `\`--host ${host}\` needs \`--url\`.`, {
      remedy:
        'Name the address that people open, such as `--url https://evals.example.org`: a proxy before it speaks TLS.',
    });
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs / 2,
    connectionsCheckingInterval: requestMs / 4,
  });
  const port = await listenOn(server, { port: wanted, ...(host !== undefined && { host }) });
  const origin = given ?? `http://localhost:${port}`;
  return { port, origin, close: answerWith(server, createTeamApp({ ...parts, origin })) };
}

/** Returns the origin of an address. Throws `usage-invalid` for one that is neither https nor of this machine. */
export function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (parsed !== undefined && isSafe) return parsed.origin;
  throw new TouchstoneError('usage-invalid', `\`--url\` is not an https address: ${url}.`, {
    remedy:
      'Have a proxy with a certificate before the server, and name its address: `--url https://evals.example.org`.',
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
