import { z } from 'zod';
import { type Definition, define, type Factory, type NamedUse } from '../lib/define.ts';
import type { ChatModel } from '../models/model.ts';
import type { AnswerOf, AnswerShape, Judgement, JudgementDraft, ScoreScale } from '../schema/judgement.ts';

/** A part of what is judged. The text is data whatever it says; the title is ours. */
export interface JudgeMaterial {
  /** Small letters, digits and spaces: `expected answer`. */
  readonly title: string;
  readonly text: string;
  /** Where the instructions are a template, the placeholder at which it stands. */
  readonly placeholder?: string;
}

/** What is put to a judge. */
export interface JudgeQuestion<Shape extends AnswerShape = AnswerShape> {
  /** Whose question it is, with the version of its words: `relevance@1`. */
  readonly id: string;
  /** What to judge and by which measure. Never holds anything that a target wrote. */
  readonly instructions: string;
  readonly material: readonly JudgeMaterial[];
  readonly shape: Shape;
  /** For the shape `score`: between which numbers the judge is to answer; 0 and 1 when left out. */
  readonly scale?: ScoreScale;
  /** The instructions hold placeholders, such as `{{answer}}`, at which the parts of the material stand. */
  readonly isTemplate?: true;
  /** For the shape `checks`: how many claims there are. */
  readonly items?: number;
  /** For the shape `quoted-verdict`: what may be quoted, and for which verdicts something must be. */
  readonly quotes?: QuoteRule;
  /** Put in one prompt with the other such questions about the same trial, whatever the judge's own setting is. */
  readonly together?: true;
  /** Counts from 1. The same question is asked again only under another number. */
  readonly sample: number;
}

/** What a quote must stand in to count, and which verdicts need one. Others may go without, but a wrong quote never counts. */
export interface QuoteRule {
  /** Titles of the parts of the material that may be quoted. */
  readonly from: readonly string[];
  readonly for: readonly AnswerOf<'quoted-verdict'>['verdict'][];
}

/** What one judge said, once. */
export interface Ballot<Shape extends AnswerShape = AnswerShape> {
  /** The judge's name. */
  readonly judge: string;
  readonly sample: number;
  readonly answer: AnswerOf<Shape>;
  /** Id of the judgement that holds the prompt and the reply. */
  readonly judgement: string;
}

/** A judge's answer: at least one ballot, several from a panel; or the reason why there is none. */
export type JudgeAnswer<Shape extends AnswerShape = AnswerShape> =
  | { readonly status: 'answered'; readonly ballots: readonly Ballot<Shape>[] }
  | {
      readonly status: 'failed';
      /** Begins with `judge-`. */
      readonly code: string;
      readonly reason: string;
      readonly judgements: readonly string[];
    };

/** Keeps judgements for ever, and finds what was answered before. */
export interface JudgementCache {
  /**
   * The newest answer to the question with this key; where there is none, what `ask` gives. While another run of the same
   * store asks it, in whichever process, its answer is waited for: both are not going to pay.
   * Rejects with the reason when one of the signals is aborted while it waits, and with what `ask` rejects.
   */
  findOrAsk<Asked>(
    key: string,
    ask: () => Promise<Asked>,
    limits: Pick<JudgeContext, 'signal' | 'stop'>,
  ): Promise<Judgement | Asked>;
  /** When the promise resolves, the judgement is on disk. */
  keep(judgement: JudgementDraft): Promise<Judgement>;
}

/** The code of a question that was not asked since its run was stopped before. */
export const notAskedCode = 'judge-not-asked';

/** What goes with a question. One object for all questions about the same trial. */
export interface JudgeContext {
  readonly signal: AbortSignal;
  /**
   * Aborted when nothing new is to be asked: a question that waits for its turn then fails with `judge-not-asked`, and
   * `onNotAsked` is told. What is with the judge is waited for.
   */
  readonly stop?: AbortSignal | undefined;
  readonly onNotAsked?: (() => void) | undefined;
  readonly judgements: JudgementCache;
  /** Of the trial, from 1; 1 when left out. Another attempt is judged anew, even if its answer is the same. */
  readonly attempt?: number | undefined;
}

/** What a question is expected to take, before it is asked. */
export interface JudgeEstimate {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars; undefined when the price is not known. */
  readonly cost: number | undefined;
}

/** Answers questions about trials in a fixed shape, with reasons. */
export interface Judge {
  readonly name: string;
  /** Changes with whatever can change its answers. */
  readonly fingerprint: string;
  /** Questions that may be with it at the same time. */
  readonly concurrency: number;
  /** Names of the models that answer. */
  readonly models: readonly string[];
  /** The same question has the same answer every time: it is asked once for all attempts, and adds no doubt. */
  readonly isSteady?: true | undefined;
  /** Makes sure that it can be asked, without paying. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /**
   * Asks, unless the same was answered before. A fault of the judge is an answer with the status `failed`, never a
   * throw; rejects only when the signal is aborted or nothing can be kept.
   */
  ask<Shape extends AnswerShape>(
    question: JudgeQuestion<Shape>,
    context: JudgeContext,
  ): Promise<JudgeAnswer<Shape>>;
  /** What it would take to ask these questions about one trial. */
  estimate(questions: readonly JudgeQuestion[]): Promise<JudgeEstimate>;
  close?(): Promise<void>;
}

/** What Touchstone hands to a judge. */
export interface JudgeNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The model that an option names. */
  resolveModel(use: NamedUse | string): ChatModel;
  /** The judge that an option names. */
  resolveJudge(use: NamedUse | string): Judge;
}

/** A judge as it is registered: its name, its options and how it is made of them. */
export type JudgeDefinition<Options = never> = Definition<'judge', Options, Judge, JudgeNeeds>;

/** Declares a judge: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineJudge<Schema extends z.ZodType>(
  definition: Omit<JudgeDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'judge', z.input<Schema>, z.output<Schema>, Judge, JudgeNeeds> {
  return define<'judge', Schema, Judge, JudgeNeeds>({ kind: 'judge', ...definition });
}

/** The option of a metric or a panel that names a judge: `{ use: chat-model, model: … }`, or a model itself. */
export const judgeOption: z.ZodType<NamedUse | string> = z.lazy(() =>
  z.union([
    z.string().min(1),
    // Not an object schema: that would copy the value, which then no longer knew a definition of the user's own.
    z
      .any()
      .refine(
        isUse,
        'must be a judge, as in `{ use: chat-model, model: { use: openai-chat, model: gpt-5 } }`',
      ),
  ]),
);

function isUse(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'string';
}
