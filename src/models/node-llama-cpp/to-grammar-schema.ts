import type { Json } from '../../schema/json.ts';

type Schema = { readonly [key: string]: Json };

/** The most characters of a text without a bound of its own: a small model may repeat itself without an end. */
const longestText = 2000;

/** The most values that are listed in place of bounds. */
const mostValues = 200;

/** In how many steps a number between bounds may lie. */
const steps = 20;

/**
 * Writes a JSON Schema as the grammar of node-llama-cpp takes it, which knows no bounds of numbers: the values between
 * them are listed, of numbers with a fraction 21 at equal distances. Texts are given an end.
 */
export function toGrammarSchema(schema: Schema): Schema {
  const { minimum: least, maximum: most, type } = schema;
  if (schema['enum'] !== undefined) return schema;
  if (typeof least === 'number' && typeof most === 'number') {
    const values = listValues(least, most, type === 'integer');
    if (values !== undefined) return { enum: values };
  }
  if (type === 'string' && schema['maxLength'] === undefined) return { ...schema, maxLength: longestText };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, convert(key, value)]));
}

function convert(key: string, value: Json): Json {
  if (!isSchema(value)) return value;
  if (key === 'items') return toGrammarSchema(value);
  if (key !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      isSchema(inside) ? toGrammarSchema(inside) : inside,
    ]),
  );
}

function listValues(least: number, most: number, isWhole: boolean): number[] | undefined {
  const count = isWhole ? Math.floor(most) - Math.ceil(least) : steps;
  if (!(count >= 0 && count < mostValues)) return undefined;
  return Array.from({ length: count + 1 }, (_, index) =>
    isWhole ? Math.ceil(least) + index : Number((least + ((most - least) * index) / steps).toPrecision(6)),
  );
}

function isSchema(value: Json): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
