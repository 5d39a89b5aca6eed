/**
 * The part of a message that a field is. `hex` and `base64` are bytes in the two spellings that OTLP as JSON has for them;
 * `fixed64` and `int64` are texts of digits, as in JSON.
 */
type FieldType = 'text' | 'hex' | 'base64' | 'fixed64' | 'int64' | 'enum' | 'bool' | 'double' | MessageName;

interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isList?: true;
}

type MessageName = keyof typeof messages;

/**
 * The messages of OTLP that contain spans, by the numbers of their fields, as `opentelemetry/proto/trace/v1/trace.proto` and
 * `common/v1/common.proto` of version 1.9 have them; 1000 is the name that version 0.15 had. Other fields are skipped.
 */
const messages = {
  request: { 1: { name: 'resourceSpans', type: 'resourceSpans', isList: true } },
  resourceSpans: {
    1: { name: 'resource', type: 'resource' },
    2: { name: 'scopeSpans', type: 'scopeSpans', isList: true },
    1000: { name: 'scopeSpans', type: 'scopeSpans', isList: true },
  },
  resource: { 1: { name: 'attributes', type: 'keyValue', isList: true } },
  scopeSpans: { 2: { name: 'spans', type: 'span', isList: true } },
  span: {
    1: { name: 'traceId', type: 'hex' },
    2: { name: 'spanId', type: 'hex' },
    4: { name: 'parentSpanId', type: 'hex' },
    5: { name: 'name', type: 'text' },
    7: { name: 'startTimeUnixNano', type: 'fixed64' },
    8: { name: 'endTimeUnixNano', type: 'fixed64' },
    9: { name: 'attributes', type: 'keyValue', isList: true },
    11: { name: 'events', type: 'event', isList: true },
    15: { name: 'status', type: 'status' },
  },
  event: {
    1: { name: 'timeUnixNano', type: 'fixed64' },
    2: { name: 'name', type: 'text' },
    3: { name: 'attributes', type: 'keyValue', isList: true },
  },
  status: { 2: { name: 'message', type: 'text' }, 3: { name: 'code', type: 'enum' } },
  keyValue: { 1: { name: 'key', type: 'text' }, 2: { name: 'value', type: 'value' } },
  value: {
    1: { name: 'stringValue', type: 'text' },
    2: { name: 'boolValue', type: 'bool' },
    3: { name: 'intValue', type: 'int64' },
    4: { name: 'doubleValue', type: 'double' },
    5: { name: 'arrayValue', type: 'array' },
    6: { name: 'kvlistValue', type: 'keyValues' },
    7: { name: 'bytesValue', type: 'base64' },
  },
  array: { 1: { name: 'values', type: 'value', isList: true } },
  keyValues: { 1: { name: 'values', type: 'keyValue', isList: true } },
} as const satisfies Record<string, Readonly<Record<number, FieldShape>>>;

interface FieldShape {
  readonly name: string;
  readonly type: string;
  readonly isList?: true;
}

/** The deepest nesting of messages: 32 of values, which are two messages each, and those around them. */
const deepest = 72;

/** The bytes are no message of OTLP. */
export class ProtobufFault extends Error {}

/**
 * Decodes an `ExportTraceServiceRequest` to the objects that OTLP as JSON has for it. A field of an unknown number, or of
 * another type than it has in OTLP, is skipped, as protobuf demands. Throws `ProtobufFault` for bytes that are cut off, broken
 * or nested too deep. The objects are never larger than a few times the bytes.
 */
export function decodeTraceRequest(bytes: Uint8Array): Record<string, unknown> {
  return decodeMessage(new Cursor(bytes), bytes.length, { fields: messages.request, depth: 0 });
}

interface Expectation {
  readonly fields: Readonly<Record<number, FieldShape>>;
  readonly depth: number;
}

