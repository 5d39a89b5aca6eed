import type { Json } from '../../schema/json.ts';

/**
 * Whether OpenAI takes a JSON Schema as a strict one: every object lists all its properties as required and allows no
 * others. A request that calls any other schema strict is refused.
 */
export function isStrictSchema(schema: Json): boolean {
  if (schema === null || typeof schema !== 'object') return true;
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  const { properties } = schema;
  if (isRecord(properties)) {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    if (schema['additionalProperties'] !== false) return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every(isStrictSchema)) return false;
  } else if (schema['type'] === 'object') return false;
  return Object.entries(schema).every(([key, value]) => key === 'properties' || isStrictSchema(value));
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
