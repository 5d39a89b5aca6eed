import { z } from 'zod';

/** The kinds of question that can be drafted. */
export const questionKinds = ['fact', 'comparison', 'multi-document', 'unanswerable'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** The reasons why a drafted question is not proposed, with the clause by which a report counts them. */
export const rejections = {
  'reply-unusable': ['reply that could not be used', 'replies that could not be used'],
  'not-written': ['question that the model did not write', 'questions that the model did not write'],
  'quote-not-found': ['quote not found', 'quotes not found'],
  'value-not-quoted': ['fact that its quote does not state', 'facts that their quotes do not state'],
  'too-simple': ['question too simple for its kind', 'questions too simple for their kind'],
  'refers-to-text': ['refers to "the text"', 'refer to "the text"'],
  'copies-text': ['copy of the text', 'copies of the text'],
  'answer-in-question': ['question that says its answer', 'questions that say their answers'],
  duplicate: ['duplicate', 'duplicates'],
  'closed-book': ['answerable without the document', 'answerable without the document'],
  'not-answerable': ['not answerable from the document', 'not answerable from the document'],
  answerable: ['answerable although it should not be', 'answerable although they should not be'],
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>;
export type Rejection = keyof typeof rejections;

/** The difficulties of a question, by a rule over measured quantities: see `rateDifficulty`. */
export const difficulties = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof difficulties)[number];

/** One check of a drafted question: passed, failed, or null where it does not apply or was not made. */
export const draftCheckSchema = z.lazy(() =>
  z.object({ name: z.string(), passed: z.boolean().nullable(), reason: z.string() }),
);
export type DraftCheck = z.infer<typeof draftCheckSchema>;

/** A fact that a good answer states, with the words of the document that prove it. */
export const draftFactSchema = z.lazy(() =>
  z.object({
    /** The text that the answer must contain. */
    value: z.string(),
    quote: z.string(),
    document: z.string(),
    passage: z.string(),
  }),
);
export type DraftFact = z.infer<typeof draftFactSchema>;

/** A drafted question with the outcome of its checks. */
export const draftedQuestionSchema = z.lazy(() =>
  z.object({
    /** The id of its proposal, if it was accepted. */
    proposal: z.string(),
    kind: z.enum(questionKinds),
    question: z.string(),
    /** The expected answer; null for a question that the documents do not answer. */
    answer: z.string().nullable(),
    facts: z.array(draftFactSchema),
    /** The ids of the documents that a good answer needs. */
    documents: z.array(z.string()),
    /** The ids of the passages that it was drafted from. */
    passages: z.array(z.string()),
    category: z.string(),
    difficulty: z.enum(difficulties),
    /** The numbers behind the difficulty. */
    measured: z.object({
      /** The number of passages that are needed. */
      passages: z.int(),
      /** The worst rank of a needed passage in a search by words; null when one is not found. */
      rank: z.int().nullable(),
      /** The share of the question's words that occur in the passages it was drafted from. */
      overlap: z.number(),
      /** The share of the facts that the model states without the documents; null when it was not asked. */
      closedBook: z.number().nullable(),
    }),
    checks: z.array(draftCheckSchema),
    /** `not-checked`: the draft was stopped, or the model failed, before all checks were made. */
    outcome: z.enum(['kept', 'rejected', 'not-checked']),
    rejection: z.enum(Object.keys(rejections) as [Rejection, ...Rejection[]]).nullable(),
    reason: z.string().nullable(),
  }),
);
export type DraftedQuestion = z.infer<typeof draftedQuestionSchema>;

/** The version of the report. */
export const draftReportVersion = 1;

/** The outcome of a draft: every question with its checks, the numbers, and what is needed to draft the same again. */
export const draftReportSchema = z.lazy(() =>
  z.object({
    version: z.literal(draftReportVersion),
    /** The golden set that the questions are proposed for. */
    dataset: z.string(),
    seed: z.union([z.string(), z.number()]),
    model: z.object({ name: z.string(), fingerprint: z.string() }),
    /** The versions of the prompts, by their names. */
    prompts: z.record(z.string(), z.int()),
    documents: z.array(z.object({ id: z.string(), hash: z.string(), passages: z.int(), questions: z.int() })),
    notices: z.array(z.string()),
    /** The number of questions that were to be drafted. */
    planned: z.int(),
    /** The number of questions that the model was asked for and replied to: the sum of accepted, rejected and unchecked ones. */
    drafted: z.int(),
    kept: z.int(),
    /** The number of accepted questions that were proposed before. */
    known: z.int(),
    /** The number of drafted questions with a check that could not be made. */
    notChecked: z.int(),
    rejected: z.array(
      z.object({
        rejection: z.enum(Object.keys(rejections) as [Rejection, ...Rejection[]]),
        questions: z.int(),
      }),
    ),
    /** New calls and their cost in US dollars; null where a price is unknown. Calls of earlier drafts are not counted. */
    spending: z.object({ calls: z.int(), cost: z.number().nullable() }),
    /** True when it was interrupted, or its money was spent: the same command continues. */
    isStopped: z.boolean(),
    questions: z.array(draftedQuestionSchema),
  }),
);
export type DraftReport = z.infer<typeof draftReportSchema>;
