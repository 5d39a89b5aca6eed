import { PassThrough, Readable } from 'node:stream';
import {
  describeExit,
  endGroup,
  type Launch,
  startProcessGroup,
} from '../../../core/lib/programs/process-group.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import { createLineSplitter, RecentText } from '../../targets/command/wire.ts';
import { type CarriedReply, type Header, UpstreamLost } from '../carry/upstream.ts';
import { asFields, type Fields, idKey, type RpcMessage, parseMessage } from './mcp-message.ts';

/** The time for each step of ending a server, in milliseconds. */
const stopStepMs = 1000;

/** The most messages that wait for the stream of a session to be opened. */
const mostQueued = 1000;

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** A request that the server works on. */
interface Exchange {
  /** The id, and the token of its progress, as the bot wrote them. */
  readonly id: Json;
  readonly progressToken: Json | undefined;
  readonly reply: PromiseWithResolvers<CarriedReply>;
  /** The stream that a message before the response has begun. */
  stream: PassThrough | undefined;
}

/**
 * A server that speaks the protocol over stdio, behind the streamable transport. One that several connections share gets
 * ids of its own, since two of them may use the same.
 */
export class StdioChild {
  /** Fulfilled when the program has ended. */
  readonly ended: Promise<void>;
  readonly #group: ReturnType<typeof startProcessGroup>;
  #isShared: boolean;
  /** True as long as it was asked for nothing but what it is, and knew no such question: it speaks the older protocol. */
  #isUnused = true;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #written: RecentText;
  #general: PassThrough | undefined;
  #queued: Buffer[] = [];
  #count = 0;

