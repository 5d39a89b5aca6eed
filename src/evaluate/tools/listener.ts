import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { messageOf } from '../../core/errors.ts';
import { listenForBots, readHead } from '../../core/lib/network/listen.ts';
import type { Attribute, Door, ToolSession } from './door.ts';

/** Where one server of tools is reached, and by whom. */
export interface ListenerOptions {
  readonly name: string;
  /** The address to listen on, and how bots reach it. */
  readonly host: string;
  readonly url: URL | undefined;
  readonly port: number;
  /** The key of addresses that name no conversation. */
  readonly key: string;
  readonly door: Pick<Door, 'handle'>;
  /** Returns the conversation with a token; `over` for one that has ended. */
  findSession(token: string): ToolSession | 'over' | undefined;
  /** Returns the conversation that a request without a token belongs to. */
  attribute(request: IncomingMessage, response: ServerResponse): Attribute;
  /** Called with a call that came after the end of its conversation. */
  onLate(name: string): void;
}

/** The open listener of one server. */
export interface ToolListener {
  /** Returns the address for a conversation, or with the key for all. */
  address(token: string | undefined): string;
  close(): Promise<void>;
}

/** Listens for the requests of bots to one server. Throws `target-unreachable` when the port is taken. */
export async function openToolListener(options: ListenerOptions): Promise<ToolListener> {
  const { name, host, url, port, key } = options;
  const place = {
    host,
    port,
    lost: `The proxy for the tools of ${name} cannot listen`,
    remedy: `Choose another \`tools.servers.${name}.port\`, or leave it out to get a free one.`,
  };
  const {
    server,
    port: own,
    close,
  } = await listenForBots(place, (request, response) => {
    answer(request, response, { ...options, authority }).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 502, messageOf(error), 'tool-proxy-failed');
      else response.destroy();
    });
  });
  const authority = `${url?.hostname ?? '127.0.0.1'}:${own}`;
  const refuseSocket = (_request: IncomingMessage, socket: Socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  };
  server.on('upgrade', refuseSocket).on('connect', refuseSocket);
  return {
    address: (token) => `http://${authority}/${token === undefined ? `k/${key}` : `t/${token}`}/${name}`,
    close,
  };
}

type Admission = ListenerOptions & { readonly authority: string };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  admission: Admission,
): Promise<void> {
  const { authority, door, key } = admission;
  const { host, origin } = request.headers;
  if (host !== authority || (origin !== undefined && origin !== `http://${authority}`))
    return refuse(response, 403, 'Another host than that of the address.', 'host-refused');
  const { way, secret = '', path = '' } = readAddress(request.url ?? '', admission.name);
  if (way === 'k' && isSame(secret, key))
    return await door.handle(request, response, path, admission.attribute(request, response));
  const session = way === 't' ? admission.findSession(secret) : undefined;
  if (session === undefined) return refuse(response, 404, 'No such address of a tool.', 'address-unknown');
  if (session !== 'over') return await door.handle(request, response, path, () => session);
  admission.onLate(await nameOfCall(request, path));
  refuse(response, 410, 'The conversation that this address belongs to is over.', 'conversation-over');
}

/** Returns the parts of an address of this server; none of another, or of one that leads out of it. */
function readAddress(url: string, name: string): Partial<Record<string, string>> {
  const parts =
    /^\/(?<way>[tk])\/(?<secret>[\w-]+)\/(?<server>[\w-]+)(?<path>[/?].*)?$/.exec(url)?.groups ?? {};
  const leadsOut = /(?:^|[/\\])(?:\.|%2e){2}(?:[/\\?]|$)/i.test(parts['path'] ?? '');
  return parts['server'] !== name || leadsOut ? {} : parts;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refuse(response: ServerResponse, status: number, message: string, code: string): void {
  const text = JSON.stringify({ error: message, code });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The most bytes of a late request that are read to find out what it calls. */
const mostLateBytes = 1_000_000;

/** Returns the name of the tool that a request calls, as far as it is known without its server. */
async function nameOfCall(request: IncomingMessage, path: string): Promise<string> {
  const other = `${request.method} ${path.split('?')[0] || '/'}`;
  const { bytes, isWhole } = await readHead(request, mostLateBytes);
  if (!isWhole) return other;
  try {
    const body = JSON.parse(bytes.toString('utf8')) as {
      name?: unknown;
      params?: { name?: unknown };
      method?: unknown;
    };
    const name = body.params?.name ?? (path === '/calls' ? body.name : undefined) ?? body.method;
    return typeof name === 'string' ? name : other;
  } catch {
    return other;
  }
}
