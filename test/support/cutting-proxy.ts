import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A proxy that cuts connections. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  readonly cuts: number;
  /** Ends the connections that are open, which senders keep for their next requests. */
  drop(): void;
}

/**
 * Starts a proxy to a port of this machine that destroys connections in the middle of what is sent.
 * @param portOf - Returns the port, which may be known later than the port of the proxy.
 * @param bytesOf - Returns the bytes after which the next connection is destroyed; undefined for one that is not.
 * @param onBytes - Called with the number of bytes that were passed on to the port.
 */
export async function startCuttingProxy(
  portOf: () => number,
  bytesOf: () => number | undefined,
  onBytes: (bytes: number) => void = () => {},
): Promise<CuttingProxy> {
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(portOf(), '127.0.0.1');
    const left = { bytes: bytesOf() ?? Number.POSITIVE_INFINITY };
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.on('data', (piece: Buffer) => {
      far.write(piece.subarray(0, left.bytes));
      onBytes(piece.length);
      left.bytes -= piece.length;
      if (left.bytes > 0) return;
      cuts += 1;
      far.end();
      near.destroy();
    });
    far.pipe(near);
  });
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    drop,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      drop();
      await closed;
    },
  };
}
