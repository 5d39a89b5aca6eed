import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { textOfContent } from '../../targets/chat/mcp.ts';
import type { DoorOutcome, WireOutcome } from '../door.ts';

/** An object of JSON. */
export type Fields = { readonly [name: string]: Json };

/** A message of JSON-RPC: a request, a notification or a response. */
export type RpcMessage = Fields;

/** A request to use a tool. */
export interface CallRequest {
  readonly message: RpcMessage;
  readonly id: Json;
  readonly name: string;
  readonly arguments: Json;
  /** True in the era without sessions, from 2026-07-28. */
  readonly isModern: boolean;
  /** True when it goes on with a call to which the server has asked for input. */
  readonly isRetry: boolean;
  /** The error with which a server refuses it, where its headers disagree with its body. */
  readonly unfit?: DoorOutcome;
}

/** The code of an error for what is wrong with a parameter, such as an unknown tool. */
export const invalidParams = -32602;
/** The code of an error for an unknown method. */
export const methodNotFound = -32601;
/** The code of an error for headers that disagree with the body (SEP-2243). */
export const headerMismatch = -32_020;
/** The code of an error of a server's own. */
export const serverError = -32000;

/** The code of a call that belongs to no question. */
export const withoutTrial = 'tool-call-without-trial';

/** Returns an object of JSON; undefined for any other value. */
export function asFields(value: unknown): Fields | undefined {
  return isContainer(value) && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Parses a message; undefined for a text that is no JSON. */
export function parseMessage(text: string | Buffer): unknown {
  return tryParseJson(text.toString('utf8'));
}

/** Returns a name for the id of a message: 1 and "1" are different ids. */
export function idKey(id: Json | undefined): string {
  return JSON.stringify(id) ?? '';
}

/** The member of `_meta` with the version of the protocol. */
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Returns the era of a request by its own envelope. */
function isModernRequest(message: RpcMessage): boolean {
  return versionOf(message) !== undefined;
}

/** Returns the version of the protocol in the envelope of a request. */
export function versionOf(message: RpcMessage): Json | undefined {
  return metaOf(message)?.[versionKey];
}

function metaOf(message: RpcMessage): Fields | undefined {
  return asFields(asFields(message['params'])?.['_meta']);
}

/** Returns the baggage that a request carries (SEP-414). */
export function baggageOf(message: RpcMessage): string | undefined {
  const baggage = metaOf(message)?.['baggage'];
  return typeof baggage === 'string' ? baggage : undefined;
}

/** Returns whether a message is a request, which is answered. */
export function isRequest(message: RpcMessage): boolean {
  return typeof message['method'] === 'string' && message['id'] !== undefined;
}

/** Reads a request to use a tool; undefined for every other message. */
export function readCall(message: RpcMessage): CallRequest | undefined {
  const params = asFields(message['params']);
  if (message['method'] !== 'tools/call' || message['id'] === undefined) return undefined;
  const name = params?.['name'];
  if (typeof name !== 'string') return undefined;
  return {
    message,
    id: message['id'],
    name,
    arguments: params?.['arguments'] ?? {},
    isModern: isModernRequest(message),
    isRetry: params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined,
  };
}

/**
 * Returns the error of a message that is not carried, since a server might read a call in it that was not seen here; undefined for a
 * message that can be read. A notification that is no valid one has an error without an id, and is dropped.
 */
export function faultOf(message: RpcMessage | undefined): Json | undefined {
  if (message === undefined) return buildError(null, -32_700, 'Parse error');
  if (message['method'] !== 'tools/call' || readCall(message) !== undefined) return undefined;
  return buildError(message['id'] ?? null, invalidParams, 'tools/call needs an id and the name of a tool');
}

/** Returns whether a response asks for input: the call is not over. */
export function isInputRequired(response: RpcMessage): boolean {
  return asFields(response['result'])?.['resultType'] === 'input_required';
}

/** Reads the response to a call: a result, the tool's own error, or one of the protocol. */
export function readResponse(response: RpcMessage): WireOutcome {
  const failure = asFields(response['error']);
  if (failure !== undefined) {
    const status = failure['status'];
    const details = typeof status === 'number' ? { status } : undefined;
    const error = String(failure['message'] ?? 'The server gave an error without a message.');
    return { error, ...(details && { details }), wire: { parts: { error: failure } } };
  }
  const result = asFields(response['result']) ?? {};
  const text = textOfContent(Array.isArray(result['content']) ? result['content'] : []);
  const structured = result['structuredContent'];
  const outcome: WireOutcome =
    result['isError'] === true
      ? { error: text === '' ? 'The tool reported an error.' : text }
      : { result: structured ?? text };
  const built = resultOf(outcome, structured !== undefined);
  const parts = Object.entries(result).filter(
    ([name, part]) => part !== usual[name] && canonicalJson(part) !== canonicalJson(built[name]),
  );
  return parts.length === 0 ? outcome : { ...outcome, wire: { parts: Object.fromEntries(parts) } };
}

/** Members of a result that say no more than their absence. */
const usual: Readonly<Record<string, Json>> = { resultType: 'complete', isError: false };

/** The facts that the form of an answer depends on. */
export interface AnswerFacts {
  readonly isModern: boolean;
  /** True when the tool has an `outputSchema`. */
  readonly isStructured: boolean;
}

/** Builds the response to a call that the server did not give. */
export function buildResponse(id: Json, outcome: DoorOutcome, facts: AnswerFacts): Json {
  const { isModern, isStructured } = facts;
  const recorded = outcome.fault === undefined ? asFields(outcome.wire?.parts) : undefined;
  const isRefusal = 'error' in outcome && outcome.details?.code === withoutTrial;
  if (isRefusal) return buildError(id, serverError, outcome.error);
  if (recorded?.['error'] !== undefined) return { jsonrpc: '2.0', id, error: recorded['error'] };
  const isObject = 'result' in outcome && asFields(outcome.result) !== undefined;
  const result = { ...resultOf(outcome, isStructured && (isModern || isObject)), ...recorded };
  return { jsonrpc: '2.0', id, result: isModern ? { ...result, resultType: 'complete' } : result };
}

/** Builds a response with another outcome in place of the server's, and with all that the server gave beside it. */
export function changeResponse(response: RpcMessage, outcome: DoorOutcome, isModern: boolean): Json {
  const given = asFields(response['result']);
  if (given === undefined || 'error' in outcome) {
    return buildResponse(response['id'] ?? null, outcome, { isModern, isStructured: false });
  }
  const { content, structuredContent, isError: _isError, ...rest } = given;
  const isObject = asFields(outcome.result) !== undefined;
  const isStructured = structuredContent !== undefined && (isModern || isObject);
  const built = resultOf(outcome, isStructured);
  const others = Array.isArray(content) ? content.filter((part) => asFields(part)?.['type'] !== 'text') : [];
  const parts = [...(built['content'] as Json[]), ...others];
  return { ...response, result: { ...rest, ...built, content: parts } };
}

function resultOf(outcome: WireOutcome | DoorOutcome, isStructured: boolean): { [name: string]: Json } {
  if ('error' in outcome) return { content: [{ type: 'text', text: outcome.error }], isError: true };
  const { result } = outcome;
  const content = [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }];
  return isStructured ? { content, structuredContent: result } : { content };
}

/** Builds an error of the protocol. */
export function buildError(id: Json, code: number, message: string): Json {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The codes of errors that a server sends with HTTP status 400: headers that disagree, a missing capability, and an unsupported version. */
const badRequestCodes: readonly unknown[] = [headerMismatch, -32_021, -32_022];

/** Returns the HTTP status of a message that is the whole answer to a request. */
export function statusOf(message: Json): number {
  const error = asFields(asFields(message)?.['error']);
  return badRequestCodes.includes(error?.['code']) ? 400 : 200;
}
