import { z } from 'zod';
import type { JudgeContext } from '../../judges/judge.ts';
import { defineMetric, type MetricInput } from '../metric.ts';
import { askSamples, samplesOf } from './ask-samples.ts';
import { createDecideFirst } from './decide-first.ts';
import { findJudge } from './find-judge.ts';
import { verdictOfChecks } from './groundedness/describe-claims.ts';
import { judgedMetric, toVerdict } from './judged-metric.ts';
import { judgedOptions } from './judged-options.ts';
import { expectationsIn, materialOf } from './material.ts';

const findClaims = `List what the answer claims: every statement of fact in it that could be true or false, in the order in which they stand. Write each so that it can be checked by itself: one fact, names in place of "it" and "they", numbers and dates exactly as the answer has them. Add nothing, leave no statement out, and do not correct what is wrong. Questions, greetings, offers, opinions, instructions and statements about the conversation itself ("I cannot find that") are not claims.`;

const checkClaims = `Check the numbered claims against the sources. A claim is supported only when the sources say it, or when it follows from them by plain reading or simple arithmetic. What you know from elsewhere does not count, even if it is true. A claim of which a part is not in the sources, or that contradicts them, is not supported.`;

/** The share of what the answer claims that the retrieved documents and tool results support, in the eyes of a judge. */
export const groundedness = defineMetric({
  name: 'groundedness',
  family: 'grounding',
  version: 1,
  reads: ({ sources }) => expectationsIn(sources),
  summary: 'Judged: share of the claims in the answer that the sources support, with the others by name.',
  options: () =>
    judgedOptions().extend({
      sources: z
        .array(z.enum(['documents', 'tool results', 'background', 'expected answer']))
        .min(1)
        .default(['documents', 'tool results'])
        .describe('What claims are checked against.'),
    }),
  create: ({ sources: parts, samples, threshold, ...options }, needs) => {
    const judge = findJudge('groundedness', options, needs);
    const sourcesOf = (input: MetricInput) => materialOf(input, parts);
    const claimsQuestion = (input: MetricInput) =>
      ({
        id: 'groundedness-claims@1',
        instructions: findClaims,
        material: materialOf(input, ['question', 'answer']),
        shape: 'claims',
      }) as const;
    const checksQuestion = (input: MetricInput, claims: readonly string[]) =>
      ({
        id: 'groundedness-checks@1',
        instructions: checkClaims,
        material: [...sourcesOf(input), { title: 'claims', text: numbered(claims) }],
        shape: 'checks',
        items: claims.length,
      }) as const;

    return judgedMetric({
      judge,
      decideFirst: createDecideFirst({ ...options, samples, threshold }, needs),
      missing: (input) =>
        sourcesOf(input).length === 0 ? 'the trial has no sources to check claims against' : undefined,
      questions: (input) => [
        { ...claimsQuestion(input), sample: 1 },
        ...samplesOf(checksQuestion(input, typicalClaims), samples),
      ],
      ask: async (input: MetricInput, context: JudgeContext) => {
        const found = await askSamples(claimsQuestion(input), { judge, context, samples: 1 });
        if (found.status === 'failed') return toVerdict(found, () => noClaims);
        // A panel gives several lists; its members can only vote on one and the same.
        const claims = found.ballots[0]?.answer.claims ?? [];
        if (claims.length === 0) return noClaims;
        const checked = await askSamples(checksQuestion(input, claims), { judge, context, samples });
        const foundBy = found.ballots.map(({ judgement }) => judgement);
        if (checked.status === 'failed') {
          return toVerdict({ ...checked, judgements: [...foundBy, ...checked.judgements] }, () => noClaims);
        }
        const { ballots } = checked;
        return verdictOfChecks({ claims, ballots, sources: sourcesOf(input), foundBy, threshold });
      },
    });
  },
});

const noClaims = { status: 'not-applicable', reason: 'the answer claims nothing' } as const;

/** Stands for the claims of an answer that is not there yet, when a run is priced. */
const typicalClaims: readonly string[] = Array.from(
  { length: 5 },
  () => 'A statement of ten words or so that can be checked.',
);

function numbered(claims: readonly string[]): string {
  return claims.map((claim, index) => `${index + 1}. ${claim.replace(/\s+/g, ' ')}`).join('\n');
}
