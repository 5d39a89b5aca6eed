import { z } from 'zod';
import type { Expectation } from '../../schema/expectation.ts';
import type { ScoreScale } from '../../schema/judgement.ts';
import { defineMetric } from '../metric.ts';
import { judgedOptions } from './ask-judges.ts';
import { createJudgedMetric, fillOwnText, findTemplateFault } from './judged-metric.ts';
import { expectationsIn, materialParts } from './material.ts';

const scales = {
  '0-1': undefined,
  '1-5': { least: 1, most: 5 },
  '1-10': { least: 1, most: 10 },
} as const satisfies Record<string, ScoreScale | undefined>;

function frameOf(shape: 'score' | 'verdict', { least, most }: ScoreScale = { least: 0, most: 1 }): string {
  if (shape === 'verdict') return `Judge whether the following holds: "yes" only when all of it does.`;
  return `Judge how far the following holds, from ${least} (not at all) to ${most} (fully); where it says itself which score stands for what, that counts.`;
}

const options = () =>
  judgedOptions()
    .extend({
      text: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe('The criterion: "The answer names the lease and the date it ends."'),
      shape: z
        .enum(['score', 'verdict'])
        .default('score')
        .describe('`score`: the judge gives a score. `verdict`: it says yes or no.'),
      scale: z
        .enum(['0-1', '1-5', '1-10'])
        .default('0-1')
        .describe('The scale of the judge. Its score is shown as it is and mapped to the range from 0 to 1.'),
      reads: z
        .array(z.enum(materialParts))
        .min(1)
        .default(['question', 'expected answer', 'answer'])
        .describe('What the judge is given to read.'),
      prompt: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe(
          'A prompt of your own in place of the built-in one, with the placeholders {{question}}, {{answer}}, {{expected}}, {{context}}, {{background}}, {{documents}}, {{tool_results}}, {{conversation}}, {{final_state}}, {{expected_state}} and {{text}}; `reads` is then ignored.',
        ),
    })
    .superRefine(({ text, prompt }, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (text === undefined && prompt === undefined)
        refuse('text', 'state the criterion in `text` or `prompt`');
      const fault = prompt === undefined ? undefined : findTemplateFault(prompt, text);
      if (fault !== undefined) refuse('prompt', fault);
    });

/** Returns the expectations that a user's own prompt shows to the judge. */
function expectationsOfPrompt(prompt: string): Expectation[] {
  return [
    ...(prompt.includes('{{expected}}') ? (['answer'] as const) : []),
    ...(prompt.includes('{{expected_state}}') ? (['state'] as const) : []),
  ];
}

/**
 * Asks a judge to apply a criterion of the user: a score that is mapped to the range from 0 to 1, or yes (1) or no (0).
 * The user writes the criterion or the whole prompt.
 */
export const rubric = defineMetric({
  name: 'rubric',
  version: 1,
  reads: ({ reads, prompt }) =>
    prompt === undefined ? [...expectationsIn(reads), 'refusal'] : expectationsOfPrompt(prompt),
  summary: 'Judged: by a text of your own.',
  options,
  create: ({ text, shape, scale, reads, prompt, ...others }, needs) => {
    const range = shape === 'score' ? scales[scale] : undefined;
    const isTemplate = prompt !== undefined;
    return createJudgedMetric(
      {
        name: 'rubric',
        version: 1,
        shape,
        reads,
        instructions: isTemplate ? fillOwnText(prompt, text) : `${frameOf(shape, range)}\n\n${text}`,
        ...(range && { scale: range }),
        ...(isTemplate && { isTemplate }),
      },
      others,
      needs,
    );
  },
});
