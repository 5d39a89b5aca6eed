import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connector = buildConnector.connector;

/** The most that informational replies to one request may measure while they are not over. */
const mostBytes = 16 * 1024;

/**
 * Makes connections on which informational replies, such as `100 Continue`, are passed over: a client must be able to read
 * any number of them, asked for or not (RFC 9110, section 15.2). undici closes the connection at a `100`.
 */
export function passOverInformational(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      passOverOn(socket);
      callback(null, socket);
    });
}

/** undici reads a reply with `read`, and sends a request when the last reply is over: whatever comes first after it is a head. */
function passOverOn(socket: Socket): void {
  const read = socket.read.bind(socket);
  let bytesAnswered = 0;
  let held: Buffer = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk = read(size) as Buffer | null;
    if (chunk === null || socket.bytesWritten === bytesAnswered) return chunk;
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const rest = skipInformational(bytes);
    held = rest === undefined ? bytes : Buffer.alloc(0);
    if (rest !== undefined) bytesAnswered = socket.bytesWritten;
    return rest ?? null;
  };
}

/** An informational reply that is whole; one that changes the protocol (101) is none. */
const informational = /^HTTP\/1\.1 1(?!01)\d\d[^]*?\n\r?\n/;

/** What comes after all informational replies; undefined while it has not come. */
function skipInformational(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  while (mayBeInformational(rest.toString('latin1', 0, 12))) {
    const [head] = informational.exec(rest.toString('latin1', 0, mostBytes)) ?? [];
    if (head === undefined) return rest.length < mostBytes ? undefined : rest;
    rest = rest.subarray(head.length);
  }
  return rest;
}

/** @param line - How the status line begins, up to its status. */
function mayBeInformational(line: string): boolean {
  return 'HTTP/1.1 1'.startsWith(line.slice(0, 10)) && line !== 'HTTP/1.1 101';
}
