import type { Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';

type Connector = buildConnector.connector;

/** The most that an informational reply may measure while it is not over. */
const mostBytes = 16 * 1024;

/**
 * Makes connections on which informational replies, such as `100 Continue`, are passed over: a client must be able to read
 * any number of them, asked for or not (RFC 9110, section 15.2). undici closes the connection at a `100`.
 */
function passOverInformational(connect: Connector): Connector {
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
    const bytes = skipInformational(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    const isHeld = bytes.length < mostBytes && mayBeInformational(bytes);
    held = isHeld ? bytes : Buffer.alloc(0);
    if (isHeld) return null;
    bytesAnswered = socket.bytesWritten;
    return bytes;
  };
}

/** Informational replies that are whole; one that changes the protocol (101) is none. */
const informational = /^(?:HTTP\/1\.1 1(?!01)\d\d(?=\s)[^]*?\n\r?\n)*/;

/** What comes after all informational replies that are whole. */
function skipInformational(bytes: Buffer): Buffer {
  if (!mayBeInformational(bytes)) return bytes;
  const [heads = ''] = informational.exec(bytes.toString('latin1')) ?? [];
  return bytes.subarray(heads.length);
}

/** Whether it begins like one, as far as it has come: also when nothing has. */
function mayBeInformational(bytes: Buffer): boolean {
  const line = bytes.toString('latin1', 0, 13);
  return /^HTTP\/1\.1 1(?!01)\d\d\s/.test(line + 'HTTP/1.1 100 '.slice(line.length));
}

const agents = new Map<string, Promise<Agent>>();

/**
 * The connections of an account: kept open between calls, and shared by all models that use it. They are no more than
 * its calls in flight, and idle ones neither stay long nor hold up the end of the process.
 */
export async function agentFor(account: string): Promise<Agent> {
  const known = agents.get(account);
  if (known !== undefined) return await known;
  const created = createAgent();
  agents.set(account, created);
  return await created;
}

/**
 * Makes connections without limits of time: every call has its own.
 * @param connections - Most to one server; null for as many as there are calls in flight.
 */
export async function createAgent(connections: number | null = null): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici'); // Loading it takes as long as a small run.
  const connect = passOverInformational(buildConnector({}));
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connections, connect });
}
