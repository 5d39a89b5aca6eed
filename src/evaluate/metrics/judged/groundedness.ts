import { z } from 'zod';
import { defineMetric, type MetricInput } from '../metric.ts';
import { judgedOptions } from './ask-judges.ts';
import { createClaimMetric } from './claim-support.ts';
import { expectationsIn, materialOf } from './material.ts';

const findClaims = `List what the answer claims: every statement of fact in it that could be true or false, in the order in which they stand. Write each so that it can be checked by itself: one fact, names in place of "it" and "they", numbers and dates exactly as the answer has them. Add nothing, leave no statement out, and do not correct what is wrong. Questions, greetings, offers, opinions, instructions and statements about the conversation itself ("I cannot find that") are not claims.`;

const checkClaims = `Check the numbered claims against the sources. A claim is supported only when the sources say it, or when it follows from them by plain reading or simple arithmetic. What you know from elsewhere does not count, even if it is true. A claim of which a part is not in the sources, or that contradicts them, is not supported.`;

/**
 * Measures groundedness with a judge: the share, from 0 to 1, of the answer's claims that the retrieved documents and
 * tool results support. One question lists the claims, a second one checks them; each unsupported claim is shown with
 * the nearest passage. Not applicable when the trial has no sources or the answer claims nothing.
 */
export const groundedness = defineMetric({
  name: 'groundedness',
  family: 'grounding',
  version: 1,
  reads: ({ sources }) => expectationsIn(sources),
  summary: 'Judged: share of the claims in the answer that the sources support; the others are listed.',
  words:
    'hallucination, made up, fabricated, invented facts, unsupported claims, citations, rag, rag triad, attribution, sources, truthfulness, invented',
  needs: ['judge'],
  example: { threshold: 0.9 },
  options: () =>
    judgedOptions().extend({
      sources: z
        .array(z.enum(['documents', 'tool results', 'background', 'expected answer']))
        .min(1)
        .default(['documents', 'tool results'])
        .describe('The sources that claims are checked against.'),
    }),
  create: ({ sources: parts, ...options }, needs) => {
    const sources = (input: MetricInput) => materialOf(input, parts);
    return createClaimMetric(
      {
        name: 'groundedness',
        version: 1,
        findClaims,
        checkClaims,
        claimant: (input) => materialOf(input, ['question', 'answer']),
        sources,
        missing: (input) =>
          sources(input).length === 0 ? 'the attempt has no sources to check claims against' : undefined,
        noClaims: 'the answer claims nothing',
      },
      options,
      needs,
    );
  },
});
