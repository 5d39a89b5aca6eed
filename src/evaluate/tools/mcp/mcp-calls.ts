import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import { UpstreamLost } from '../carry/upstream.ts';
import type { ToolSession, WireOutcome } from '../door.ts';
import {
  buildResponse,
  type CallRequest,
  changeResponse,
  invalidParams,
  isInputRequired,
  readResponse,
  type RpcMessage,
} from './mcp-message.ts';
import type { ToolFacts } from './tool-facts.ts';

/** The fate of a response: written as it came by default, replaced by another message, or dropped because the call was answered before. */
export interface Release {
  readonly message?: Json;
  readonly isDropped?: true;
}

/** Takes a response of the server, and says what becomes of it once that is decided. */
export type Hold = (response: RpcMessage) => Promise<Release>;

/** The way of one call to the server and back. */
export interface CallWire {
  /**
   * Sends the call to the server and passes on what comes; the response waits until `hold` releases it. Returns true when
   * the response may still come by another stream. Rejects with `UpstreamLost`.
   */
  forward(hold: Hold): Promise<boolean>;
  /** Answers the call with a message that the server did not give. */
  answer(message: Json): Promise<void>;
}

/** Answers a request to use a tool: by the server, or in its place as the session decides. */
export type AnswerCall = (call: CallRequest, session: ToolSession, wire: CallWire) => Promise<void>;

/** Creates the function that answers the calls of a server's tools. */
export function createCalls(server: string, facts: ToolFacts): AnswerCall {
  /** The calls to which the server has asked for input, by tool and arguments. */
  const asked = new WeakMap<ToolSession, Map<string, OpenCall>>();

  return async (call, session, wire) => {
    const waiting = asked.get(session) ?? new Map<string, OpenCall>();
    asked.set(session, waiting);
    const key = canonicalJson([call.name, call.arguments]);
    const begun = call.isRetry ? waiting.get(key) : undefined;
    if (begun !== undefined) {
      waiting.delete(key);
      return await begun.forward(wire, call.id);
    }
    const open: OpenCall = new OpenCall(wire, call.id, () => waiting.set(key, open));
    const { name, arguments: given, unfit } = call;
    const use = { server, name, arguments: given, unfit, isReadOnly: facts.isReadOnly(name) };
    let ran: WireOutcome | undefined;
    const outcome = await session.use(use, async () => {
      ran = session.isOffline ? await outOfReach(call, session, facts) : await open.run(session.over);
      return ran;
    });
    const { isModern } = call;
    if (open.response === undefined) {
      const isStructured = await facts.isStructured(call.name, session);
      await open.answer(buildResponse(open.id, outcome, { isModern, isStructured }));
    } else if ((outcome as WireOutcome) === ran) open.release({});
    else open.release({ message: changeResponse(open.response, outcome, isModern) });
    await open.written;
  };
}

/** A call that is under way. */
class OpenCall {
  /** The server's response, which waits. */
  response: RpcMessage | undefined;
  /** Fulfilled when all that was sent has been written to the bot. */
  written: Promise<void> = Promise.resolve();
  /** The id of the request that is to be answered. */
  id: Json;
  #wire: CallWire;
  readonly #onAsked: () => void;
  readonly #outcome = Promise.withResolvers<WireOutcome>();
  readonly #release = Promise.withResolvers<Release>();

  constructor(wire: CallWire, id: Json, onAsked: () => void) {
    this.#wire = wire;
    this.id = id;
    this.#onAsked = onAsked;
    this.#outcome.promise.catch(() => {}); // `run` reports it.
  }

  async run(over: AbortSignal): Promise<WireOutcome> {
    const cancel = onAbort(over, () => this.#outcome.reject(new UpstreamLost('The conversation was over.')));
    this.written = this.forward(this.#wire, this.id);
    try {
      return await this.#outcome.promise;
    } finally {
      cancel();
    }
  }

  /** Sends the call, or what continues it, and passes on what comes. */
  async forward(wire: CallWire, id: Json): Promise<void> {
    this.#wire = wire;
    this.id = id;
    let isAsked = false;
    const hold: Hold = async (response) => {
      if (isInputRequired(response)) {
        isAsked = true;
        this.#onAsked();
        return {};
      }
      this.response ??= response;
      this.#outcome.resolve(readResponse(response));
      return await this.#release.promise;
    };
    try {
      const mayStillCome = await wire.forward(hold);
      if (this.response !== undefined || isAsked || mayStillCome) return;
      throw new UpstreamLost('The server ended its answer without a result.');
    } catch (error) {
      this.#outcome.reject(error);
    }
  }

  release(release: Release): void {
    this.#release.resolve(release);
  }

  async answer(message: Json): Promise<void> {
    this.#release.resolve({ isDropped: true });
    await this.#wire.answer(message);
  }
}

/** Returns the outcome of a call where no server may be asked: that a server gives to a call of an unknown tool. */
async function outOfReach(
  { name }: CallRequest,
  session: ToolSession,
  facts: ToolFacts,
): Promise<WireOutcome> {
  if ((await facts.isListed(name, session)) !== false)
    throw new UpstreamLost(`No server may be asked in a replay, and ${name} was not answered.`);
  const message = `Tool ${name} not found`;
  return { error: message, wire: { parts: { error: { code: invalidParams, message } } } };
}
