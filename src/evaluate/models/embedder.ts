import type { z } from 'zod';
import { type Definition, define, type Factory } from '../../core/lib/define.ts';
import type { Usage } from '../../core/schema/usage.ts';
import type { ModelNeeds } from './model.ts';
import type { ChatAttempt } from './model-failure.ts';

/** The limits of a call. */
export interface EmbedContext {
  readonly signal: AbortSignal;
  /** Called when the call begins (true) and ends (false) to wait for its turn. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

/** Vectors, with their usage and cost as far as known. */
export interface EmbedReply {
  /** The vectors, one for each text, in order and all of the same length. */
  readonly vectors: readonly (readonly number[])[];
  readonly usage?: Usage;
  /** US dollars; absent when unknown. */
  readonly cost?: number;
  /** The model that answered, as the provider reports it. */
  readonly model?: string;
  /** All requests, including those repeated after transient failures. */
  readonly attempts?: readonly ChatAttempt[];
}

/** An embedding model, which maps texts to vectors such that texts of similar meaning are close together. */
export interface Embedder {
  /** The provider's name of the model. */
  readonly name: string;
  /** A hash of everything that can change its vectors. */
  readonly fingerprint: string;
  /** Checks, without causing costs, that keys exist and the server can be reached. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /** Embeds texts. Throws `ModelFailure`. */
  embed(texts: readonly string[], context: EmbedContext): Promise<EmbedReply>;
  /** Returns the cost of a call with this many tokens in US dollars; undefined when the price is unknown. */
  priceOf?(usage: Usage): Promise<number | undefined>;
  /** Frees the resources of the model. */
  close?(): Promise<void>;
}

/** The definition of an embedder: its name, its options and how it is created. */
export type EmbedderDefinition<Options = never> = Definition<'embedder', Options, Embedder, ModelNeeds>;

/** Declares an embedder: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineEmbedder<Schema extends z.ZodType>(
  definition: Omit<EmbedderDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'embedder', z.input<Schema>, z.output<Schema>, Embedder, ModelNeeds> {
  return define<'embedder', Schema, Embedder, ModelNeeds>({ kind: 'embedder', ...definition });
}
