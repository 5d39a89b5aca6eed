import { trendsSchema } from '../../../src/core/schema/trends.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import type { RunChoice } from './use-runs.ts';

/** Asks for the score of every target from run to run. */
export function useTrends(choice: RunChoice) {
  return useAnswer(withParameters('/trends', { ...choice }), trendsSchema);
}
