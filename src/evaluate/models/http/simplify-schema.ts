import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';

type Schema = { readonly [key: string]: Json };

/** The parts of JSON Schema that a provider does not accept. */
export interface SchemaLimits {
  /** True when it refuses `minimum` and `maximum`. */
  readonly bounds?: boolean;
}

/**
 * Simplifies a JSON Schema for a provider that compiles schemas and caches them: an `enum` of one text, such as the id
 * of a request, becomes any text, so that one schema serves all requests. The prompt contains what is missing here.
 */
export function simplifySchema(schema: Schema, limits: SchemaLimits = {}): { [key: string]: Json } {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (limits.bounds === true && (key === 'minimum' || key === 'maximum')) return [];
    if (key === 'enum' && isOneText(value)) return [];
    if (key === 'properties' && isSchema(value)) {
      const inside = Object.entries(value).map(([name, each]) => [name, simplify(each, limits)] as const);
      return [[key, Object.fromEntries(inside)]];
    }
    return [[key, key === 'items' ? simplify(value, limits) : value]];
  });
  return Object.fromEntries(entries);
}

function simplify(value: Json, limits: SchemaLimits): Json {
  return isSchema(value) ? simplifySchema(value, limits) : value;
}

function isOneText(value: Json): boolean {
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string';
}

function isSchema(value: Json): value is Schema {
  return isContainer(value) && !Array.isArray(value);
}
