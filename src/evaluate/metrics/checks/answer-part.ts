import { z } from 'zod';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { pathSteps, stepInto } from '../../../core/lib/objects.ts';
import { useOrNameSchema } from '../../../core/schema/use.ts';
import { defineMetric } from '../metric.ts';
import { wrapMetric } from './wrap-metric.ts';

const stepSchema = () =>
  z.union([
    z.enum(['trim', 'lower-case', 'upper-case']),
    z.strictObject({ path: z.string().describe('A path in the answer, which is JSON: `items[0].name`.') }),
    z.strictObject({
      split: z.string().min(1).describe('The text between the pieces of the answer.'),
      at: z.int().describe('The number of the piece, from 0; a negative one counts from the end.'),
    }),
  ]);
type Step = z.output<ReturnType<typeof stepSchema>>;

/**
 * Applies any metric to a part of the answer: its verdict is the metric's. An answer without the part gets 0 and does
 * not pass.
 */
export const answerPart = defineMetric({
  name: 'answer-part',
  version: 1,
  reads: ({ metric }, readsOf) => readsOf(metric),
  summary:
    'Any metric, applied to a part of the answer: trimmed, in lower case, a value in its JSON, a piece.',
  words:
    'part of the answer, trim, transform, extract, preprocess, postprocess, last line, code block, strip, xpath, json path, uppercase',
  example: { steps: ['trim', { path: 'total' }], metric: 'numeric-match' },
  options: () =>
    z.strictObject({
      steps: z
        .array(stepSchema())
        .min(1)
        .describe(
          'How the part is found, step by step: `trim`, `lower-case`, `upper-case`, `{ path: total.sum }` of an answer that is JSON, ' +
            '`{ split: ",", at: 0 }`.',
        ),
      metric: useOrNameSchema.describe('The metric, by name or with its options.'),
    }),
  create: ({ steps, metric }, needs) =>
    wrapMetric(metric, needs, {
      before: ({ trial, ...rest }) => {
        const answer = partOf(trial.answer, steps);
        if (answer !== undefined) return { ...rest, trial: { ...trial, answer } };
        const explanation = `the answer has no such part: ${steps.map(describe).join(', ')}`;
        return { status: 'scored', value: 0, passed: false, explanation };
      },
    }),
});

/** Returns a part of an answer; undefined when the answer has none. No answer at all is its own part. */
function partOf(answer: string | null, steps: readonly Step[]): string | null | undefined {
  return steps.reduce<string | null | undefined>(
    (part, step) => (typeof part === 'string' ? takeStep(part, step) : part),
    answer,
  );
}

function takeStep(text: string, step: Step): string | undefined {
  if (step === 'trim') return text.trim();
  if (step === 'lower-case') return text.toLowerCase();
  if (step === 'upper-case') return text.toUpperCase();
  if ('split' in step) return text.split(step.split).at(step.at);
  const found = pathSteps(step.path).reduce(stepInto, tryParseJson(text));
  return found === undefined || found === null || typeof found === 'string'
    ? (found ?? undefined)
    : JSON.stringify(found);
}

function describe(step: Step): string {
  if (typeof step === 'string') return step;
  return 'path' in step ? `path ${step.path}` : `piece ${step.at} between ${JSON.stringify(step.split)}`;
}
