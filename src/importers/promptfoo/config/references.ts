import { valueAtPath } from '../../../lib/objects.ts';
import { asObject, asText, type Fields } from '../../values.ts';

/** References inside references are followed this far. */
const deepest = 10;

/** Replaces every `{$ref: '#/assertionTemplates/NAME'}` by what it refers to in the same file, with what stands beside it. */
export function replaceReferences(config: Fields): Fields {
  return replace(config, config, 0) as Fields;
}

function replace(value: unknown, root: Fields, depth: number): unknown {
  if (depth > 50) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => replace(item, root, depth + 1));
  const object = asObject(value);
  if (object === undefined) return value;
  const { $ref, ...rest } = object;
  const found = lookUp(asText($ref), root, 0);
  const merged = found === undefined ? object : { ...found, ...rest };
  return Object.fromEntries(
    Object.entries(merged).map(([key, item]) => [key, replace(item, root, depth + 1)]),
  );
}

function lookUp(reference: string | undefined, root: Fields, depth: number): Fields | undefined {
  if (reference === undefined || !reference.startsWith('#/') || depth > deepest) return undefined;
  const object = asObject(valueAtPath(root, reference.slice(2).replaceAll('/', '.')));
  if (object === undefined) return undefined;
  const { $ref, ...rest } = object;
  const further = lookUp(asText($ref), root, depth + 1);
  return { ...further, ...rest };
}
