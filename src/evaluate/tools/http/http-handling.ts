import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { messageOf } from '../../../core/errors.ts';
import { setMember } from '../../../core/lib/objects.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type BodyHead, readHead } from '../../../core/lib/network/listen.ts';
import { takePieces, writeHead, writeInTime } from '../carry/bodies.ts';
import {
  type CarriedReply,
  carry,
  type Header,
  headerOf,
  passingHeaders,
  withOwnHeaders,
  withoutHeaders,
} from '../carry/upstream.ts';
import type { Attribute, DoorOutcome, RealUse, ToolSession, WireOutcome } from '../door.ts';
import { readBodyValue, readReplyOutcome } from './body-values.ts';
import { type MadeReply, makeReply } from './made-reply.ts';
import { freeName, type NamedRequest, type NameSettings, type RequestNames } from './openapi-names.ts';
import { type Addresses, leavesFolder, toOwnAddresses } from './own-addresses.ts';

/** An HTTP server as the config names it. */
export interface HttpServerOptions extends NameSettings {
  /** The address that paths of the bot are put behind. */
  readonly http: string;
  /** Headers by the environment variables that hold their values. */
  readonly headersFromEnv: Readonly<Record<string, string>>;
  /** True to send an `Idempotency-Key` with what changes something. */
  readonly idempotency: boolean;
  /** A file with an authority whose certificates are trusted too. */
  readonly ca?: string;
  /** The most bytes of a body that are recorded, mocked or changed. */
  readonly maxBodyBytes: number;
}

/** The parts that the requests to one door share. */
export interface HttpDoorParts {
  readonly name: string;
  readonly base: URL;
  readonly options: HttpServerOptions;
  readonly names: RequestNames;
  readonly connect: () => Promise<Agent>;
  /** The headers of the config, which replace the bot's. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A reply of the server that has been read, and perhaps passed on. */
interface Taken {
  readonly reply: CarriedReply;
  /** The bytes that the bot has not got yet: the whole body where it was held, else its last piece. */
  readonly rest: Buffer;
}

/** One request of a bot to the address of an HTTP server. */
export class HttpHandling {
  readonly #parts: HttpDoorParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #method: string;
  readonly #headers: readonly Header[];
  /** Aborted when the bot has gone, or its conversation is over. */
  readonly #stop = new AbortController();
  /** Set once the request has been sent, even when no reply came. */
  #wasSent = false;

  constructor(parts: HttpDoorParts, request: IncomingMessage, response: ServerResponse) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.#method = request.method ?? 'GET';
    this.#headers = passingHeaders(request.rawHeaders);
    response.once('close', () => this.#stop.abort());
  }

