import { BlockList, isIP } from 'node:net';
import { TouchstoneError } from '../../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A forward proxy through which requests go. */
export interface Proxy {
  /** Its address, with the user name and the password: never to be shown. */
  readonly url: URL;
  /** Its host and port, as it is shown. */
  readonly host: string;
  /** The variable that names it. */
  readonly variable: string;
}

const names = { http: 'HTTP_PROXY', https: 'HTTPS_PROXY', none: 'NO_PROXY' } as const;

/**
 * Returns the proxy for requests to an address by the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY, as other command-line
 * tools read them; undefined where they go straight to it. The names in small letters come first, and addresses of https go
 * through the proxy of http when they have none of their own. An address of this machine never goes through a proxy, and
 * none does with `TOUCHSTONE_PROXY=off`. Throws `proxy-invalid`, without the value, for one that is no address.
 */
export function proxyFor(to: URL, environment: Environment = process.env): Proxy | undefined {
  if (environment['TOUCHSTONE_PROXY']?.toLowerCase() === 'off' || isLoopback(to.hostname)) return undefined;
  const found =
    (to.protocol === 'https:' ? findVariable(names.https, environment) : undefined) ??
    findVariable(names.http, environment);
  if (found === undefined || isExcluded(to, environment)) return undefined;
  const url = readAddress(found.value);
  if (url === undefined)
    throw new TouchstoneError(
      'proxy-invalid',
      `\`${found.variable}\` is not the address of a proxy over http or https.`,
    );
  return { url, host: `${url.hostname}:${portOf(url)}`, variable: found.variable };
}

/** Yields the secrets in the addresses of proxies, by the name of their variable: a password alone, and with its user name. */
export function* proxySecrets(environment: Environment): Generator<[name: string, value: string]> {
  for (const name of [names.https, names.http]) {
    const found = findVariable(name, environment);
    const url = found && readAddress(found.value);
    if (url === undefined || url.password === '') continue;
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    yield [found?.variable ?? name, `${user}:${password}`];
    // A password of fewer characters may be a part of ordinary words.
    if (password.length >= fewestCharacters) yield [found?.variable ?? name, password];
  }
}

const fewestCharacters = 4;

function findVariable(
  name: string,
  environment: Environment,
): { variable: string; value: string } | undefined {
  const variable = [name.toLowerCase(), name].find((each) => environment[each] !== undefined);
  const value = variable === undefined ? '' : (environment[variable]?.trim() ?? '');
  return variable === undefined || value === '' ? undefined : { variable, value };
}

/** Reads the address of a proxy, which is often written without `http://`; undefined when it is none, or needs SOCKS. */
function readAddress(value: string): URL | undefined {
  const written = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  return /^https?:$/.test(url.protocol) && isDecodable(url.username) && isDecodable(url.password)
    ? url
    : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the port of an address: its own, or its protocol's. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('0.0.0.0', 'ipv4');
loopback.addAddress('::', 'ipv6');

function isLoopback(hostname: string): boolean {
  const host = plainHost(hostname);
  const version = isIP(host);
  if (version !== 0) return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Returns a host without the brackets of IPv6 and the dot of the root. */
function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * Returns whether NO_PROXY names an address. Entries are separated by commas or spaces: a host, which means its subdomains, too;
 * `.example.com`; `*.example.com`, which means subdomains alone; an IP address; a network, such as `10.0.0.0/8`; each of them with
 * a port, if only that is meant; or `*`.
 */
function isExcluded(to: URL, environment: Environment): boolean {
  const value = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return value.split(/[\s,]+/).some((entry) => entry !== '' && isMeant(entry, to));
}

function isMeant(entry: string, to: URL): boolean {
  const { name = entry, port } = /^(?<name>\[.*\]|[^:]*):(?<port>\d+)$/.exec(entry)?.groups ?? {};
  if (port !== undefined && Number(port) !== portOf(to)) return false;
  const host = plainHost(to.hostname);
  if (name === '*') return true;
  if (name.includes('/')) return isInNetwork(host, name);
  const domain = plainHost(name.replace(/^\*?\./, ''));
  return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  if (version === 0 || version !== isIP(host) || !/^\d+$/.test(bits) || Number(bits) > most) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}
