import { inflate } from '../../../core/lib/network/inflate.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readWhole, takePieces } from '../carry/bodies.ts';
import { type CarriedReply, headerOf, withoutHeaders } from '../carry/upstream.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { Hold } from './mcp-calls.ts';
import { asFields, idKey, type RpcMessage, parseMessage } from './mcp-message.ts';

/** The most bytes that a compressed reply may have without its compression. */
const mostBytes = 256 * 1024 * 1024;

/** Finds what waits for a response; undefined for a message that is passed on. */
export type FindHold = (response: RpcMessage) => Hold | undefined;

/** The end of a reply that was passed on. */
export interface Passed {
  /** True when events of a stream had ids: a client may resume it elsewhere. */
  readonly isResumable: boolean;
  /** The failure with which it broke off. */
  readonly fault?: Error;
}

/**
 * Passes a reply of a server on as it comes. Only a response that something waits for is held until it is released.
 * @param id - The id of the request, if it is one: a reply that is no message is taken as its failure.
 */
export async function passReply(
  reply: CarriedReply,
  writer: AnswerWriter,
  { id, findHold }: { readonly id?: Json; readonly findHold: FindHold },
): Promise<Passed> {
  const plain = decoded(reply);
  if (/^text\/event-stream\b/i.test(headerOf(plain.headers, 'content-type')))
    return await passEvents(plain, writer, findHold);
  const bytes = await readWhole(plain.body);
  const response = id === undefined ? undefined : readWholeResponse(bytes, id, plain.status);
  const released = response && (await findHold(response)?.(response));
  if (released?.isDropped === true) return { isResumable: false };
  const isChanged = released?.message !== undefined;
  const body = isChanged ? Buffer.from(JSON.stringify(released.message)) : bytes;
  await writer.writeWhole(plain, body);
  return { isResumable: false };
}

/** Returns a reply without its compression: what is read has to be plain, and what is changed goes out so. */
function decoded(reply: CarriedReply): CarriedReply {
  const packing = headerOf(reply.headers, 'content-encoding');
  if (packing === '' || packing === 'identity') return reply;
  const headers = withoutHeaders(reply.headers, ['content-encoding', 'content-length']);
  return { ...reply, headers, body: inflate(reply.body, packing, mostBytes) };
}

async function passEvents(reply: CarriedReply, writer: AnswerWriter, findHold: FindHold): Promise<Passed> {
  writer.beginStream(reply);
  let isResumable = false;
  try {
    for await (const event of readRawEvents(takePieces(reply.body))) {
      isResumable ||= event.hasId;
      const bytes = await releasedBytes(event, findHold);
      if (bytes !== undefined) await writer.writeEvent(bytes);
    }
  } catch (error) {
    return { isResumable, fault: error as Error };
  }
  return { isResumable };
}

async function releasedBytes(event: RawEvent, findHold: FindHold): Promise<Buffer | undefined> {
  const response = event.data === undefined ? undefined : readResponseText(event.data);
  const hold = response && findHold(response);
  if (hold === undefined) return event.bytes;
  const { message, isDropped } = await hold(response as RpcMessage);
  if (isDropped === true) return undefined;
  return message === undefined ? event.bytes : withData(event, JSON.stringify(message));
}

/** Reads a text as a response; undefined for every other message. */
function readResponseText(text: string): RpcMessage | undefined {
  const message = asFields(parseMessage(text));
  return message !== undefined && message['method'] === undefined && message['id'] !== undefined
    ? message
    : undefined;
}

/** Reads the whole body of a reply as the response to a request. One that is none stands for its failure. */
function readWholeResponse(bytes: Buffer, id: Json, status: number): RpcMessage {
  const text = bytes.toString('utf8');
  const message = asFields(parseMessage(text));
  if (message !== undefined && idKey(message['id']) === idKey(id)) return message;
  const said = asFields(message?.['error'])?.['message'] ?? shorten(text.trim(), 2000);
  return { id, error: { message: `HTTP ${status}: ${String(said)}`, status } };
}

/** An event of a stream, or comments between events, with the bytes as they came. */
interface RawEvent {
  readonly bytes: Buffer;
  /** True when a client can resume the stream from it. */
  readonly hasId: boolean;
  /** Its data; undefined when it has none. */
  readonly data: string | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;

/**
 * Splits a stream of server-sent events without changing a byte: joined, the results are the stream. A comment between events
 * comes at once, and an event with the line that ends it.
 */
export async function* readRawEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawEvent> {
  const splitter = createSplitter();
  for await (const chunk of chunks) {
    for (const bytes of splitter.add(chunk)) yield readEvent(bytes);
  }
  const rest = splitter.end();
  if (rest.length > 0) yield readEvent(rest);
}

function createSplitter() {
  let held: Buffer[] = [];
  let lineLength = 0;
  let isComment = false;
  let hasField = false;
  let last = 0;

  /** Returns whether an event ends with a line. */
  const endLine = (): boolean => {
    const isEnd = lineLength === 0 || (isComment && !hasField);
    hasField = !isEnd && (hasField || !isComment);
    lineLength = 0;
    return isEnd;
  };
  /** Takes one byte; returns whether an event ends with it. */
  const take = (byte: number, next: number | undefined): boolean => {
    const isSecondHalf = byte === lineFeed && last === carriageReturn && lineLength === 0;
    last = byte;
    if (isSecondHalf) return false;
    if (byte === lineFeed || (byte === carriageReturn && next !== lineFeed)) return endLine();
    if (byte === carriageReturn) {
      last = 0; // The LF after it ends the line.
      return false;
    }
    if (lineLength === 0) isComment = byte === colon;
    lineLength += 1;
    return false;
  };
  return {
    add: (chunk: Buffer): Buffer[] => {
      const ended: Buffer[] = [];
      let start = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        if (!take(chunk[index] ?? 0, chunk[index + 1])) continue;
        held.push(chunk.subarray(start, index + 1));
        ended.push(Buffer.concat(held));
        held = [];
        start = index + 1;
      }
      if (start < chunk.length) held.push(chunk.subarray(start));
      return ended;
    },
    end: () => Buffer.concat(held),
  };
}

function readEvent(bytes: Buffer): RawEvent {
  const lines = bytes.toString('utf8').split(/\r\n|\n|\r/);
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length));
  return {
    bytes,
    hasId: lines.some((line) => line.startsWith('id:')),
    data: data.length === 0 ? undefined : data.join('\n'),
  };
}

/** Returns an event with other data, and with all its other lines. */
function withData(event: RawEvent, data: string): Buffer {
  const others = event.bytes
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '' && !line.startsWith('data:'));
  return Buffer.from([...others, `data: ${data}`, '', ''].join('\n'));
}
