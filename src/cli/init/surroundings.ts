import type { Output } from '../output.ts';
import type { InitFlags } from './beginning.ts';

/** The surroundings of every step of `touchstone init`. */
export interface Surroundings {
  readonly flags: InitFlags;
  readonly output: Output;
  readonly folder: string;
  /** The part that asks; undefined where there is no user to ask. */
  readonly asking: Asking | undefined;
  /** Says something on the way, on standard error. */
  readonly say: (words: string) => void;
}

/** The part of `touchstone init` that asks, which is loaded only where there is a terminal. */
export type Asking = typeof import('./ask-beginning.ts') & typeof import('./ask.ts');
