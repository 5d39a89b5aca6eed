import { z } from 'zod';
import { detectError } from './detect-error.ts';
import { type Expected, isAnswerEmpty } from '../../../core/schema/expected.ts';
import { defineMetric } from '../metric.ts';

/**
 * Checks that the target answered: 0 when it failed (it threw, timed out or could not be reached) or when its answer is
 * missing or is an error report, else 1. A refusal of the model's provider is no error, nor is silence where the case
 * expects an empty answer or a refusal. It applies to every trial, failed ones included. This is the error component
 * of three-component scoring.
 */
export const errorHandling = defineMetric({
  name: 'error-handling',
  family: 'operations',
  aspect: 'no-error',
  version: 4,
  summary: 'The target answered, and the answer is not an error report: 1, else 0.',
  words:
    'errors, crash, exception, error rate, reliability, availability, failures, http 500, stack trace, empty answer, no answer, blank, stability',
  options: () => z.strictObject({}),
  create: () => ({
    measuresFailures: true,
    score: ({ case: { expected }, trial }) => {
      if (trial.status !== 'completed') {
        const { code, message } = trial.error ?? { code: trial.status, message: 'no answer' };
        return { status: 'scored', value: 0, passed: false, explanation: message, evidence: { error: code } };
      }
      const isRight = trial.refused !== undefined || isRightSilence(trial, expected);
      const sign = isRight ? undefined : detectError(trial.answer);
      if (sign === undefined) return { status: 'scored', value: 1, passed: true, evidence: { error: null } };
      return {
        status: 'scored',
        value: 0,
        passed: false,
        explanation: sign.meaning,
        evidence: { error: sign.id },
      };
    },
  }),
});

function isRightSilence({ answer }: { readonly answer: string | null }, expected: Expected): boolean {
  return answer === '' && (isAnswerEmpty(expected) || expected.refusal === true);
}