function decodeMessage(cursor: Cursor, end: number, { fields, depth }: Expectation): Record<string, unknown> {
  if (depth > deepest) throw new ProtobufFault('it is nested too deep');
  const message: Record<string, unknown> = {};
  while (cursor.at < end) {
    const tag = cursor.number(end);
    const [number, wire] = [tag >>> 3, tag & 7];
    const field = Object.hasOwn(fields, number) ? (fields[number] as Field) : undefined;
    if (number === 0) throw new ProtobufFault('a field has the number 0');
    if (field === undefined || wire !== wireOf(field.type)) cursor.skip(wire, end);
    else put(message, field, readField(cursor, end, { type: field.type, depth }));
  }
  return message;
}

/** Adds a value to a message. In a field that is no list, the last value counts. */
function put(message: Record<string, unknown>, { name, isList }: Field, value: unknown): void {
  if (isList !== true) message[name] = value;
  else if (Array.isArray(message[name])) message[name].push(value);
  else message[name] = [value];
}

/** Returns the number by which protobuf marks how a type is written. */
function wireOf(type: FieldType): number {
  if (type === 'fixed64' || type === 'double') return 1;
  return type === 'int64' || type === 'enum' || type === 'bool' ? 0 : 2;
}

function readField(
  cursor: Cursor,
  end: number,
  { type, depth }: { readonly type: FieldType; readonly depth: number },
): unknown {
  switch (type) {
    case 'fixed64':
      return cursor.fixed64(end).toString();
    case 'double':
      return cursor.double(end);
    case 'int64':
      return BigInt.asIntN(64, cursor.varint(end)).toString();
    case 'enum':
      return Number(BigInt.asIntN(32, cursor.varint(end)));
    case 'bool':
      return cursor.varint(end) !== 0n;
    case 'text':
      return cursor.bytes(end).toString('utf8');
    case 'hex':
    case 'base64':
      return cursor.bytes(end).toString(type);
    default: {
      const length = cursor.length(end);
      return decodeMessage(cursor, cursor.at + length, { fields: messages[type], depth: depth + 1 });
    }
  }
}

/** A place in bytes that moves on as they are read. `end` is the end of the message around it. */
class Cursor {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads a whole number of up to ten bytes with seven bits each, the lowest first. */
  varint(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = BigInt(this.#bytes[this.#take(1, end)] as number);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return BigInt.asUintN(64, value);
    }
    throw new ProtobufFault('a number has more than ten bytes');
  }

  /** Reads a number below 2^31, such as a length. */
  number(end: number): number {
    let value = 0;
    for (let place = 1; place < 2 ** 35; place *= 128) {
      const byte = this.#bytes[this.#take(1, end)] as number;
      value += (byte % 128) * place;
      if (value >= 2 ** 31) break;
      if (byte < 128) return value;
    }
    throw new ProtobufFault('a length or a field number is too large');
  }

  /** Reads the length of what follows, which is inside the message. */
  length(end: number): number {
    const length = this.number(end);
    if (length > end - this.at) throw new ProtobufFault('it is cut off');
    return length;
  }

  bytes(end: number): Buffer {
    const length = this.length(end);
    const from = this.#take(length, end);
    return this.#bytes.subarray(from, from + length);
  }

  fixed64(end: number): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8, end));
  }

  double(end: number): number {
    return this.#bytes.readDoubleLE(this.#take(8, end));
  }

  /** Skips a field that is not read. */
  skip(wire: number, end: number): void {
    if (wire === 0) this.varint(end);
    else if (wire === 1) this.#take(8, end);
    else if (wire === 2) this.#take(this.length(end), end);
    else if (wire === 5) this.#take(4, end);
    else throw new ProtobufFault(`a field has the unknown type ${wire}`);
  }

  #take(count: number, end: number): number {
    if (count > end - this.at) throw new ProtobufFault('it is cut off');
    const from = this.at;
    this.at += count;
    return from;
  }
}

/** Encodes an `ExportTraceServiceResponse` that says how many spans were not stored, and why. */
export function encodePartialSuccess(rejectedSpans: number, errorMessage: string): Uint8Array {
  return field(1, Buffer.concat([number(1, rejectedSpans), field(2, Buffer.from(errorMessage))]));
}

/** Encodes a `google.rpc.Status`. */
export function encodeFailure(code: number, message: string): Uint8Array {
  return Buffer.concat([number(1, code), field(2, Buffer.from(message))]);
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

function field(id: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
