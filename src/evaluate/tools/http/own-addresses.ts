import type { Header } from '../carry/upstream.ts';

/** The addresses of a server and of its door. */
export interface Addresses {
  /** The address of the server. */
  readonly base: URL;
  /** The address of the request on the server. */
  readonly asked: URL;
  /** The path of the door, `/t/TOKEN/NAME`. */
  readonly prefix: string;
  /** The host and port of the door. */
  readonly host: string;
}

/** Headers as a bot gets them, and the number of redirects among them that lead past the door. */
export interface OwnHeaders {
  readonly headers: Header[];
  readonly past: number;
}

/** Returns the headers of a reply with addresses and cookies of the server made its door's. */
export function toOwnAddresses(headers: readonly Header[], addresses: Addresses): OwnHeaders {
  let past = 0;
  const own = headers.map(([name, value]): Header => {
    if (/^set-cookie$/i.test(name)) return [name, toOwnCookie(value, addresses)];
    if (!/^location$/i.test(name)) return [name, value];
    const location = toOwnLocation(value, addresses);
    past += Number(location.isPast);
    return [name, location.value];
  });
  return { headers: own, past };
}

/** Returns what follows the path of the server in another path of it; undefined for a path outside. */
function pathInside(pathname: string, { base }: Addresses): string | undefined {
  const root = base.pathname.replace(/\/$/, '');
  return pathname === root || pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : undefined;
}

function toOwnLocation(
  value: string,
  addresses: Addresses,
): { readonly value: string; readonly isPast: boolean } {
  const { asked, base, host, prefix } = addresses;
  if (!URL.canParse(value, asked.href)) return { value, isPast: false };
  const to = new URL(value, asked);
  const inside = to.origin === base.origin ? pathInside(to.pathname, addresses) : undefined;
  if (inside === undefined) return { value: to.href, isPast: true };
  return { value: `http://${host}${prefix}${inside}${to.search}${to.hash}`, isPast: false };
}

/**
 * Returns a cookie for one door: all doors have one host, and cookies do not know ports. Bots speak plain HTTP to it, over which
 * a secure cookie would never come back.
 */
function toOwnCookie(cookie: string, addresses: Addresses): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const own = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim());
    if (/^(domain|secure)$/i.test(name)) return [];
    if (!/^path$/i.test(name) || !value.startsWith('/')) return [attribute];
    return [` Path=${addresses.prefix}${pathInside(value, addresses) ?? '/'}`];
  });
  return [pair, ...own].join(';');
}

/** Returns whether a path has a segment that leads to the folder above, however it is written. */
export function leavesFolder(rest: string): boolean {
  const [pathname = ''] = rest.split('?');
  let plain = pathname;
  for (let layer = 0; layer < 3; layer += 1) {
    if (plain.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;.*)?$/.test(segment))) return true;
    plain = plain.replaceAll(/%(2e|2f|5c|25)/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return false;
}
