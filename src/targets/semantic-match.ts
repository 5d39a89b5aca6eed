import { z } from 'zod';
import { formatPlace } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { type FindMatch, indexQuestions } from './semantic-match/question-index.ts';
import { type Faq, faqParts, readFaq } from './semantic-match/read-faq.ts';
import { defineTarget, type Reply, type Target } from './target.ts';
import { abortedFailure } from './until-aborted.ts';

const options = () =>
  z
    .strictObject({
      path: z
        .string()
        .min(1)
        .describe(
          'A file of questions and answers, in any format that datasets come in; relative to the config file.',
        ),
      fields: z
        .record(z.string().min(1), z.enum(faqParts))
        .default({})
        .describe('Names of your columns and what they hold: `{ my_column: answer }`.'),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Least similarity of a stored question; below it the bot gives its `fallback`.'),
      fallback: z
        .string()
        .optional()
        .describe('What the bot says when no stored question is as similar as `threshold`.'),
    })
    .refine(({ threshold, fallback }) => (threshold === undefined) === (fallback === undefined), {
      message: 'give both of `threshold` and `fallback`, or none',
    });

/**
 * A bot that answers with the stored answer of the most similar stored question: cosine similarity of token sets, the
 * first row on a tie. Lexical and deterministic, a floor that other bots are held against.
 */
export const semanticMatch = defineTarget({
  name: 'semantic-match',
  version: 1,
  summary: 'Stored answers: that of the question which shares the most words. No model, no network.',
  options,
  create: ({ path, fields, ...rule }, { readRows }): Target => {
    let opened: Promise<OpenFaq> | undefined;
    const open = () => (opened ??= openFaq());
    const openFaq = async (): Promise<OpenFaq> => {
      const faq = await readFaq(readRows(path), fields);
      return { faq, find: indexQuestions(faq.questions) };
    };
    return {
      identity: async () => {
        const { questions, answers } = (await open()).faq;
        const { threshold = null, fallback = null } = rule;
        return { threshold, fallback, rows: hashContent([questions, answers]) };
      },
      open: async () => void (await open()),
      call: async ({ input }, { signal }) => {
        if (signal.aborted) throw abortedFailure(signal);
        return answerFrom(await open(), input, rule);
      },
    };
  },
});

interface OpenFaq {
  readonly faq: Faq;
  readonly find: FindMatch;
}

interface Rule {
  readonly threshold?: number | undefined;
  readonly fallback?: string | undefined;
}

function answerFrom({ faq, find }: OpenFaq, input: string, { threshold = 0, fallback = '' }: Rule): Reply {
  const match = find(input);
  if (match === undefined) return { answer: '', toolCalls: [], documents: [] };
  const { row, similarity } = match;
  const [question = '', stored = '', place] = [faq.questions[row], faq.answers[row], faq.places[row]];
  const isFallback = similarity < threshold;
  return {
    answer: isFallback ? fallback : stored,
    toolCalls: [],
    documents: [{ id: question, text: stored, score: similarity }],
    state: {
      matchedQuestion: question,
      similarity,
      place: place === undefined ? null : formatPlace(place),
      isFallback,
    },
  };
}
