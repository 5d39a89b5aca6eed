import type { z } from 'zod';

/** The names of settings that a schema knows at a path inside it; none where it takes any name. */
export function knownSettings(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const alternatives = path.reduce<z.core.$ZodTypes[]>(
    (schemas, step) => schemas.flatMap((each) => inside(each, step)),
    shapesOf(schema),
  );
  return alternatives.flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : []));
}

/** What is under a schema's defaults and options: one shape, or those of all alternatives. */
function shapesOf(schema: z.core.$ZodType): z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return shapesOf(def.innerType);
    case 'union':
      return def.options.flatMap(shapesOf);
    case 'pipe':
      return shapesOf(def.in);
    case 'lazy':
      return shapesOf(def.getter());
    default:
      return [known];
  }
}

function inside({ _zod: { def } }: z.core.$ZodTypes, step: PropertyKey): z.core.$ZodTypes[] {
  if (def.type === 'array') return shapesOf(def.element);
  if (def.type === 'record') return shapesOf(def.valueType);
  const found = def.type === 'object' && typeof step === 'string' ? def.shape[step] : undefined;
  return found === undefined ? [] : shapesOf(found);
}
