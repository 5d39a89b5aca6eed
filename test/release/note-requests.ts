// Loaded before a program: writes whom the program, its threads and the processes of Node.js that it starts connect to, look up or
// send a datagram to, into the file that `NOTED_REQUESTS` names, a line each.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

/** A function of Node.js that opens a way to somewhere. */
type Opening = (this: unknown, ...given: unknown[]) => unknown;

const file = process.env['NOTED_REQUESTS'] ?? '';

/** Puts a function in the place of one of an object: it notes where the call goes, and makes it. */
function watch(object: object, name: string, whither: (given: readonly unknown[]) => unknown): void {
  const members = object as Record<string, Opening>;
  const original = members[name];
  if (original === undefined) throw new Error(`Node.js has no ${name}`);
  members[name] = function watched(...given) {
    appendFileSync(file, `${String(whither(given))}\n`);
    return original.apply(this, given);
  };
}

watch(net.Socket.prototype, 'connect', ([first, second]) => {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given !== 'object' || given === null) return typeof second === 'string' ? second : 'localhost';
  const { path, host = 'localhost' } = given as { path?: string; host?: string };
  return path ?? host;
});
watch(
  dgram.Socket.prototype,
  'send',
  (given) => given.findLast((each) => typeof each === 'string') ?? 'localhost',
);
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of [
    'lookup',
    'resolve',
    'resolve4',
    'resolve6',
    'resolveAny',
    'resolveSrv',
    'resolveTxt',
  ]) {
    if (name in resolver) watch(resolver, name, ([host]) => host);
  }
}
