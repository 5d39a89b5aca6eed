import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

/** A server of files on loopback. */
export interface StaticServer {
  /** The address of the folder, with a slash at its end. */
  readonly address: string;
  /** Returns the bytes sent since the last call, compressed as they were. */
  countBytes(): number;
  close(): Promise<void>;
}

/**
 * Serves a folder as hosts of static pages do: compressed, `/gate` is the file `gate.html`, and a folder its `index.html`.
 * @param base - The folder on the server, with slashes at both ends. Outside of it there is nothing.
 */
export async function serveFolder(folder: string, base: string): Promise<StaticServer> {
  let bytes = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const name = pathname.startsWith(base) ? decodeURI(pathname.slice(base.length)) : '/nothing';
    const file = [name, `${name}.html`, path.join(name, 'index.html')]
      .map((each) => path.join(folder, each))
      .find((each) => existsSync(each) && statSync(each).isFile());
    if (file === undefined) return response.writeHead(404).end();
    const body = gzipSync(readFileSync(file));
    bytes += body.length;
    const type = types[path.extname(file)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${base}`,
    countBytes: () => {
      const counted = bytes;
      bytes = 0;
      return counted;
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
