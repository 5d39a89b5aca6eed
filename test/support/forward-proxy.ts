import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { RequestError, Server } from 'proxy-chain';

/** A forward proxy on the loopback address, which finds all names under `.test` on this machine. */
export interface ForwardProxy extends AsyncDisposable {
  /** Its host and port. */
  readonly host: string;
  /** The hosts with ports that it was asked for, in order, those that it refused among them. */
  readonly asked: readonly string[];
  /** The headers of the requests that it has passed on as they were, which it can read. */
  readonly read: readonly NodeJS.Dict<string | string[]>[];
}

/** Settings of a forward proxy. */
interface ProxySettings {
  /** The user name and the password that it wants, as `user:password`; none by default. */
  readonly wants?: string;
  /** The status with which it refuses every request. */
  readonly refusesWith?: number;
}

const lookUp: LookupFunction = (_name, options, callback) => {
  if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

/** Starts a real forward proxy: it passes requests of http on, and connects requests of https. */
export async function startForwardProxy({ wants, refusesWith }: ProxySettings = {}): Promise<ForwardProxy> {
  const asked: string[] = [];
  const read: NodeJS.Dict<string | string[]>[] = [];
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ hostname, port, isHttp, request, username, password }) => {
      asked.push(`${hostname}:${port}`);
      if (isHttp) read.push({ ...request.headers });
      if (refusesWith !== undefined) throw new RequestError('not through here', refusesWith);
      if (wants !== undefined && `${username}:${password}` !== wants) return { requestAuthentication: true };
      return { dnsLookup: lookUp as never };
    },
  });
  await server.listen();
  return {
    host: `127.0.0.1:${server.port}`,
    asked,
    read,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.server, 'close');
      await server.close(true);
      await closed.catch(() => {});
    },
  };
}
