import { z } from 'zod';
import { type Definition, define, type Factory, type NamedUse } from '../../core/lib/define.ts';
import type { Batch, BatchPrompt, BatchRequest } from '../../core/schema/batches/batch.ts';
import type { BatchApi } from '../models/model.ts';
import type { Attachment } from '../../core/schema/message.ts';
import type { ChatModel } from '../models/model.ts';
import type {
  AnswerOf,
  AnswerShape,
  Judgement,
  JudgementDraft,
  ScoreScale,
} from '../../core/schema/judgement.ts';

/** A judge: it answers questions about trials in a fixed shape, with reasons. */
export interface Judge {
  readonly name: string;
  /** A hash of everything that can change its answers. */
  readonly fingerprint: string;
  /** The number of questions that it can process at the same time. */
  readonly concurrency: number;
  /** The names of the models that answer. */
  readonly models: readonly string[];
  /**
   * True when the same question always has the same answer. It is then asked once for all attempts, and adds no uncertainty.
   */
  readonly isSteady?: true;
  /** The batches in which its model is asked, if it is. */
  readonly batch?: BatchApi;
  /** The judges of a panel, whose judgements are stored under their own fingerprints. */
  readonly members?: readonly Judge[];
  /** Checks that it can be asked, without paying. Throws `TouchstoneError`. */
  open?(): Promise<void>;
  /**
   * Asks, unless the same question was answered before. A fault of the judge is an answer with the status `failed`,
   * never a thrown error; rejects only when the signal is aborted or the judgement cannot be stored.
   */
  ask<Shape extends AnswerShape>(
    question: JudgeQuestion<Shape>,
    context: JudgeContext,
  ): Promise<JudgeAnswer<Shape>>;
  /** Estimates the consumption of these questions about one trial. */
  estimate(questions: readonly JudgeQuestion[]): Promise<JudgeEstimate>;
  close?(): Promise<void>;
}

/** A way to compare the vectors of two texts other than by the cosine of the angle between them. */
export type VectorSimilarity = 'dot' | 'euclidean';

/** A question to a judge. */
export interface JudgeQuestion<Shape extends AnswerShape = AnswerShape> {
  /** The metric that asks, with the version of its wording: `relevance@1`. */
  readonly id: string;
  /** The criterion to judge by. It never contains anything that a target wrote. */
  readonly instructions: string;
  readonly material: readonly JudgeMaterial[];
  readonly shape: Shape;
  /** The range of the scores, for the shape `score`; from 0 to 1 by default. */
  readonly scale?: ScoreScale;
  /** The labels to choose from, for the shape `label`. */
  readonly labels?: readonly string[];
  /** True when the instructions contain placeholders, such as `{{answer}}`, for the parts of the material. */
  readonly isTemplate?: true;
  /** The number of claims, for the shape `checks`. */
  readonly items?: number;
  /** The comparison of two texts by an embedding model; by the cosine of their vectors by default. */
  readonly similarity?: VectorSimilarity;
  /** The rule for quotes, for the shape `quoted-verdict`. */
  readonly quotes?: QuoteRule;
  /**
   * True when the question goes into one prompt with other such questions about the same trial, whatever the judge's
   * own setting.
   */
  readonly together?: true;
  /** The number of the sample, from 1. The same question is asked again only under another number. */
  readonly sample: number;
}

/**
 * A rule for quotes: which parts they must come from, and which verdicts need one. Other verdicts may lack a quote, but
 * a wrong quote makes any verdict invalid.
 */
export interface QuoteRule {
  /** The titles of the parts of the material that may be quoted. */
  readonly from: readonly string[];
  readonly for: readonly AnswerOf<'quoted-verdict'>['verdict'][];
}

/** A part of what is judged. Its text is only data, whatever it says; its title is Touchstone's. */
export interface JudgeMaterial {
  /** The title, in small letters, digits and spaces: `expected answer`. */
  readonly title: string;
  readonly text: string;
  /** The pictures and other files of the part; data like its text. */
  readonly attachments?: readonly Attachment[];
  /** The placeholder of the part, when the instructions are a template. */
  readonly placeholder?: string;
}