  /** @param rest - What follows the address of the door, with its query. */
  async handle(rest: string, attribute: Attribute): Promise<void> {
    const refusal = this.#findRefusal(rest);
    if (refusal !== undefined) return this.#tell(...refusal);
    const named = this.#parts.names.find(this.#method, rest.startsWith('/') ? rest : `/${rest}`);
    const session = attribute(undefined, named?.name);
    if (session === undefined && named !== undefined)
      return this.#tell(409, `tool-call-without-trial: ${withoutTrial}`);
    const end = () => {
      this.#stop.abort();
      this.#response.destroy();
    };
    const cancel = session === undefined ? () => {} : onAbort(session.over, end);
    try {
      const body = await readHead(this.#request, this.#parts.options.maxBodyBytes);
      if (session === undefined || named === undefined) await this.#carryUnrecorded(session, rest, body);
      else await this.#handleIn(session, named, { rest, body });
    } catch (error) {
      if (this.#response.headersSent || this.#stop.signal.aborted) this.#response.destroy();
      else this.#tell(502, messageOf(error));
    } finally {
      cancel();
    }
  }

  /** Returns the status and the reason for which a request is carried nowhere. */
  #findRefusal(rest: string): [status: number, reason: string] | undefined {
    const { upgrade } = this.#request.headers;
    if (upgrade !== undefined) return [501, `The upgrade to ${upgrade} is not carried, only HTTP is.`];
    if (/^application\/grpc/i.test(headerOf(this.#headers, 'content-type')))
      return [501, 'gRPC is not carried.'];
    if (!/^(?:[/?]|$)/.test(rest) || leavesFolder(rest)) return [400, 'The path leads out of the server.'];
    return undefined;
  }

  async #handleIn(session: ToolSession, named: NamedRequest, { rest, body }: Sent): Promise<void> {
    const { options, name: server } = this.#parts;
    const use = {
      server,
      name: named.name,
      arguments: this.#argumentsOf(named.parameters, body),
      isReadOnly: this.#method === 'GET' || this.#method === 'HEAD',
    };
    let ran: WireOutcome | undefined;
    let taken: Taken | undefined;
    const outcome = await session.use(use, async (real) => {
      if (session.isOffline) throw new Error('No server may be asked in a replay.');
      taken = await this.#take(session, { rest, body, real });
      const copy = { bytes: Buffer.concat(this.#copied), isCut: this.#isCut };
      const read = await readReplyOutcome(taken.reply, copy, options.maxBodyBytes);
      this.#countAddresses(session, read.text);
      ran = read.outcome;
      return ran;
    });
    if ((outcome as WireOutcome) === ran && taken !== undefined) return await this.#passRest(taken);
    this.#answer(outcome, taken, body);
  }

  #argumentsOf(parameters: Record<string, Json>, { bytes, isWhole }: BodyHead): Json {
    const type = headerOf(this.#headers, 'content-type');
    if (bytes.length === 0) return parameters;
    const value = isWhole
      ? readBodyValue(bytes, type)
      : `[${type || 'data'}, more than ${bytes.length} bytes]`;
    const all = { ...parameters };
    setMember(all, freeName(all, 'body'), value);
    return all;
  }

  readonly #copied: Buffer[] = [];
  #isCut = false;

  /** Sends the request and takes the reply: passed on at once, or held where it may be changed. */
  async #take(session: ToolSession, sent: Sent): Promise<Taken> {
    const { maxBodyBytes } = this.#parts.options;
    const reply = this.#toOwn(session, await this.#send(sent), sent.rest);
    if (session.mayChange) {
      const { bytes, isWhole } = await readHead(reply.body, maxBodyBytes);
      reply.body.destroy();
      this.#copied.push(bytes);
      this.#isCut = !isWhole;
      return { reply, rest: bytes };
    }
    writeHead(this.#response, reply);
    this.#response.flushHeaders();
    const length = Number(headerOf(reply.headers, 'content-length') || Number.NaN);
    let [size, copied] = [0, 0];
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of takePieces(reply.body)) {
      size += piece.length;
      if (copied < maxBodyBytes) this.#copied.push(piece.subarray(0, maxBodyBytes - copied));
      copied = Math.min(size, maxBodyBytes);
      // With its last piece a bot may go on, so that is passed on once the call is recorded.
      if (size === length) rest = piece;
      else await writeInTime(this.#response, piece);
    }
    this.#isCut = size > maxBodyBytes;
    return { reply, rest };
  }

  async #send({ rest, body, real }: Sent): Promise<CarriedReply> {
    const { base, connect, headers, options } = this.#parts;
    const isKeyed = real !== undefined && options.idempotency && !/^(GET|HEAD|OPTIONS)$/.test(this.#method);
    const hasKey = headerOf(this.#headers, 'idempotency-key') !== '';
    const given = body.isWhole ? withoutHeaders(this.#headers, ['content-length']) : this.#headers;
    const sent = withOwnHeaders(given, headers);
    if (isKeyed && !hasKey) sent.push(['Idempotency-Key', real.key]);
    const { bytes, isWhole } = body;
    const carried = isWhole ? bytes : Readable.from(bodyAfter(bytes, this.#request), { objectMode: false });
    this.#wasSent = true;
    return await carry(await connect(), base, {
      method: this.#method,
      path: `${base.pathname.replace(/\/$/, '')}${rest}` || '/',
      headers: sent,
      body: isWhole && bytes.length === 0 ? null : carried,
      signal: this.#stop.signal,
    });
  }

  /** Returns a reply with the addresses of the server made the door's. */
  #toOwn(session: ToolSession | undefined, reply: CarriedReply, rest: string): CarriedReply {
    const { base, name } = this.#parts;
    const url = this.#request.url ?? '';
    const addresses: Addresses = {
      base,
      asked: new URL(`${base.pathname.replace(/\/$/, '')}${rest}`, base),
      prefix: url.slice(0, url.length - rest.length),
      host: this.#request.headers.host ?? '',
    };
    const { headers, past } = toOwnAddresses(reply.headers, addresses);
    if (past > 0) session?.notePast(name, past, 'redirect');
    return { ...reply, headers };
  }

  #countAddresses(session: ToolSession, text: string): void {
    const { base, name } = this.#parts;
    const found = text.split(base.origin).length - 1;
    if (found > 0) session.notePast(name, found, 'address');
  }

  async #carryUnrecorded(session: ToolSession | undefined, rest: string, body: BodyHead): Promise<void> {
    if (session?.isOffline === true) return this.#tell(502, 'No server may be asked in a replay.');
    const reply = this.#toOwn(session, await this.#send({ rest, body }), rest);
    writeHead(this.#response, reply);
    await pipeline(reply.body, this.#response);
  }

  /** Passes on what the bot has not got yet of a reply that stays as it is. */
  async #passRest({ reply, rest }: Taken): Promise<void> {
    if (!this.#response.headersSent && this.#isCut) return this.#tell(502, tooLarge);
    if (!this.#response.headersSent) writeHead(this.#response, reply);
    if (rest.length > 0) await writeInTime(this.#response, rest);
    this.#response.end();
  }

  /** Answers in place of the server. */
  #answer(outcome: DoorOutcome, taken: Taken | undefined, body: BodyHead): void {
    if (this.#response.headersSent) {
      this.#response.destroy();
      return;
    }
    const details = 'error' in outcome ? outcome.details : undefined;
    if (details?.code === 'ECONNRESET') {
      this.#request.socket.destroy();
      return;
    }
    if (this.#isCut || (!body.isWhole && !this.#wasSent)) return this.#tell(502, tooLarge);
    // The server was asked, and no reply came.
    const isLost = this.#wasSent && taken === undefined && details === undefined;
    if (isLost && 'error' in outcome) return this.#tell(502, outcome.error);
    this.#write(makeReply(outcome, taken && headOf(taken.reply)), taken);
  }

  /** Writes a reply with the headers of the server that it keeps. */
  #write({ status, contentType, body }: MadeReply, taken: Taken | undefined): void {
    const others = taken === undefined ? [] : withoutHeaders(taken.reply.headers, ofBody);
    for (const [name, value] of others) this.#response.appendHeader(name, value);
    if (contentType !== undefined) this.#response.setHeader('content-type', contentType);
    if (status === 429) this.#response.setHeader('retry-after', '1');
    const hasBody = this.#method !== 'HEAD' && status !== 204 && status !== 304;
    if (hasBody) this.#response.setHeader('content-length', body.length);
    this.#response.writeHead(status).end(hasBody ? body : undefined);
  }

  #tell(status: number, error: string): void {
    // What the bot still sends is not read.
    const close = this.#request.complete ? {} : { connection: 'close' };
    this.#response.writeHead(status, { 'content-type': 'application/json', ...close });
    this.#response.end(JSON.stringify({ error }));
  }
}

/** A request that is sent to a server. */
interface Sent {
  readonly rest: string;
  readonly body: BodyHead;
  /** Present for a call that is recorded. */
  readonly real?: RealUse;
}

const withoutTrial =
  'the request belongs to no question, and was not made. Give the bot the address that came with its question.';

const tooLarge =
  'tool-too-large: a body is larger than `maxBodyBytes` of the server, so that it cannot be mocked or changed.';

/** Headers that do not fit a body that was changed. */
const ofBody = ['content-length', 'content-encoding', 'content-type', 'etag', 'content-md5', 'digest'];

function headOf({ status, headers }: CarriedReply) {
  return { status, contentType: headerOf(headers, 'content-type') };
}

async function* bodyAfter(head: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  yield head;
  yield* rest as AsyncIterable<Buffer>;
}
