import type { z } from 'zod';

/** A JSON Schema, as zod writes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Describes a JSON Schema in a few words, for a table: `text`, `number ≥ 0`, `"mean" or "sum"`, `list of text`. */
export function describeType(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'anything';
  const { const: value, enum: values, anyOf, oneOf } = schema;
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(describeType))].join(' or ');
  return describeSingle(schema);
}

function describeSingle(schema: JsonSchema): string {
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'integer':
      return `whole number${describeRange(schema)}`;
    case 'number':
      return `number${describeRange(schema)}`;
    case 'array':
      return `list of ${describeItem(schema.items as JsonSchema | undefined)}`;
    case 'object':
      return schema.properties?.['use'] === undefined ? 'object' : '`{ use, … }`';
    default:
      return 'anything';
  }
}

function describeItem(items: JsonSchema | undefined): string {
  const text = describeType(items);
  return text.includes(' or ') ? `(${text})` : text;
}

function describeRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const isBounded = maximum !== undefined && Math.abs(maximum) < Number.MAX_SAFE_INTEGER;
  const isBoundedBelow = minimum !== undefined && Math.abs(minimum) < Number.MAX_SAFE_INTEGER;
  if (isBoundedBelow && isBounded) return ` from ${minimum} to ${maximum}`;
  if (isBoundedBelow) return ` ≥ ${minimum}`;
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`;
  return isBounded ? ` ≤ ${maximum}` : '';
}
