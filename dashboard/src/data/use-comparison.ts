import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  comparisonFilePath,
  comparisonFileSchema,
} from '../../../src/core/schema/api/comparison/comparison-file.ts';
import {
  comparisonViewSchema,
  differenceListSchema,
  pairListSchema,
} from '../../../src/core/schema/api/comparison/comparison-view.ts';
import { pairedCaseSchema } from '../../../src/core/schema/api/comparison/paired-case.ts';
import type { PairRow } from '../../../src/core/schema/api/comparison/pair-row.ts';
import {
  type PreferenceChoice,
  preferenceCasesSchema,
  preferenceListSchema,
} from '../../../src/core/schema/api/preference/view.ts';
import { useData, useIsFile } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import { activeStates } from './use-runs.ts';

/** The two runs of a comparison, and their targets where they are chosen. */
export interface ComparedChoice {
  readonly a?: string;
  readonly b?: string;
  readonly targetA?: string;
  readonly targetB?: string;
}

/** Asks for the comparison of two runs, again every few seconds while one is under way. */
export function useComparison(choice: ComparedChoice) {
  return useAnswer(withParameters('/compare', { ...choice }), comparisonViewSchema, {
    refetchMs: (view) =>
      view !== undefined && [view.a, view.b].some(({ state }) => activeStates.has(state)) ? 5_000 : false,
  });
}

/** Asks which cases a comparison in one file contains; for nothing elsewhere. */
export function useComparisonFile() {
  const isFile = useIsFile();
  return useAnswer(comparisonFilePath, comparisonFileSchema, { isEnabled: isFile });
}

/** Asks for the sorted paired differences of two runs on a measure. */
export function useDifferences(choice: ComparedChoice, measure: string) {
  return useAnswer(withParameters('/compare/differences', { ...choice, measure }), differenceListSchema);
}

/** Asks for a case with the answers of both runs; for nothing while no case is open. */
export function usePairedCase(choice: ComparedChoice, caseId: string | undefined) {
  const path = withParameters('/compare/case', { ...choice, case: caseId });
  return useAnswer(path, pairedCaseSchema, { isEnabled: caseId !== undefined });
}

/** The pairs that a list shows. */
export interface PairChoice {
  readonly where?: string;
  readonly sort?: string;
  readonly limit?: number;
}

/** The pairs that have been read so far. */
export interface PairsSoFar {
  readonly rows: readonly PairRow[];
  /** The number of pairs that match. */
  readonly count: number;
}

/** Asks for the list of the pairs of two runs, part by part. */
export function usePairs(
  choice: ComparedChoice,
  { where, sort, limit }: PairChoice,
): UseInfiniteQueryResult<PairsSoFar> {
  const source = useData();
  const pathAfter = (after: string | undefined) =>
    withParameters('/compare/cases', { ...choice, where, sort, limit, after });
  return useInfiniteQuery({
    queryKey: ['api', 'pairs', pathAfter(undefined)],
    queryFn: async ({ pageParam, signal }) =>
      pairListSchema.parse(await source.get(pathAfter(pageParam), signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: z.output<typeof pairListSchema>) => next ?? undefined,
    placeholderData: (previous) => previous,
    select: ({ pages }) => ({ rows: pages.flatMap(({ rows }) => rows), count: pages[0]?.count ?? 0 }),
  });
}

/** Asks for the comparisons of answers in pairs that contain two targets. */
export function usePreferences(choice: ComparedChoice) {
  return useAnswer(withParameters('/preferences', { ...choice }), preferenceListSchema);
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
