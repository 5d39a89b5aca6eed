import type { z } from 'zod';
import { type Definition, define, type Factory } from '../lib/define.ts';
import type { ModelNeeds } from './model.ts';

/** What bounds a call. */
export interface EmbedContext {
  readonly signal: AbortSignal;
}

/** A model that places texts in a space where texts of like meaning are near each other. */
export interface Embedder {
  /** As the provider calls it. */
  readonly name: string;
  /** Changes with whatever can change its vectors. */
  readonly fingerprint: string;
  /** One vector for each text, in order, all of the same length. Throws `ModelFailure`. */
  embed(texts: readonly string[], context: EmbedContext): Promise<number[][]>;
}

/** An embedder as it is registered: its name, its options and how it is made of them. */
export type EmbedderDefinition<Options = never> = Definition<'embedder', Options, Embedder, ModelNeeds>;

/** Declares an embedder: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineEmbedder<Schema extends z.ZodType>(
  definition: Omit<EmbedderDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'embedder', z.input<Schema>, z.output<Schema>, Embedder, ModelNeeds> {
  return define<'embedder', Schema, Embedder, ModelNeeds>({ kind: 'embedder', ...definition });
}
