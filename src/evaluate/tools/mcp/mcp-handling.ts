import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../../core/errors.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readHead } from '../../../core/lib/network/listen.ts';
import { writeHead } from '../carry/bodies.ts';
import {
  type CarriedReply,
  headerOf,
  type Header,
  passingHeaders,
  withoutHeaders,
} from '../carry/upstream.ts';
import type { Attribute, ToolSession } from '../door.ts';
import { type AnswerWriter, createAnswerWriter, createBatchWriter } from './answer-writer.ts';
import type { AnswerCall, CallWire, Hold } from './mcp-calls.ts';
import { findUnfit } from './call-headers.ts';
import { passReply } from './mcp-exchange.ts';
import {
  asFields,
  baggageOf,
  buildError,
  faultOf,
  type CallRequest,
  idKey,
  isRequest,
  readCall,
  type RpcMessage,
  serverError,
  withoutTrial,
  parseMessage,
} from './mcp-message.ts';
import type { McpUpstream } from './mcp-upstream.ts';
import { replayKeyOf, replayMessage } from './replayed-traffic.ts';
import type { ToolFacts } from './tool-facts.ts';

/** The parts that the requests to one door share. */
export interface DoorParts {
  readonly name: string;
  /** The server; undefined where none may be asked. */
  readonly upstream: McpUpstream | undefined;
  readonly facts: ToolFacts;
  readonly answer: AnswerCall;
  /** Calls whose stream ended before their response, which may come by another stream; by session of the protocol and id. */
  readonly resumable: Map<string, Hold>;
}

/** The most bytes of a request. */
const mostRequestBytes = 10_000_000;

/** One request of a bot to the address of a server. */
export class McpHandling {
  readonly #parts: DoorParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** Aborted when the bot has gone, or its conversation is over. */
  readonly #stop = new AbortController();
  readonly #headers: readonly Header[];

  constructor(parts: DoorParts, request: IncomingMessage, response: ServerResponse) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.#headers = passingHeaders(request.rawHeaders);
    response.once('close', () => this.#stop.abort());
  }

