import type { z } from 'zod';
import { lazily } from './lazily.ts';

/** A configured extension as data: `{ use: 'keywords', threshold: 0.8 }`. */
export interface NamedUse {
  use: string;
  name?: string | undefined;
  [option: string]: unknown;
}

/** What every extension of every kind declares about itself. */
export interface Definition<Kind extends string, Options, Instance, Needs> {
  readonly kind: Kind;
  /** Kebab-case; what a config says after `use:`. */
  readonly name: string;
  /** Raised by any change that can alter a result. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  readonly create: (options: Options, needs: Needs) => Instance;
}

/**
 * A definition that is also a function: calling it with options gives the plain value that a config holds.
 * `keywords({ threshold: 0.8 })` is `{ use: 'keywords', threshold: 0.8 }`.
 */
export interface Factory<Kind extends string, Input, Options, Instance, Needs> {
  (
    ...options: {} extends Input
      ? [options?: Input & { name?: string }]
      : [options: Input & { name?: string }]
  ): NamedUse;
  readonly definition: Definition<Kind, Options, Instance, Needs>;
}

const definitionOf = Symbol.for('touchstone.definition');

/**
 * Makes a factory of a definition. The value it returns remembers its definition out of sight of JSON, so that an
 * extension of the user's own works without being in a registry. Options given as a function are made when they are first
 * asked for: in a process that has just begun, a large schema takes a millisecond.
 */
export function define<Kind extends string, Schema extends z.ZodType, Instance, Needs>({
  options: schema,
  ...rest
}: Omit<Definition<Kind, z.output<Schema>, Instance, Needs>, 'options'> & {
  readonly options: Schema | (() => Schema);
}): Factory<Kind, z.input<Schema>, z.output<Schema>, Instance, Needs> {
  const makeOptions = typeof schema === 'function' ? lazily(schema) : () => schema;
  const definition = {
    ...rest,
    get options(): Schema {
      return makeOptions();
    },
  };
  const factory = (options: unknown = {}): NamedUse => {
    const use: NamedUse = { use: definition.name, ...(options as object) };
    return Object.defineProperty(use, definitionOf, { value: definition });
  };
  return Object.assign(factory, {
    definition: definition as unknown as Definition<Kind, z.output<Schema>, Instance, Needs>,
  });
}

/** The definition that a value made by a factory remembers; undefined for one that was written as data. */
export function rememberedDefinition(use: object): unknown {
  return (use as { [definitionOf]?: unknown })[definitionOf];
}

/** The same use under a name, with the definition that it remembers. */
export function withName(use: NamedUse, name: string): NamedUse {
  return withOptions(use, { name });
}

/** The same use with other options, and the definition that it remembers. */
export function withOptions(use: NamedUse, options: Readonly<Record<string, unknown>>): NamedUse {
  const remembered = rememberedDefinition(use);
  const changed: NamedUse = { ...use, ...options };
  return remembered === undefined
    ? changed
    : Object.defineProperty(changed, definitionOf, { value: remembered });
}

/**
 * Whether every object has something of this name, such as `constructor`: what is kept under it is mixed up with that, and
 * under `__proto__` is not kept at all.
 */
export function isReservedName(name: string): boolean {
  return name in Object.prototype;
}

/** Where plain data, or data within it, has a member called `__proto__`; undefined where none has. */
export function findReservedMember(
  value: unknown,
  path: readonly string[] = [],
  seen = new Set<unknown>(),
): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype) return undefined;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    const place = [...path, name];
    const found = name === '__proto__' ? place : findReservedMember(member, place, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
