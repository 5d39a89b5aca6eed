import type { z } from 'zod';
import { lazily } from './lazily.ts';

/** A configured extension as data: `{ use: 'keywords', threshold: 0.8 }`. */
export interface NamedUse {
  use: string;
  name?: string;
  [option: string]: unknown;
}

/** Something an extension cannot work without: a judge, an embedding model, or a package to install. */
export type Need = 'judge' | 'embedder' | `package:${string}`;

/** The properties that every extension of every kind declares. */
export interface Definition<Kind extends string, Options, Instance, Needs> {
  readonly kind: Kind;
  /** Kebab-case; the name after `use:` in a config. */
  readonly name: string;
  /** Raised with any change that can alter a result. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
  /** Words of people who look for it and do not know its name: `hallucination, made up`. */
  readonly words?: string;
  /** Everything that it cannot work without. */
  readonly needs?: readonly Need[];
  /** Options to paste and change, or the line of a config where only code can say it. Without it, its name alone is an example. */
  readonly example?: Readonly<Record<string, unknown>> | string;
  readonly options: z.ZodType<Options>;
  readonly create: (options: Options, needs: Needs) => Instance;
}

/**
 * The settings of a use besides the options of its extension: its name, and, of a target or a model in place of one, whether it
 * answers the same whenever it is asked.
 */
type UseSettings<Kind extends string> = { name?: string } & (Kind extends 'target' | 'model'
  ? { deterministic?: boolean }
  : unknown);

/**
 * A definition that is also a function: calling it with options returns the plain value that a config contains.
 * `keywords({ threshold: 0.8 })` is `{ use: 'keywords', threshold: 0.8 }`.
 */
export interface Factory<Kind extends string, Input, Options, Instance, Needs> {
  (
    ...options: {} extends Input
      ? [options?: Input & UseSettings<Kind>]
      : [options: Input & UseSettings<Kind>]
  ): NamedUse;
  readonly definition: Definition<Kind, Options, Instance, Needs>;
}

const definitionOf = Symbol.for('touchstone.definition');

/**
 * Creates a factory from a definition. The value that the factory returns remembers its definition invisibly to JSON,
 * so a user's own extension works without a registry. Options given as a function are created at the first use: in a
 * process that has just started, a large schema takes a millisecond.
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

/** Returns the definition that a value made by a factory remembers; undefined for a value written as data. */
export function rememberedDefinition(use: object): unknown {
  return (use as { [definitionOf]?: unknown })[definitionOf];
}

/** Returns the same use under another name, with the definition that it remembers. */
export function withName(use: NamedUse, name: string): NamedUse {
  return withOptions(use, { name });
}

/** Returns the same use with other options, with the definition that it remembers. */
export function withOptions(use: NamedUse, options: Readonly<Record<string, unknown>>): NamedUse {
  const remembered = rememberedDefinition(use);
  const changed: NamedUse = { ...use, ...options };
  return remembered === undefined
    ? changed
    : Object.defineProperty(changed, definitionOf, { value: remembered });
}

/**
 * Returns whether every object has a property of this name, such as `constructor`. A value stored under such a name is
 * confused with that property, and under `__proto__` it is lost.
 */
export function isReservedName(name: string): boolean {
  return name in Object.prototype;
}

/** Returns the place of a member called `__proto__` in plain data; undefined when there is none. */
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
