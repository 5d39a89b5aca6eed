import { Readable } from 'node:stream';
import { inflate } from '../../../core/lib/network/inflate.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readHead } from '../../../core/lib/network/listen.ts';
import { type CarriedReply, headerOf } from '../carry/upstream.ts';
import type { WireOutcome } from '../door.ts';
import { fieldsOf } from './openapi-names.ts';

type Wire = NonNullable<WireOutcome['wire']>;

/** The most characters of an error in a record. */
const mostErrorCharacters = 2000;

/** The most bytes of a compressed body without its compression; its copy is cut long before. */
const mostUnpackedBytes = 1024 ** 3;

/** Returns whether a content type is one of JSON. */
export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

function isTextType(type: string): boolean {
  return (
    type === '' ||
    isJsonType(type) ||
    /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|graphql|x-ndjson|jsonl|x-www-form-urlencoded)\b)/i.test(
      type,
    )
  );
}

/** Returns a body as JSON: parsed, the fields of a form, a text, or a note in place of bytes that are no text. */
export function readBodyValue(bytes: Buffer, contentType: string): Json {
  const text = isTextType(contentType) ? decodeText(bytes, contentType) : undefined;
  if (text === undefined) return `[${contentType || 'data'}, ${bytes.length} bytes]`;
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return Object.fromEntries(fieldsOf(text));
  return isJsonType(contentType) || contentType === '' ? parseOr(text) : text;
}

/** Returns bytes as text in the charset of their type; undefined when they are not. */
function decodeText(bytes: Buffer, contentType: string): string | undefined {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseOr(text: string): Json {
  return tryParseJson(text, text) as Json;
}

/** A copy of the body of a reply. */
export interface BodyCopy {
  readonly bytes: Buffer;
  /** True when the bytes are not all. */
  readonly isCut: boolean;
}

/** A reply that was read: the outcome of the tool, and its body as text; empty when it is none. */
export interface ReadReply {
  readonly outcome: WireOutcome;
  readonly text: string;
}

/** Reads a reply as the outcome of a tool: from status 400 on, its own error. */
export async function readReplyOutcome(
  { status, headers }: Omit<CarriedReply, 'body'>,
  copy: BodyCopy,
  mostBytes: number,
): Promise<ReadReply> {
  const contentType = headerOf(headers, 'content-type');
  const { bytes, isCut } = await unpack(copy, headerOf(headers, 'content-encoding'), mostBytes);
  const text = isTextType(contentType) ? bytes.toString('utf8').toWellFormed() : '';
  const value = valueOf(bytes, isCut, { text, contentType });
  const wire = wireOf({ bytes, isCut }, { status, contentType, isText: text !== '' });
  if (status >= 400) {
    const shown = text.slice(0, mostErrorCharacters).toWellFormed();
    const error = `HTTP ${status}${shown === '' ? '' : `: ${shown}`}`;
    return { outcome: { error, details: { status }, wire: { parts: { body: value }, ...wire } }, text };
  }
  const isUsual = status === 200 && wire.contentType === 'application/json' && !isCut;
  return { outcome: isUsual ? { result: value } : { result: value, wire }, text };
}

interface BodyText {
  readonly text: string;
  readonly contentType: string;
}

function valueOf(bytes: Buffer, isCut: boolean, { text, contentType }: BodyText): Json {
  if (bytes.length === 0) return null;
  return isCut && text !== '' ? text : readBodyValue(bytes, contentType);
}

/** Returns what of a reply its value does not say. */
function wireOf(
  { bytes, isCut }: BodyCopy,
  {
    status,
    contentType,
    isText,
  }: { readonly status: number; readonly contentType: string; readonly isText: boolean },
): Wire {
  if (bytes.length === 0) return { status };
  if (isCut) return { status, contentType, truncated: true };
  return isText
    ? { status, contentType }
    : { status, contentType, parts: { base64: bytes.toString('base64') } };
}

/** Returns a copy without its compression; a note where that is broken. */
async function unpack(copy: BodyCopy, packing: string, mostBytes: number): Promise<BodyCopy> {
  if (packing === '' || packing === 'identity' || copy.bytes.length === 0) return copy;
  try {
    const packed = Readable.from([copy.bytes], { objectMode: false });
    const plain = inflate(packed, packing, mostUnpackedBytes);
    const { bytes, isWhole } = await readHead(plain, mostBytes);
    plain.destroy();
    return { bytes: bytes.subarray(0, mostBytes), isCut: copy.isCut || !isWhole };
  } catch {
    return { bytes: Buffer.from(`[${packing} data, ${copy.bytes.length} bytes]`), isCut: true };
  }
}