  constructor(launch: Launch, isShared: boolean) {
    this.#isShared = isShared;
    this.#written = new RecentText(launch.redact);
    this.#group = startProcessGroup(launch);
    this.#group.stderr.on('data', (bytes: Buffer) => this.#written.append(bytes.toString('utf8')));
    const onLongLine = () => this.#group.kill('SIGKILL');
    this.#group.stdout.on(
      'data',
      createLineSplitter({ onLine: (line) => this.#receive(line.toString('utf8')), onLongLine }),
    );
    this.ended = this.#group.ended.then((exit) => this.#onEnd(describeExit(exit)));
  }

  /** Makes it serve one session, as it has served nothing yet; false when it has. */
  becomeSession(): boolean {
    if (!this.#isUnused || this.#exchanges.size > 0 || !this.#group.isRunning()) return false;
    this.#isShared = false;
    return true;
  }

  /** Sends a message that is not answered. */
  send(message: RpcMessage, line: string): void {
    this.#write(this.#isShared ? this.#withOwnRequestId(message) : line);
  }

  /** Sends a request; its reply is the response alone, or a stream of what comes before it and of the response. */
  async request(message: RpcMessage, line: string, signal: AbortSignal): Promise<CarriedReply> {
    signal.throwIfAborted();
    this.#isUnused &&= message['method'] === 'server/discover';
    const id = message['id'] ?? null;
    const params = asFields(message['params']);
    const meta = asFields(params?.['_meta']);
    const own = this.#isShared ? (this.#count += 1) : id;
    const progressToken = meta?.['progressToken'];
    const reply = Promise.withResolvers<CarriedReply>();
    const exchange: Exchange = { id, progressToken, reply, stream: undefined };
    this.#exchanges.set(idKey(own), exchange);
    const cancel = onAbort(signal, () => this.#abandon(own, exchange, signal));
    if (this.#isShared) {
      const ownMeta = progressToken === undefined ? meta : { ...meta, progressToken: own };
      const ownParams = ownMeta === undefined ? params : { ...params, _meta: ownMeta };
      this.#write(JSON.stringify({ ...message, id: own, params: ownParams }));
    } else this.#write(line);
    const done = await reply.promise;
    done.body.once('close', cancel);
    return done;
  }

  /** Opens the stream of what belongs to no request. */
  openGeneral(signal: AbortSignal): CarriedReply {
    this.#general?.end();
    const stream = new PassThrough();
    this.#general = stream;
    onAbort(signal, () => {
      stream.destroy();
      if (this.#general === stream) this.#general = undefined;
    });
    for (const event of this.#queued) stream.write(event);
    this.#queued = [];
    return { status: 200, headers: eventHeaders, body: stream };
  }

  /** Ends the program. */
  async stop(): Promise<void> {
    await endGroup(this.#group, stopStepMs, this.ended);
  }

  #write(line: string): void {
    this.#group.stdin.write(`${line}\n`);
  }

  /** Returns a message whose request is named by the id that the server knows it by. */
  #withOwnRequestId(message: RpcMessage): string {
    const params = asFields(message['params']);
    const wanted = idKey(params?.['requestId']);
    const found = [...this.#exchanges].find(([, { id }]) => idKey(id) === wanted);
    if (params?.['requestId'] === undefined || found === undefined) return JSON.stringify(message);
    return JSON.stringify({ ...message, params: { ...params, requestId: Number(found[0]) } });
  }

  /** Forgets a request whose bot has gone; in the era without sessions that cancels it. */
  #abandon(own: Json, exchange: Exchange, signal: AbortSignal): void {
    if (!this.#exchanges.delete(idKey(own))) return;
    exchange.stream?.destroy();
    exchange.reply.reject(signal.reason);
    if (!this.#isShared) return;
    this.#write(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: own } }),
    );
  }

  #receive(line: string): void {
    const message = asFields(parseMessage(line));
    if (message === undefined) return this.#written.append(`${line}\n`);
    if (message['method'] === undefined) return this.#respond(message, line);
    const exchange = this.#ownerOf(message);
    const event = eventOf(exchange && this.#isShared ? JSON.stringify(restore(message, exchange)) : line);
    if (exchange !== undefined) this.#streamOf(exchange).write(event);
    else if (this.#general !== undefined) this.#general.write(event);
    else if (this.#queued.push(event) > mostQueued) this.#queued.shift();
  }

  #respond(message: RpcMessage, line: string): void {
    const key = idKey(message['id']);
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    this.#exchanges.delete(key);
    this.#isUnused &&= message['error'] !== undefined;
    const text = this.#isShared ? JSON.stringify(restore(message, exchange)) : line;
    if (exchange.stream !== undefined) {
      exchange.stream.end(eventOf(text));
      return;
    }
    const body = Readable.from([Buffer.from(text)], { objectMode: false });
    exchange.reply.resolve({ status: 200, headers: jsonHeaders, body });
  }

  /** Returns the request that a message of the server belongs to: the one it names, else the only one under way. */
  #ownerOf(message: RpcMessage): Exchange | undefined {
    const params = asFields(message['params']);
    const subscription = asFields(params?.['_meta'])?.[subscriptionKey];
    if (subscription !== undefined) return this.#exchanges.get(idKey(subscription));
    const token = params?.['progressToken'];
    if (token !== undefined) {
      if (this.#isShared) return this.#exchanges.get(idKey(token));
      return [...this.#exchanges.values()].find((each) => idKey(each.progressToken) === idKey(token));
    }
    const [first, second] = this.#exchanges.values();
    if (second === undefined) return first;
    return this.#general === undefined ? [...this.#exchanges.values()].at(-1) : undefined;
  }

  #streamOf(exchange: Exchange): PassThrough {
    if (exchange.stream !== undefined) return exchange.stream;
    exchange.stream = new PassThrough();
    exchange.reply.resolve({ status: 200, headers: eventHeaders, body: exchange.stream });
    return exchange.stream;
  }

  #onEnd(how: string): void {
    const wrote = this.#written.lastLines();
    const fault = new UpstreamLost(
      `The MCP server ended ${how}.${wrote === '' ? '' : ` It wrote: ${wrote}`}`,
    );
    for (const { stream, reply } of this.#exchanges.values()) {
      reply.reject(fault);
      stream?.destroy(fault);
    }
    this.#exchanges.clear();
    this.#general?.end();
  }
}

const jsonHeaders: readonly Header[] = [['content-type', 'application/json']];
const eventHeaders: readonly Header[] = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache'],
];

/** Returns a message with the id and the token that the bot wrote. */
function restore(message: RpcMessage, { id, progressToken }: Exchange): Fields {
  const withSubscription = (holder: Json | undefined): Json | undefined => {
    const fields = asFields(holder);
    const meta = asFields(fields?.['_meta']);
    if (meta?.[subscriptionKey] === undefined) return holder;
    return { ...fields, _meta: { ...meta, [subscriptionKey]: id } };
  };
  if (message['method'] === undefined) {
    const result = withSubscription(message['result']);
    return result === undefined ? { ...message, id } : { ...message, id, result };
  }
  const params = asFields(withSubscription(message['params']));
  if (params === undefined) return message;
  const hasToken = params['progressToken'] !== undefined && progressToken !== undefined;
  return { ...message, params: hasToken ? { ...params, progressToken } : params };
}

function eventOf(text: string): Buffer {
  return Buffer.from(`event: message\ndata: ${text}\n\n`);
}
