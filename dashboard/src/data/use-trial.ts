import { useInfiniteQuery } from '@tanstack/react-query';
import { trialPlaceSchema } from '../../../src/core/schema/api/trial-facets.ts';
import {
  caseInOtherRunsSchema,
  messagePartSchema,
  trialJudgementsSchema,
  trialViewSchema,
} from '../../../src/core/schema/api/trial-view.ts';
import { useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import type { TrialChoice } from './use-trials.ts';

/** Returns the address of a trial under `/api`. */
export function trialPath(run: string, ordinal: string | number): string {
  return `/runs/${encodeURIComponent(run)}/trials/${encodeURIComponent(ordinal)}`;
}

/** Asks for everything that is known about a trial. */
export function useTrial(path: string) {
  return useAnswer(path, trialViewSchema);
}

/** Asks for the questions to judges that the verdicts on a trial are based on. */
export function useJudgements(path: string, isEnabled: boolean) {
  return useAnswer(`${path}/judgements`, trialJudgementsSchema, { isEnabled });
}

/** A list of trials, and the further filter of those that are looked for in it. */
interface PlaceChoice extends Pick<TrialChoice, 'where' | 'sort'> {
  readonly among?: string;
}

/** Returns the address of the place of a trial in a list, under `/api`. */
export function placePath(path: string, { where, sort, among }: PlaceChoice): string {
  return withParameters(`${path}/place`, { where, sort, among });
}

/** Asks for the place of a trial in a list. */
export function usePlace(path: string, list: PlaceChoice) {
  return useAnswer(placePath(path, list), trialPlaceSchema);
}

/** Asks for the results of the same case in other runs. */
export function useHistory(path: string) {
  return useAnswer(`${path}/history`, caseInOtherRunsSchema);
}

/** Asks for the messages of a transcript after the first ones, part by part. */
export function useFurtherMessages(path: string, { first, all }: { first: number; all: number }) {
  const source = useData();
  return useInfiniteQuery({
    queryKey: ['api', path, 'messages'],
    queryFn: async ({ pageParam, signal }) =>
      messagePartSchema.parse(await source.get(`${path}/messages?from=${pageParam}`, signal)),
    initialPageParam: first,
    getNextPageParam: ({ messages }, _, from) => {
      const next = from + messages.length;
      return messages.length === 0 || next >= all ? undefined : next;
    },
    enabled: false,
  });
}
