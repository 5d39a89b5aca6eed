import type { z } from 'zod';
import { type Definition, define, type Factory } from '../lib/define.ts';
import type { Usage } from '../schema/usage.ts';
import type { ModelNeeds } from './model.ts';
import type { ChatAttempt } from './model-failure.ts';

/** What bounds a call. */
export interface EmbedContext {
  readonly signal: AbortSignal;
  /** Told when the call begins (true) and ends (false) to wait for its turn. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/** Vectors, and what they took as far as it is known. */
export interface EmbedReply {
  /** One vector for each text, in order, all of the same length. */
  readonly vectors: readonly (readonly number[])[];
  readonly usage?: Usage | undefined;
  /** In US dollars; absent when unknown. */
  readonly cost?: number | undefined;
  /** The model that the provider says has answered. */
  readonly model?: string | undefined;
  /** Every request that was made, those that were repeated after a passing fault included. */
  readonly attempts?: readonly ChatAttempt[] | undefined;
}

/** A model that places texts in a space where texts of like meaning are near each other. */
export interface Embedder {
  /** As the provider calls it. */
  readonly name: string;
  /** Changes with whatever can change its vectors. */
  readonly fingerprint: string;
  /** Makes sure that keys are there and the server can be reached, without paying. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /** Throws `ModelFailure`. */
  embed(texts: readonly string[], context: EmbedContext): Promise<EmbedReply>;
  /** What a call with this many tokens costs in US dollars; undefined when the price is not known. */
  priceOf?(usage: Usage): Promise<number | undefined>;
  /** Frees what the model holds. */
  close?(): Promise<void>;
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
