import type { z } from 'zod';
import { define, type Definition, type Factory, type NamedUse } from '../../core/lib/define.ts';
import type { ChatModel } from '../models/model.ts';
import type { Case } from '../../core/schema/case.ts';
import type { CaseUser, Ending, PlayedUser } from '../../core/schema/conversation.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Message } from '../../core/schema/message.ts';

/** The part of a user in one conversation. */
export interface Part {
  readonly user: CaseUser;
  /** The whole case. The user reveals nothing of `expected`, which is there only to check that nothing was revealed. */
  readonly case: Case;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly seed: number;
}

/** The next step of a user. */
export type Move =
  | {
      readonly type: 'says';
      readonly message: string;
      /** The position of the turn in the script, from 0. */
      readonly script?: number;
    }
  | {
      readonly type: 'ends';
      readonly ended: Extract<Ending, 'script-over' | 'goal-met' | 'gave-up'>;
      /** The reason in the user's own words. */
      readonly reason?: string;
    }
  /** The user did what no user would do, so the trial says nothing about the target. Kinds are kebab-case. */
  | { readonly type: 'invalidates'; readonly kind: string; readonly reason: string };

export interface UserContext {
  /** Aborted when the time limit is over or the run has to stop at once. */
  readonly signal: AbortSignal;
  /** The same callback as in a target's context. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

/** A user in one conversation. */
export interface Speaker {
  /**
   * Returns the user's next step. Throws when that fails, for instance because a model cannot be reached; the trial is
   * then invalid, with the kind `user-failed`.
   * @param conversation - All messages so far. The case's first message is said before the user's first step.
   */
  next(conversation: readonly Message[], context: UserContext): Promise<Move>;
  /** Returns what playing the user has taken so far, when a model plays. */
  played?(): PlayedUser;
}

/** A user who talks to the targets in cases with several turns. */
export interface User {
  /** Returns what determines the user's behaviour, such as the fingerprint of a model; it replaces the options. */
  identity?(): Promise<Json>;
  /** Checks that the user is available, without cost. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /** Begins a conversation that shares nothing with any other. */
  begin(part: Part): Speaker;
  close?(): Promise<void>;
}

/** The services that the creation of a user can draw on. */
export interface UserNeeds {
  /** The folder of the config file, from which relative paths in the options start. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the model that an option names. */
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
