import type { Ballot, JudgeContext } from '../../judges/judge.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, type MetricInput } from '../metric.ts';
import { askSamples, findJudge, judgedOptions, perSample, samplesOf } from './ask-judges.ts';
import { numberClaims } from './claim-support.ts';
import { createDecideFirst, judgedMetric, toVerdict } from './judged-metric.ts';
import { materialOf } from './material.ts';
import { reaches } from '../verdicts.ts';

const instructions = `Check for each of the numbered claims whether it is right: whether that document was useful for arriving at the expected answer. A document is useful when it contains something that the expected answer says, or that is needed to conclude it. A document about the same subject that contributes nothing to the expected answer is not useful. A claim that is right counts as supported. What you know from elsewhere does not count.`;

/**
 * Measures context precision with a judge: the average precision, from 0 to 1, of the retrieved documents in their
 * order, where the judge says of each whether it was useful for arriving at the expected answer. This is the definition
 * of `ContextPrecision` with a reference of ragas 0.4, which asks about each document by itself; here one question
 * covers all of them, with a prompt of our own. 0 when no document was useful. Not applicable without an expected answer
 * or documents with a text.
 */
export const contextPrecision = defineMetric({
  name: 'context-precision',
  family: 'retrieval',
  version: 1,
  reads: ['answer'],
  summary: 'Judged: how far the useful ones of the retrieved documents stand before the others.',
  words: 'ragas, rag, retrieval, context, ranking of chunks, relevant chunks, retriever, noise',
  needs: ['judge'],
  options: judgedOptions,
  create: (options, needs) => {
    const { samples, threshold } = options;
    const judge = findJudge('context-precision', options, needs);
    const questionAbout = (input: MetricInput) => {
      const documents = materialOf(input, ['documents']);
      const claims = documents.map(({ title }) => `The ${title} was useful.`);
      const material = [...materialOf(input, ['question', 'expected answer']), ...documents];
      return {
        id: 'context-precision@1',
        instructions,
        material: [...material, { title: 'claims', text: numberClaims(claims) }],
        shape: 'checks',
        items: claims.length,
      } as const;
    };
    return judgedMetric({
      judge,
      decideFirst: createDecideFirst(options, needs),
      missing: (input) => {
        if (input.case.expected.answer === undefined) return 'the question has no expected answer';
        const hasText = materialOf(input, ['documents']).length > 0;
        return hasText ? undefined : 'no text of a retrieved document is known';
      },
      questions: (input) => samplesOf(questionAbout(input), samples),
      ask: async (input: MetricInput, context: JudgeContext) => {
        const ids = (input.trial.documents ?? []).flatMap(({ id, text }) => (text === undefined ? [] : [id]));
        const asked = await askSamples(questionAbout(input), { judge, context, samples });
        return toVerdict(asked, (ballots) => verdictOf(ballots, { ids, threshold }));
      },
    });
  },
});

interface Checked {
  /** The ids of the documents that the judge read, in their order. */
  readonly ids: readonly string[];
  readonly threshold: number | undefined;
}

/** Returns the mean of the average precisions that the ballots give. */
function verdictOf(ballots: readonly Ballot<'checks'>[], { ids, threshold }: Checked): Verdict {
  const judged = ballots.map(({ answer }) => answer.checks.map(({ supported }) => supported));
  const value = judged.reduce((sum, useful) => sum + averagePrecision(useful), 0) / judged.length;
  const documents = ids.map((id, index) => ({
    id,
    useful: judged.filter((useful) => useful[index] === true).length / judged.length,
    reason: ballots[0]?.answer.checks[index]?.reason ?? '',
  }));
  const useful = documents.filter((document) => document.useful > 0.5).map(({ id }) => id);
  const named = useful.length === 0 ? '' : `: ${useful.slice(0, 10).join(', ')}`;
  return {
    status: 'scored',
    value,
    passed: reaches(value, threshold),
    explanation: `${useful.length} of ${ids.length} documents were useful${named}`,
    evidence: { documents },
    ...perSample(ballots, (sample) => verdictOf(sample, { ids, threshold })),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/** Returns the mean of the precisions at the ranks of the useful documents; 0 when none is useful. */
function averagePrecision(useful: readonly boolean[]): number {
  let hits = 0;
  let sum = 0;
  for (const [index, isUseful] of useful.entries()) if (isUseful) sum += ++hits / (index + 1);
  return hits === 0 ? 0 : sum / hits;
}
