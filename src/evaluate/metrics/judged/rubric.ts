import { z } from 'zod';
import type { ScoreScale } from '../../../core/schema/judgement.ts';
import { defineMetric } from '../metric.ts';
import type { JudgeMaterial } from '../../judges/judge.ts';
import { createJudgedMetric } from './judged-metric.ts';
import { checkOwnWords, expectationsOfOwnWords, fillOwnText, ownWordsOptions } from './own-words.ts';
import { nonEmpty } from '../../../core/schema/json.ts';

const scales = {
  '0-1': { least: 0, most: 1 },
  '1-5': { least: 1, most: 5 },
  '1-10': { least: 1, most: 10 },
} as const satisfies Record<string, ScoreScale>;

/** Returns the scale on which the judge gives its score. */
function scaleOf({ scale, range }: ScaleOptions): ScoreScale {
  return range === undefined ? scales[scale] : { least: range[0], most: range[1] };
}

interface ScaleOptions {
  readonly scale: keyof typeof scales;
  readonly range?: readonly [number, number];
}

function frameOf(shape: 'score' | 'verdict', { least, most }: ScoreScale): string {
  if (shape === 'verdict') return `Judge whether the following holds: "yes" only when all of it does.`;
  return `Judge how far the following holds, from ${least} (not at all) to ${most} (fully); where it says itself which score stands for what, that counts.`;
}

const exampleSchema = z.strictObject({
  case: nonEmpty().optional().describe('The id of the question, for people who read the config.'),
  question: nonEmpty().optional().describe('What was asked.'),
  answer: nonEmpty().describe('The answer.'),
  passes: z.boolean().describe('Whether people say that the criterion holds.'),
  why: nonEmpty().optional().describe('Why, in a sentence.'),
});

/** Returns the parts that show examples to a judge. Their texts were written by others, so they are no part of the instructions. */
function partsOf(examples: readonly z.output<typeof exampleSchema>[]): JudgeMaterial[] {
  return examples.map(({ question, answer, passes, why }, index) => ({
    title: `example ${index + 1}`,
    text: [
      ...(question === undefined ? [] : [`Question: ${question}`]),
      `Answer: ${answer}`,
      `People say: ${passes ? 'yes' : 'no'}${why === undefined ? '' : `, ${why}`}`,
    ].join('\n\n'),
  }));
}

const examplesWords =
  'The parts whose names begin with "example" are other answers, each with what people say of it. Judge by the same measure.';

const options = () =>
  ownWordsOptions()
    .extend({
      shape: z
        .enum(['score', 'verdict'])
        .default('score')
        .describe('`score`: the judge gives a score. `verdict`: it says yes or no.'),
      scale: z
        .enum(['0-1', '1-5', '1-10'])
        .default('0-1')
        .describe('The scale of the judge. Its score is shown as it is and mapped to the range from 0 to 1.'),
      range: z
        .tuple([z.number(), z.number()])
        .optional()
        .describe(
          'Another scale, from its worst to its best score, in place of `scale`: `[1, 7]`. The score is a whole number if both ends are.',
        ),
      passMark: z
        .number()
        .optional()
        .describe('The least score that passes, on the scale of the judge; in place of `threshold`.'),
      examples: z
        .array(exampleSchema)
        .min(1)
        .max(20)
        .optional()
        .describe(
          'Answers with the verdicts of people, which the judge sees first, for `shape: verdict`: `[{ answer: "…", passes: false, why: "…" }]`. Labels of the same answers do not certify the judge.',
        ),
    })
    .superRefine(({ shape, range, passMark, threshold, scale, examples, ...words }, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      checkOwnWords(words, refuse);
      if (examples !== undefined && (shape !== 'verdict' || words.prompt !== undefined))
        refuse('examples', 'examples go with `shape: verdict`, and with `text` in place of `prompt`');
      const { least, most } = scaleOf({ scale, range });
      if (least >= most) refuse('range', 'the first number is the worst score, and less than the second');
      if (passMark === undefined) return;
      if (threshold !== undefined) refuse('passMark', 'set either `threshold` or `passMark`');
      if (shape === 'verdict') refuse('passMark', 'a yes or no has no score that could pass');
      else if (passMark < least || passMark > most)
        refuse('passMark', `it lies on the scale from ${least} to ${most}`);
    });

/**
 * Asks a judge to apply a criterion of the user: a score that is mapped to the range from 0 to 1, or yes (1) or no (0).
 * The user writes the criterion or the whole prompt.
 */
export const rubric = defineMetric({
  name: 'rubric',
  version: 1,
  reads: expectationsOfOwnWords,
  summary: 'Judged: by a text of your own.',
  words:
    'llm as a judge, g-eval, own criteria, tone, style, brand voice, llm-rubric, custom judge, empathy, coherence, fluency, grammar, spelling, conciseness, helpfulness, creativity, bias, score by a model, readability, clarity, consistency, logical, professional, role adherence, persona, instruction following, prompt alignment, plan quality, plan adherence, user satisfaction, any quality, jargon, reading level, apology, greeting, humor, sarcasm, confidence, opinion, compliance, explains, closing sentence, sign-off',
  needs: ['judge'],
  example: { text: 'The answer is friendly and says what to do next.' },
  options,
  create: ({ text, shape, scale, range, passMark, reads, prompt, examples, ...others }, needs) => {
    const chosenScale = scaleOf({ scale, range });
    const { least, most } = chosenScale;
    const isUnit = least === 0 && most === 1;
    const isTemplate = prompt !== undefined;
    const threshold = passMark === undefined ? others.threshold : (passMark - least) / (most - least);
    return createJudgedMetric(
      {
        name: 'rubric',
        version: 1,
        shape,
        reads,
        instructions: isTemplate
          ? fillOwnText(prompt, text)
          : [frameOf(shape, chosenScale), text, ...(examples === undefined ? [] : [examplesWords])].join(
              '\n\n',
            ),
        ...(examples !== undefined && { examples: partsOf(examples) }),
        ...(shape === 'score' && !isUnit && { scale: chosenScale }),
        ...(isTemplate && { isTemplate }),
      },
      { ...others, threshold },
      needs,
    );
  },
});
