import { exactNumber, isWholeNumber } from '../../../core/lib/json/exact-number.ts';
import type { Attributes } from '../../../core/schema/message.ts';
import { type Fields, isFields } from '../fields.ts';

/**
 * Reads the attributes of a span, an event or a resource: the list of keys and typed values of OTLP, or an object of
 * plain values, nested or not, as other exporters write it. Any other value has no attributes.
 */
export function readAttributes(raw: unknown): Attributes {
  if (Array.isArray(raw)) return readList(raw);
  if (!isFields(raw)) return {};
  return Object.keys(raw).some((key) => key.includes('.')) ? readTyped(raw) : flatten(raw);
}

function readList(list: readonly unknown[]): Attributes {
  const attributes: [string, unknown][] = [];
  for (const item of list) {
    if (isFields(item) && typeof item['key'] === 'string')
      attributes.push([item['key'], readValue(item['value'])]);
  }
  return Object.fromEntries(attributes);
}

function readTyped(fields: Fields): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, readValue(value)]));
}

/** Flattens nested objects: `{ gen_ai: { operation: { name } } }` becomes `{ 'gen_ai.operation.name' }`. */
function flatten(fields: Fields, prefix: string = '', depth: number = 0): Attributes {
  const entries = Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
    const read = isTyped(value) ? readValue(value) : value;
    const name = `${prefix}${key}`;
    return isFields(read) && depth < deepest
      ? Object.entries(flatten(read, `${name}.`, depth + 1))
      : [[name, read]];
  });
  return Object.fromEntries(entries);
}

const deepest = 20;

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  stringValue: (value) => value,
  boolValue: (value) => value,
  intValue: readInteger,
  doubleValue: (value) => (typeof value === 'string' ? Number(value) : value),
  arrayValue: (value) => valuesOf(value).map(readValue),
  kvlistValue: (value) => readList(valuesOf(value)),
  bytesValue: (value) => value,
};

/**
 * Reads a typed value such as `{ intValue: "5" }`, with keys in either spelling; any other value is returned unchanged.
 */
export function readValue(value: unknown): unknown {
  if (!isTyped(value)) return value;
  const [key = '', inner] = Object.entries(value)[0] ?? [];
  return readers[camel(key)]?.(inner);
}

function isTyped(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && Object.hasOwn(readers, camel(keys[0] ?? ''));
}

/** Reads a 64-bit integer, which is written as a text, or as a number. */
function readInteger(value: unknown): unknown {
  const number = typeof value === 'string' ? exactNumber(value.trim()) : value;
  return isWholeNumber(number) ? number : value;
}

function valuesOf(value: unknown): readonly unknown[] {
  const values = isFields(value) ? value['values'] : undefined;
  return Array.isArray(values) ? values : [];
}

/** Returns the field of an object in either spelling: `traceId` and `trace_id` are the same. */
export function field(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[snake(name)];
}

function camel(name: string): string {
  if (!name.includes('_')) return name;
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Reads the id of a trace as 32 hexadecimal digits. OTLP requires that form; protobuf's own JSON has base64. Ids of
 * other lengths are returned unchanged. Undefined for no id and for the id of all zeros.
 */
export function readTraceId(raw: unknown): string | undefined {
  return readId(raw, 16);
}

/** Reads the id of a span as 16 hexadecimal digits, otherwise like `readTraceId`. */
export function readSpanId(raw: unknown): string | undefined {
  return readId(raw, 8);
}

function readId(raw: unknown, bytes: number): string | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined;
  const id = raw.replace(/^0x/, '');
  if (/^[0-9a-f]+$/i.test(id)) return /^0*$/.test(id) ? undefined : id.toLowerCase();
  const decoded = /^[\w+/-]+={0,2}$/.test(id) ? Buffer.from(id, 'base64') : Buffer.alloc(0);
  if (decoded.length !== bytes || id.replace(/=+$/, '').length !== Math.ceil((bytes * 4) / 3)) return id;
  return decoded.every((byte) => byte === 0) ? undefined : decoded.toString('hex');
}

/**
 * Reads a time in milliseconds since 1970 with fractions, from nanoseconds as a text or a number, from seconds and
 * nanoseconds in a list, or from an ISO text. Undefined for zero, which means an unknown time, and for anything
 * else.
 */
export function readTime(raw: unknown): number | undefined {
  if (typeof raw === 'number') return toMilliseconds(raw);
  if (Array.isArray(raw)) return fromPair(raw);
  if (typeof raw !== 'string') return undefined;
  if (/^\d+$/.test(raw)) {
    // A number represents microseconds of this size exactly enough.
    return toMilliseconds(raw.length > 15 ? Number(BigInt(raw) / 1000n) * 1000 : Number(raw));
  }
  const milliseconds = Date.parse(raw);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/**
 * Units of times: where OTLP has nanoseconds, others write microseconds, milliseconds or seconds, which are recognized
 * by their size for times of this century.
 */
const units: readonly (readonly [from: number, perMillisecond: number])[] = [
  [1e17, 1e6],
  [1e14, 1e3],
  [1e11, 1],
  [1e8, 1e-3],
];

function toMilliseconds(time: number): number | undefined {
  if (!(time > 0 && Number.isFinite(time))) return undefined;
  const [, perMillisecond] = units.find(([from]) => time >= from) ?? [0, 1e6];
  return Math.round((time / perMillisecond) * 1000) / 1000;
}

function fromPair([seconds, nanoseconds]: readonly unknown[]): number | undefined {
  if (typeof seconds !== 'number' || typeof nanoseconds !== 'number') return undefined;
  return Math.round(seconds * 1e6 + nanoseconds / 1e3) / 1000;
}
