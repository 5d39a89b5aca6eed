import type { Json } from '../../../core/schema/json.ts';
import type { Random } from '../../../core/stats/random.ts';

/** The surroundings of a perturbation of one question. */
export interface QuestionContext {
  /** Random numbers of the trial and the turn: the same question is always changed in the same way. */
  readonly random: Random;
  /** The share to change; the perturbation says of what. */
  readonly rate: number;
  /** The variant of the perturbation, when it has several. */
  readonly variant: string | undefined;
  /** The metadata of the case, which may contain translations. */
  readonly metadata: Readonly<Record<string, Json>>;
  /** The function that rewrites a text with the configured model; missing when the config names none. */
  readonly rewrite?: Rewrite;
}

/**
 * A function that has a model perform a task on a text. Returns the new text, and throws `TargetFailure` when there is none.
 */
export type Rewrite = (task: string, text: string) => Promise<string>;

interface AnyPerturbation {
  /** The name in kebab case, as `--perturb` takes it. */
  readonly kind: string;
  /** The version, raised by any change that can alter what a target receives. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
  /** The share that is changed by default, from 0 to 1, and of what; missing when the perturbation has no degree. */
  readonly rate?: { readonly usual: number; readonly of: string };
  /** The values allowed after the colon, as in `case:upper`: a list, or a description of them. */
  readonly variants?: readonly string[] | string;
}

/** A perturbation that asks the question differently with the same meaning. */
export interface QuestionPerturbation extends AnyPerturbation {
  /**
   * Returns the new question, or the same one when there is nothing in it to change. Throws `TargetFailure` when it
   * cannot be made.
   */
  perturb(question: string, context: QuestionContext): string | Promise<string>;
  /** The use of a model: `needed` when the config must name one, `used` when the perturbation also works without. */
  readonly model?: 'needed' | 'used';
}

/** A perturbation that inserts text into what tools retrieve. */
export interface ResultPerturbation extends AnyPerturbation {
  /** Returns another result of the same call, or the same one when there is no place for the text. */
  corrupt(result: Json, random: Random): Json;
}

/** A way to ask the same again, to see whether the verdict is stable. */
export type Perturbation = QuestionPerturbation | ResultPerturbation;
