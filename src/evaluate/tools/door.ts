import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../core/schema/json.ts';
import type { CallSource, Wire } from '../../core/schema/message.ts';
import type { ListedTool } from '../../core/schema/tools/listed-server.ts';
import type { HandledOutcome, ToolOutcome, ToolUse } from '../targets/target.ts';

/** A use of a tool of one server, as a door read it. */
export interface ServerToolUse extends ToolUse {
  readonly server: string;
  /** True when the tool says that it changes nothing: `readOnlyHint` of MCP, GET and HEAD of HTTP. */
  readonly isReadOnly?: boolean;
  /** The error that the server would answer, in place of a mock or a recorded result: the call breaks its protocol. */
  readonly unfit?: DoorOutcome;
}

/** The outcome of a tool with what a door did not turn into a result. */
export type WireOutcome = ToolOutcome & { readonly wire?: Wire };

/**
 * The outcome that the bot is to read. The real tool's untouched outcome comes back as the very object that `run` returned, and the door then
 * carries its bytes as they came.
 */
export type DoorOutcome = HandledOutcome & { readonly from?: CallSource; readonly wire?: Wire };

/** The context that the real tool gets beside its arguments. */
export interface RealUse {
  /** The same for the same call of an attempt that is asked again: an idempotency key. */
  readonly key: string;
}

/** The conversation that a call belongs to. */
export interface ToolSession {
  /** The key of the attempt: the same when the attempt is asked again. */
  readonly trialKey: string;
  /** True while a condition of the run may change results. */
  readonly mayChange: boolean;
  /** Returns a fresh folder of this conversation, made at the first question for it and removed at its end. */
  folder(): Promise<string>;
  /** Aborted when the conversation is over: open upstream requests are destroyed, children end. */
  readonly over: AbortSignal;
  /**
   * Decides (refuse, fault, mock, cassette, real), records, and returns what the bot is to read. Never throws: where `run` rejects,
   * the bot reads an error.
   */
  use(use: ServerToolUse, run: (real: RealUse) => Promise<WireOutcome>): Promise<DoorOutcome>;
  /** Notes other traffic of a server, which is no tool call. `reply` is given where a replay needs it. */
  noteTraffic(traffic: ServerTraffic): void;
  /** Returns the recorded reply of `initialize`, `server/discover`, a list, `resources/read`, `prompts/get`; undefined when none. */
  recordedReply(server: string, method: string, request: Json): Promise<Json | undefined>;
  /** True where no server may be started or reached: a replay without `missing: real`. */
  readonly isOffline: boolean;
  /** Counts what leads past the proxy: redirects, and addresses of the upstream in results. */
  notePast(server: string, count: number, kind: 'redirect' | 'address'): void;
}

/** One request to a server that is no tool call. */
export interface ServerTraffic {
  readonly server: string;
  readonly method: string;
  readonly status?: number;
  readonly ms: number;
  readonly request?: Json;
  readonly reply?: Json;
}

/**
 * Returns the conversation that a request belongs to; undefined when it is not known: a call is then not carried out.
 * @param baggage - The OpenTelemetry baggage that came with the call itself, such as in `params._meta` of MCP.
 * @param call - The name of the tool, for the list of calls that belong to no attempt; undefined for other traffic.
 */
export type Attribute = (baggage?: string, call?: string) => ToolSession | undefined;

/** One server's door: answers the requests that its listener has admitted and attributed. */
export interface Door {
  /** Starts or checks what it needs; nothing in a replay. Throws `TouchstoneError` (`target-unreachable`). */
  open(): Promise<void>;
  /** @param path - The rest of the address after `/t/TOKEN/NAME`, with its query. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    attribute: Attribute,
  ): Promise<void>;
  /** Returns the tools of the server; undefined when they cannot be known. */
  listTools(): Promise<readonly ListedTool[] | undefined>;
  close(): Promise<void>;
}
