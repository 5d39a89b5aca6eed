import type { z } from 'zod';
import { define, type Definition, type Factory, type NamedUse } from '../lib/define.ts';
import type { ChatModel } from '../models/model.ts';
import type { Case } from '../schema/case.ts';
import type { CaseUser, Ending, PlayedUser } from '../schema/conversation.ts';
import type { Json } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';

/** What a user is to play. */
export interface Part {
  readonly user: CaseUser;
  /** The whole case. The player reveals nothing of `expected`: it is there to check that nothing was revealed. */
  readonly case: Case;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
}

/** What a user does when it is their turn. */
export type Move =
  | {
      readonly type: 'says';
      readonly message: string;
      /** Which turn of the script it is, from 0. */
      readonly script?: number;
    }
  | {
      readonly type: 'ends';
      readonly ended: Extract<Ending, 'script-over' | 'goal-met' | 'gave-up'>;
      /** Why, in the user's own words. */
      readonly reason?: string;
    }
  /** The user does what no user would do: the trial says nothing of the target. Kinds are kebab-case. */
  | { readonly type: 'spoils'; readonly kind: string; readonly reason: string };

export interface UserContext {
  /** Aborted when the time limit is over or the run is told to stop at once. */
  readonly signal: AbortSignal;
  /** As in a target's context. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/** A user in one conversation. */
export interface Speaker {
  /**
   * What the user does next. Throws when that cannot be had, such as when a model cannot be reached; then the trial is
   * spoilt, with the kind `user-failed`.
   * @param heard - All that was said so far. What the case says first is said before the user is asked.
   */
  next(heard: readonly Message[], context: UserContext): Promise<Move>;
  /** What playing has taken so far, where a model plays. */
  played?(): PlayedUser;
}

/** Who talks to the targets in cases of several turns. */
export interface User {
  /** What makes them say what they say, in place of their options, such as the fingerprint of a model. */
  identity?(): Promise<Json>;
  /** Makes sure that they can be had, without paying. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /** Begins a conversation that knows nothing of any other. */
  begin(part: Part): Speaker;
  close?(): Promise<void>;
}

/** What Touchstone hands to a user. */
export interface UserNeeds {
  /** Paths in the options are relative to this folder: that of the config file. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The model that an option names. */
  resolveModel(use: NamedUse | string): ChatModel;
}

export type UserDefinition<Options = never> = Definition<'user', Options, User, UserNeeds>;

/** Declares a user: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineUser<Schema extends z.ZodType>(
  definition: Omit<UserDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'user', z.input<Schema>, z.output<Schema>, User, UserNeeds> {
  return define<'user', Schema, User, UserNeeds>({ kind: 'user', ...definition });
}
