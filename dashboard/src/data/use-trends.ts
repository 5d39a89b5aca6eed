import { trendsSchema } from '../../../src/core/schema/trends.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import type { RunChoice } from './use-runs.ts';

/** Asks for the score of every target from run to run, or for a metric in its place. */
export function useTrends(choice: RunChoice & { readonly metric?: string }) {
  return useAnswer(withParameters('/trends', { ...choice }), trendsSchema);
}
