import { ExactNumber, exactNumberOf } from '../../../core/lib/json/exact-number.ts';
import { setMember } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';

const maxDepth = 500;

/**
 * Converts any value to valid JSON, without throwing. No value silently becomes null or vanishes: what JSON cannot
 * represent becomes a text that describes it, such as `"NaN"`, `"[circular]"` or `"[function search]"`.
 *
 * A bigint becomes a number with all its digits; a Date its ISO text; a Map an object, or a list of
 * pairs when its keys are not texts; a Set a list; bytes become base64. Members that are undefined are dropped, as in
 * JSON. Texts are made well-formed Unicode.
 */
export function toJson(value: unknown): Json {
  return convert(value, new Set());
}

function convert(value: unknown, ancestors: Set<object>): Json {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return exactNumberOf(value);
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : convertObject(value, ancestors);
    case 'function':
      return `[function ${value.name}]`;
    case 'symbol':
      return `[${String(value)}]`;
  }
}

function convertObject(value: object, ancestors: Set<object>): Json {
  if (ancestors.has(value)) return '[circular]';
  if (ancestors.size >= maxDepth) return `[nested deeper than ${maxDepth}]`;
  ancestors.add(value);
  try {
    return Array.isArray(value)
      ? [...value].map((item) => convert(item, ancestors)) // A hole in a list becomes null.
      : convertRecord(value, ancestors);
  } catch (error) {
    // A getter, a proxy or the target's own toJSON threw: that is worth a note, but not the whole answer.
    return `[unreadable: ${error instanceof Error ? error.message : typeof error}]`;
  } finally {
    ancestors.delete(value);
  }
}

function convertRecord(value: object, ancestors: Set<object>): Json {
  if (value instanceof ExactNumber) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map) return convertMap(value, ancestors);
  if (value instanceof Set) return Array.from(value, (item) => convert(item, ancestors));
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), ancestors);
  return convertEntries(Object.entries(value), ancestors);
}

function convertMap(map: ReadonlyMap<unknown, unknown>, ancestors: Set<object>): Json {
  const entries = [...map];
  const hasTextKeys = entries.every((entry): entry is [string, unknown] => typeof entry[0] === 'string');
  if (hasTextKeys) return convertEntries(entries, ancestors);
  return entries.map((entry) => entry.map((part) => convert(part, ancestors)));
}

function convertEntries(entries: readonly [string, unknown][], ancestors: Set<object>): Json {
  const record: Record<string, Json> = {};
  for (const [key, member] of entries) {
    if (member !== undefined) setMember(record, key.toWellFormed(), convert(member, ancestors));
  }
  return record;
}