/** A judge's answer: at least one ballot, several from a panel; or the reason for having none. */
export type JudgeAnswer<Shape extends AnswerShape = AnswerShape> =
  | { readonly status: 'answered'; readonly ballots: readonly Ballot<Shape>[] }
  | {
      readonly status: 'failed';
      /** The failure code, which begins with `judge-`. */
      readonly code: string;
      readonly reason: string;
      readonly judgements: readonly string[];
    };

/** One answer of one judge. */
export interface Ballot<Shape extends AnswerShape = AnswerShape> {
  /** The judge's name. */
  readonly judge: string;
  readonly sample: number;
  readonly answer: AnswerOf<Shape>;
  /** The id of the judgement that contains the prompt and the reply. */
  readonly judgement: string;
}

/** The context of a question. All questions about the same trial share one object. */
export interface JudgeContext {
  readonly signal: AbortSignal;
  /** Returns the bytes of a file that material names by its hash; missing where judges get no files. */
  readonly readBlob?: (hash: string) => Promise<Uint8Array>;
  /**
   * Aborted when nothing new is to be asked. A question that waits for its turn then fails with `judge-not-asked`, and
   * `onNotAsked` is called, as it is for a question that waits for a batch; a question in flight is awaited.
   */
  readonly stop?: AbortSignal;
  readonly onNotAsked?: () => void;
  readonly judgements: JudgementCache;
  /** The attempt of the trial, from 1; 1 by default. Another attempt is judged again, even if its answer is the same. */
  readonly attempt?: number;
}

/** The expected consumption of questions, before they are asked. */
export interface JudgeEstimate {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost in US dollars; undefined when the price is not known. */
  readonly cost: number | undefined;
  /** The cost of asking the same one by one, where batches make it cheaper. */
  readonly usualCost?: number;
}

/** A store of judgements that also finds earlier answers. */
export interface JudgementCache {
  /**
   * Returns the newest answer to the question with this key, or the result of `ask` when there is none. While another
   * run of the same store asks the question, in any process, its answer is awaited, so that only one of them pays.
   * Rejects with the reason when one of the signals is aborted during the wait, and with the error of `ask`.
   */
  findOrAsk<Asked>(
    key: string,
    ask: () => Promise<Asked>,
    limits: Pick<JudgeContext, 'signal' | 'stop'>,
  ): Promise<Judgement | Asked>;
  /** Stores a judgement. When the promise resolves, it is on disk. */
  keep(judgement: JudgementDraft): Promise<Judgement>;
  /** The questions that are answered in batches; missing where none are waited for. */
  readonly batched?: BatchedQuestions;
}

/** The questions that are put aside until a batch answers them. */
export interface BatchedQuestions {
  /** Returns the request of each question, by its key; undefined for one that was not put aside. */
  find(keys: readonly string[]): Promise<readonly (FoundRequest | undefined)[]>;
  /**
   * Puts the questions of a prompt aside, all of them or none: `known` when one of them is there already, `closed` when no further batch
   * is made.
   */
  add(model: BatchApi, prompt: BatchPrompt): Promise<'added' | 'known' | 'closed'>;
}

/** The request of a question, which has the prompt, and the batch that it is in. */
export interface FoundRequest {
  readonly request: BatchRequest;
  readonly batch: Batch | undefined;
}

/** The code of a question that was not asked because its run was stopped first. */
export const notAskedCode = 'judge-not-asked';

/** The code of a question that a batch is going to answer. No verdict ever has it. */
export const pendingCode = 'judge-pending';
/** The code of a question about files that the judge is not shown. */
export const cannotSeeCode = 'judge-cannot-see';

/** The services that Touchstone provides to a judge when it is created. */
export interface JudgeNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the model that an option names. */
  resolveModel(use: NamedUse | string): ChatModel;
  /** Returns the judge that an option names. */
  resolveJudge(use: NamedUse | string): Judge;
}

/** A registered judge: its name, its options and the function that creates it from them. */
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
    // Not an object schema, which would copy the value and lose its link to a user's own definition.
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
