import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Ballot, JudgeAnswer, JudgeQuestion, VectorSimilarity } from '../../judges/judge.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { judgedMetric, toVerdict } from '../judged/judged-metric.ts';
import { defineMetric, expectationsAt, type MetricInput } from '../metric.ts';
import {
  emptyReference,
  noReference,
  referenceOptions,
  referencesOf,
  verdictOf,
} from '../text/references.ts';

/**
 * Computes the similarity of the answer and the expected answer in the space of an embedding model, from 0 to 1: the
 * cosine, the dot product (for vectors of length 1), or 1 / (1 + distance). Negative values count as 0, and of several
 * expected answers the most similar one counts. It measures similarity of subject: contradictions score high too. Not
 * applicable without an expected answer; not measured when a dot product is more than 1. promptfoo limits the distance
 * itself: its threshold t is the threshold 1 / (1 + t) here. The answer similarity of ragas is the cosine.
 */
export const semanticSimilarity = defineMetric({
  name: 'semantic-similarity',
  family: 'similarity',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'How similar in meaning the answer is to the expected one, by an embedding model.',
  words: 'meaning, cosine similarity, embeddings, paraphrase, vector, bertscore, similar, semantic, synonyms',
  needs: ['embedder'],
  options: () =>
    referenceOptions().extend({
      measure: z
        .enum(['cosine', 'dot', 'euclidean'])
        .optional()
        .describe(
          'The similarity of two vectors: their cosine (when absent), their dot product, or 1 / (1 + their Euclidean distance).',
        ),
      timeLimitMs: z
        .number()
        .positive()
        .default(60_000)
        .describe('Time limit of the embedding model in milliseconds; waiting in a queue does not count.'),
    }),
  create: ({ from, threshold, measure, timeLimitMs }, { embedder }) => {
    const judge = embedder?.({ timeLimitMs });
    if (judge === undefined) {
      throw new TouchstoneError(
        'config-invalid',
        'The metric semantic-similarity needs an embedding model.',
        {
          remedy: 'Configure one as `embedder`, or leave the metric out.',
        },
      );
    }
    return judgedMetric({
      judge,
      missing: ({ case: testCase }) => {
        const all = referencesOf(testCase, from);
        if (all.length === 0) return noReference(from).reason;
        return all.some(hasText) ? undefined : emptyReference.reason;
      },
      decideFirst: async ({ trial: { answer } }) =>
        hasText(answer ?? '')
          ? undefined
          : verdictOf({ value: 0, explanation: 'there is no answer' }, threshold),
      questions: (input) => questionsAbout(input, { from, measure }),
      ask: async (input, context) => {
        const questions = questionsAbout(input, { from, measure });
        const answers = await Promise.all(questions.map(async (each) => await judge.ask(each, context)));
        return toVerdict(join(answers), (ballots) => {
          const references = questions.map(({ material: [expected] }) => expected?.text ?? '');
          return verdictOfNearest(ballots, { references, embedder: judge.name, threshold });
        });
      },
    });
  },
});

function hasText(text: string): boolean {
  return text.trim() !== '';
}

/** Returns one question for each distinct expected answer. */
function questionsAbout(
  { case: testCase, trial }: MetricInput,
  { from, measure }: { readonly from: string; readonly measure: 'cosine' | VectorSimilarity | undefined },
): JudgeQuestion<'score'>[] {
  const references = new Set(referencesOf(testCase, from).filter(hasText));
  return Array.from(references, (reference) => ({
    id: 'semantic-similarity@1',
    instructions: 'How near in meaning they are.',
    material: [
      { title: 'expected answer', text: reference },
      { title: 'answer', text: trial.answer ?? '' },
    ],
    shape: 'score',
    ...(measure !== undefined && measure !== 'cosine' && { similarity: measure }),
    sample: 1,
  }));
}

/** Joins the answers to all questions. When one fails, the most similar expected answer is unknown. */
function join(answers: readonly JudgeAnswer<'score'>[]): JudgeAnswer<'score'> {
  const failed = answers.find(({ status }) => status === 'failed');
  if (failed !== undefined) return failed;
  const ballots = answers.flatMap((answer) => (answer.status === 'answered' ? answer.ballots : []));
  return { status: 'answered', ballots };
}

interface Compared {
  /** The expected answers in the order of the ballots. */
  readonly references: readonly string[];
  readonly embedder: string;
  readonly threshold: number | undefined;
}

function verdictOfNearest(
  ballots: readonly Ballot<'score'>[],
  { references, embedder, threshold }: Compared,
): Verdict {
  const scores = ballots.map(({ answer }) => answer.score);
  const value = Math.max(...scores);
  const nearest = scores.indexOf(value);
  const explanation = ballots[nearest]?.answer.reason;
  const evidence = { reference: references[nearest] ?? '', embedder };
  return {
    ...verdictOf({ value, explanation, evidence }, threshold),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}