  async handle(attribute: Attribute): Promise<void> {
    try {
      if (this.#request.method === 'POST') await this.#post(attribute);
      else await this.#withSession(attribute(), async (session) => await this.#carryOther(session));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Does something that ends with the conversation. */
  async #withSession(
    session: ToolSession | undefined,
    work: (session: ToolSession | undefined) => Promise<void>,
  ): Promise<void> {
    const end = () => {
      this.#stop.abort();
      this.#response.destroy();
    };
    const cancel = session === undefined ? () => {} : onAbort(session.over, end);
    try {
      await work(session);
    } finally {
      cancel();
    }
  }

  async #post(attribute: Attribute): Promise<void> {
    const { bytes, isWhole } = await readHead(this.#request, mostRequestBytes);
    if (!isWhole) {
      this.#response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const given = parseMessage(bytes);
    const messages = (Array.isArray(given) ? given : [given]).map(asFields);
    const [first] = messages;
    const baggage = messages
      .map((message) => message && baggageOf(message))
      .find((each) => each !== undefined);
    const called = messages
      .map((message) => message && readCall(message)?.name)
      .find((each) => each !== undefined);
    await this.#withSession(attribute(baggage, called), async (session) => {
      const fault = messages.map(faultOf).find((each) => each !== undefined);
      if (fault !== undefined || first === undefined) return this.#refuse(400, fault ?? null);
      if (Array.isArray(given)) return await this.#postBatch(messages as RpcMessage[], session);
      const writer = createAnswerWriter(this.#response);
      await this.#postMessage(first, session, { writer, bytes });
      writer.end();
    });
  }

  /** Handles each call of a batch by itself, and what is left as a smaller batch (2025-03-26). */
  async #postBatch(messages: readonly RpcMessage[], session: ToolSession | undefined): Promise<void> {
    const writer = createBatchWriter(this.#response);
    const calls = messages.filter((message) => readCall(message) !== undefined);
    const rest = messages.filter((message) => !calls.includes(message));
    if (calls.length === 0 && this.#parts.upstream !== undefined)
      return await this.#carryBytes(Buffer.from(JSON.stringify(messages)), session);
    const single = this.#parts.upstream === undefined ? messages : calls;
    const post = async (message: RpcMessage) =>
      await this.#postMessage(message, session, { writer, bytes: Buffer.from(JSON.stringify(message)) });
    const postRest = async () => {
      if (single === messages || rest.length === 0) return;
      const reply = await this.#send(Buffer.from(JSON.stringify(rest)), session);
      await passReply(reply, writer, { findHold: () => undefined });
    };
    await Promise.all([...single.map(post), postRest()]);
    if (this.#response.headersSent) this.#response.end();
    else this.#response.writeHead(202).end();
  }

  async #postMessage(message: RpcMessage, session: ToolSession | undefined, out: Out): Promise<void> {
    const { writer, bytes } = out;
    const { name, upstream, facts, answer } = this.#parts;
    const call = readCall(message);
    if (call !== undefined && session === undefined) {
      const said = `${withoutTrial}: the call of ${call.name} belongs to no question, and was not made. Give the bot the address with its token.`;
      return await writer.writeMessage(buildError(call.id, serverError, said));
    }
    if (call !== undefined && session !== undefined) {
      const unfit = findUnfit(call, this.#headers, await facts.headerParameters(call.name, session));
      return await answer({ ...call, unfit }, session, this.#wireOf(call, session, out));
    }
    if (upstream === undefined) {
      const replayed = session && (await replayMessage(name, message, session));
      if (replayed !== undefined) await writer.writeMessage(replayed);
      else if (!this.#response.headersSent)
        await writer.writeWhole({ status: 202, headers: [] }, Buffer.alloc(0));
      return;
    }
    if (isRequest(message)) await this.#passRequest(message, session, out);
    else await this.#carryBytes(bytes, session);
  }

  #wireOf(call: CallRequest, session: ToolSession, { writer, bytes }: Out): CallWire {
    const key = idKey(call.id);
    return {
      forward: async (hold) => {
        let isHeld = false;
        const once: Hold = async (response) => {
          isHeld = true;
          return await hold(response);
        };
        const findHold = (response: RpcMessage) => (idKey(response['id']) === key ? once : undefined);
        const reply = await this.#send(bytes, session);
        const { isResumable, fault } = await passReply(reply, writer, { id: call.id, findHold });
        if (isHeld || isResumable) writer.end();
        if (isHeld) return false;
        if (!isResumable) {
          if (fault !== undefined) throw fault;
          return false;
        }
        const resumeKey = this.#resumeKey(key);
        this.#parts.resumable.set(resumeKey, hold);
        onAbort(session.over, () => this.#parts.resumable.delete(resumeKey));
        return true;
      },
      answer: async (message) => await writer.writeMessage(message),
    };
  }

  #resumeKey(key: string): string {
    return `${headerOf(this.#headers, 'mcp-session-id')} ${key}`;
  }

  /** Passes a request on that is no call, and notes its reply where a replay needs it. */
  async #passRequest(
    message: RpcMessage,
    session: ToolSession | undefined,
    { writer, bytes }: Out,
  ): Promise<void> {
    const { name, facts } = this.#parts;
    const started = performance.now();
    const [id, method] = [message['id'] ?? null, String(message['method'])];
    let answered: Json | undefined;
    const hold: Hold = async (response) => {
      answered = response['result'];
      if (method === 'tools/list' && answered !== undefined) facts.learn(answered);
      return {};
    };
    const findHold = (response: RpcMessage) => (idKey(response['id']) === idKey(id) ? hold : undefined);
    const reply = await this.#send(bytes, session);
    const { fault } = await passReply(reply, writer, { id, findHold });
    const request = replayKeyOf(message);
    const kept = request === undefined ? {} : { request, reply: answered };
    const ms = performance.now() - started;
    session?.noteTraffic({ server: name, method, status: reply.status, ms, ...kept });
    if (fault !== undefined) this.#fail(fault);
  }

  /** Carries a request that is no POST: the stream of a session, or its end. */
  async #carryOther(session: ToolSession | undefined): Promise<void> {
    const { upstream, resumable } = this.#parts;
    const { method } = this.#request;
    const names = ['mcp-session-id', 'mcp-protocol-version'];
    if (upstream === undefined) {
      this.#response.writeHead(method === 'DELETE' ? 200 : 405).end();
    } else if (method === 'GET' && names.every((each) => headerOf(this.#headers, each) === '')) {
      const text = 'The transport of 2024-11-05 (HTTP with SSE) is not carried; use streamable HTTP.';
      this.#response.writeHead(405, { 'content-type': 'text/plain' }).end(text);
    } else if (method === 'GET') {
      const writer = createAnswerWriter(this.#response);
      const findHold = (message: RpcMessage) => {
        const key = this.#resumeKey(idKey(message['id']));
        const hold = resumable.get(key);
        resumable.delete(key);
        return hold;
      };
      const { fault } = await passReply(await this.#send(null, session), writer, { findHold });
      if (fault === undefined) writer.end();
      else this.#fail(fault);
    } else {
      await this.#carryBytes(null, session);
    }
  }

  async #carryBytes(bytes: Buffer | null, session: ToolSession | undefined): Promise<void> {
    const started = performance.now();
    const reply = await this.#send(bytes, session);
    writeHead(this.#response, reply);
    await pipeline(reply.body, this.#response);
    const method = this.#request.method ?? '';
    const ms = performance.now() - started;
    session?.noteTraffic({ server: this.#parts.name, method, status: reply.status, ms });
  }

  async #send(body: Buffer | null, session: ToolSession | undefined): Promise<CarriedReply> {
    const headers = withoutHeaders(this.#headers, ['content-length']);
    const request = { method: this.#request.method ?? '', headers, body, signal: this.#stop.signal };
    return await (this.#parts.upstream as McpUpstream).send(request, session);
  }

  #refuse(status: number, error: Json): void {
    this.#response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  }

  /** Ends what cannot be answered as the server would: an error before the answer has begun, a broken connection after. */
  #fail(error: unknown): void {
    if (this.#response.headersSent || this.#stop.signal.aborted) {
      this.#response.destroy();
      return;
    }
    this.#refuse(502, buildError(null, serverError, messageOf(error)));
  }
}

/** Where the answer to a message goes, and the bytes of the message. */
interface Out {
  readonly writer: AnswerWriter;
  readonly bytes: Buffer;
}
