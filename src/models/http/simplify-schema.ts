import type { Json } from '../../schema/json.ts';

type Schema = { readonly [key: string]: Json };

/** What a provider does not take in a JSON Schema. */
export interface SchemaLimits {
  /** It refuses `minimum` and `maximum`. */
  readonly bounds?: boolean;
}

/**
 * A JSON Schema as a provider takes it that compiles it and keeps it for the next request: an `enum` of one text, such as the
 * id of a request, becomes any text, so that one schema serves all requests. What is left out stands in the prompt too.
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
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
