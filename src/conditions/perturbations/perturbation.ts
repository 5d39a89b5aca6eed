import type { Json } from '../../schema/json.ts';
import type { Random } from '../../stats/random.ts';

/** What a question is changed with. */
export interface QuestionContext {
  /** Of the trial and the turn: the same question is changed in the same way, this year and next. */
  readonly random: Random;
  /** How much is changed; what it is a share of, the perturbation says. */
  readonly rate: number;
  /** Which sort of the perturbation, where there are several. */
  readonly variant: string | undefined;
  /** The case's own, in which a dataset may keep translations. */
  readonly metadata: Readonly<Record<string, Json>>;
  /** Has the model that the config names do a task with a text; missing where it names none. */
  readonly rewrite?: Rewrite | undefined;
}

/** Has a model do a task with a text; gives the new text. Throws `TargetFailure` when there is none. */
export type Rewrite = (task: string, text: string) => Promise<string>;

interface AnyPerturbation {
  /** Kebab-case; what `--perturb` takes. */
  readonly kind: string;
  /** Raised by any change that can alter what a target is given. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
  /** How much is changed unless the user says otherwise, from 0 to 1, and of what; missing where there is no more or less. */
  readonly rate?: { readonly usual: number; readonly of: string };
  /** What may stand after the colon, as in `case:upper`: one of these, or anything that fits a description. */
  readonly variants?: readonly string[] | string;
}

/** The question is put in another way that means the same. */
export interface QuestionPerturbation extends AnyPerturbation {
  /** The new question; the same where there is nothing in it to change. Throws `TargetFailure` when it cannot be made. */
  perturb(question: string, context: QuestionContext): string | Promise<string>;
  /** Whether the new question is written by a model, so that the config must name one. */
  readonly model?: 'needed' | 'used';
}

/** Something is put into what tools retrieve. */
export interface ResultPerturbation extends AnyPerturbation {
  /** Another result of the same call; the same where there is no place for it. */
  corrupt(result: Json, random: Random): Json;
}

/** A way to ask the same again, to see whether the verdict holds. */
export type Perturbation = QuestionPerturbation | ResultPerturbation;
