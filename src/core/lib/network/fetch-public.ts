import { lookup as lookupName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { createAgent } from './agent.ts';
import { proxyFor } from './proxy.ts';
import { sendRequest } from './send-request.ts';

/** The limits of a download. */
export interface DownloadLimits {
  readonly mostBytes: number;
  readonly timeLimitMs: number;
  /** True to allow addresses of one's own network, also without encryption. */
  readonly allowPrivate?: boolean;
}

/** A download that was not possible: the end of a sentence about its address, and what to do about it. */
export class DownloadRefusal extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

const mostRedirects = 3;

/**
 * Downloads a file from a public https address. Addresses of the own network are refused, also where a name leads to one or a server
 * redirects there. Throws `DownloadRefusal`.
 */
export async function fetchPublic(address: string, limits: DownloadLimits): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(limits.timeLimitMs);
  let url = new URL(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answer = await fetchOnce(url, { ...limits, signal });
    if (answer instanceof Uint8Array) return answer;
    url = answer;
  }
  throw new DownloadRefusal('redirects too often');
}

/** Returns the bytes, or the address that the server redirects to. */
async function fetchOnce(
  url: URL,
  { mostBytes, allowPrivate = false, signal }: DownloadLimits & { readonly signal: AbortSignal },
): Promise<Uint8Array | URL> {
  checkAddress(url, allowPrivate);
  const agent = await createAgent(null, proxyFor(url) === undefined ? publicLookup(allowPrivate) : undefined);
  try {
    const headers = { accept: 'image/*, application/pdf, audio/*' };
    const reply = await sendRequest(agent, { url, method: 'GET', headers, body: null, signal }, mostBytes);
    const { location } = reply.headers;
    if (reply.status >= 300 && reply.status < 400 && typeof location === 'string')
      return new URL(location, url);
    if (reply.status !== 200) throw new DownloadRefusal(`answered with the status ${reply.status}`);
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of reply.body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > mostBytes) throw new DownloadRefusal(`is larger than ${mostBytes / 1024 / 1024} MiB`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    throw explain(error, signal);
  } finally {
    await agent.destroy();
  }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DownloadRefusal) return error;
  if (signal.aborted) return new DownloadRefusal('did not come in time');
  const { message, code, cause } = error as Error & { readonly code?: unknown; readonly cause?: unknown };
  if (cause instanceof DownloadRefusal) return cause;
  const reason = typeof code === 'string' && !code.startsWith('UND_') ? code : message;
  return new DownloadRefusal(`cannot be downloaded (${reason})`);
}

/** Refuses an address that is not https, or is of one's own network by itself. */
function checkAddress({ protocol, hostname, username, password }: URL, allowPrivate: boolean): void {
  if (username !== '' || password !== '') throw new DownloadRefusal('has a user name or a password in it');
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:'))
    throw new DownloadRefusal(
      'is not fetched: only https addresses are',
      'Save the file beside the dataset.',
    );
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && (isIP(host) === 0 ? /(?:^|\.)localhost$/i.test(host) : isPrivate(host)))
    throw ofOwnNetwork();
}

function ofOwnNetwork(): DownloadRefusal {
  return new DownloadRefusal(
    'is an address of your own network',
    'Save the file beside the dataset, or allow such addresses with `--allow-private`.',
  );
}

/** Returns a lookup of names that gives only public addresses: a name that leads into the own network is refused. */
function publicLookup(allowPrivate: boolean): LookupFunction | undefined {
  if (allowPrivate) return undefined;
  return (name, options, callback) =>
    lookupName(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      if (found.some(({ address }) => isPrivate(address))) return callback(ofOwnNetwork(), []);
      if (options.all === true) return callback(null, found);
      callback(null, found[0]?.address ?? '', found[0]?.family);
    });
}

const ownNetworks = new BlockList();
const subnets4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
const subnets6 =
  '::/128 ::1/128 64:ff9b::/96 100::/64 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8';
for (const [subnets, family] of [
  [subnets4, 'ipv4'],
  [subnets6, 'ipv6'],
] as const) {
  for (const subnet of subnets.split(' ')) {
    const [net = '', bits] = subnet.split('/');
    ownNetworks.addSubnet(net, Number(bits), family);
  }
}

/** Returns whether an IP address is no public one. */
export function isPrivate(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  // An IPv4 address within one of IPv6, which a URL writes as `::ffff:7f00:1`.
  return ownNetworks.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
