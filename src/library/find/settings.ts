import { z } from 'zod';
import type { JsonSchema } from './describe-definition.ts';

/** An option with the rows that describe it, its own and one for each option inside it: name, type, default and meaning, in Markdown. */
export interface Setting {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** A default that is too long for a row. */
  readonly longDefault?: unknown;
}

const longestDefault = 80;

/** Reads the options of an object schema, in its order. */
export function readSettings(schema: z.ZodType): Setting[] {
  return settingsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** Reads the options of a JSON Schema, in its order. */
export function settingsOf(json: JsonSchema): Setting[] {
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { default: value } = property as JsonSchema;
    const isLong = (JSON.stringify(value) ?? '').length > longestDefault;
    const rows = settingRows({ ...json, properties: { [name]: property } }, '');
    return { name, rows, ...(isLong && { longDefault: value }) };
  });
}

function settingRows({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const isRequired = required.includes(name) && prefix === '';
    const type = describeType(property);
    const row = [
      code(prefix + name),
      type,
      isRequired ? 'required' : describeDefault(property),
      property.description ?? '',
    ];
    const inner = innerSchema(property);
    return [
      row,
      ...(inner === undefined ? [] : settingRows(inner.schema, `${prefix}${name}${inner.suffix}`)),
    ];
  });
}

function describeDefault({ default: value }: JsonSchema): string {
  const text = JSON.stringify(value);
  if (text === undefined || text === '{}') return '';
  return text.length > longestDefault ? 'below' : code(text);
}

/** Returns the object schema inside a setting: its own, the schema of its list's items, or of one of its alternatives. */
function innerSchema(schema: JsonSchema): { schema: JsonSchema; suffix: string } | undefined {
  const choices = schema.anyOf ?? [schema];
  const object = choices.find(
    ({ properties }) => properties !== undefined && properties['use'] === undefined,
  );
  if (object !== undefined) return { schema: object, suffix: '.' };
  const items = choices.find(({ type }) => type === 'array')?.items as JsonSchema | undefined;
  const inner = items === undefined ? undefined : innerSchema(items);
  return inner === undefined ? undefined : { ...inner, suffix: '[].' };
}

/** Describes a JSON Schema in a few words, for a table: `text`, `number ≥ 0`, `"mean" or "sum"`, `list of text`. */
function describeType(schema: JsonSchema | boolean | undefined): string {
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

function code(name: string): string {
  return `\`${name}\``;
}
