import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { createJudgedMetric } from './judged-metric.ts';
import { judgedOptions } from './judged-options.ts';
import { expectationsIn, materialParts } from './material.ts';

const frames = {
  score: `Judge how far the following holds, from 0 (not at all) to 1 (fully); where it says itself which score stands for what, that counts.`,
  verdict: `Judge whether the following holds: "yes" only when all of it does.`,
} as const;

/** A measure of your own, in the eyes of a judge. */
export const rubric = defineMetric({
  name: 'rubric',
  version: 1,
  reads: ({ reads }) => [...expectationsIn(reads), 'refusal'],
  summary: 'Judged: by a text of your own.',
  options: () =>
    judgedOptions().extend({
      text: z
        .string()
        .trim()
        .min(1)
        .describe('By what to judge: "The answer names the lease and the date it ends."'),
      shape: z
        .enum(['score', 'verdict'])
        .default('score')
        .describe('Whether the judge says a score from 0 to 1, or yes or no.'),
      reads: z
        .array(z.enum(materialParts))
        .min(1)
        .default(['question', 'expected answer', 'answer'])
        .describe('What the judge is given to read.'),
    }),
  create: ({ text, shape, reads, ...options }, needs) =>
    createJudgedMetric(
      { name: 'rubric', version: 1, shape, reads, instructions: `${frames[shape]}\n\n${text}` },
      options,
      needs,
    ),
});
