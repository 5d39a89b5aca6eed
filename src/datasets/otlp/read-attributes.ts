import type { Attributes } from '../../schema/recorded-trace.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the attributes of a span, an event or a resource: the list of keys and typed values of OTLP, or an object of plain
 * values, nested or not, as other exporters write it. What is neither has none.
 */
export function readAttributes(given: unknown): Attributes {
  if (Array.isArray(given)) return readList(given);
  if (!isFields(given)) return {};
  return Object.keys(given).some((key) => key.includes('.')) ? readTyped(given) : flatten(given);
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

/** `{ gen_ai: { operation: { name } } }` is `{ 'gen_ai.operation.name' }`. */
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

/** Reads a typed value such as `{ intValue: "5" }`, with keys in either spelling; any other value is meant as it is. */
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

/** 64-bit integers come as texts; one that a number cannot hold stays a text. */
function readInteger(value: unknown): unknown {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : value;
}

function valuesOf(value: unknown): readonly unknown[] {
  const values = isFields(value) ? value['values'] : undefined;
  return Array.isArray(values) ? values : [];
}

/** The field of an object in either spelling: `traceId` and `trace_id` are the same. */
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

/** Whether a value is an object and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
