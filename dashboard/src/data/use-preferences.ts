import {
  type PreferenceChoice,
  preferenceCasesSchema,
  preferenceListSchema,
} from '../../../src/schema/api/preference-view.ts';
import { useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import type { ComparedChoice } from './use-comparison.ts';

/** Asks for the comparisons of answers in pairs that contain two targets; for nothing in a file, which has none. */
export function usePreferences(choice: ComparedChoice) {
  const { isFile = false } = useData();
  return useAnswer(withParameters('/preferences', { ...choice }), preferenceListSchema, {
    isEnabled: !isFile,
  });
}

/** A number of a comparison of answers. */
export interface PreferenceNumber {
  readonly id: string;
  /** The number of the pair of targets. */
  readonly pair: number;
  readonly choice: PreferenceChoice;
}

/** Asks for the verdicts on single answers behind a number. */
export function usePreferenceCases(choice: ComparedChoice, number: PreferenceNumber, limit: number) {
  return useAnswer(
    withParameters('/preferences/cases', { ...choice, ...number, limit }),
    preferenceCasesSchema,
  );
}
