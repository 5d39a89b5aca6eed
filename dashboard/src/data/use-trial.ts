import { useInfiniteQuery } from '@tanstack/react-query';
import { trialPlaceSchema } from '../../../src/schema/api/trial-facets.ts';
import {
  caseInOtherRunsSchema,
  messagePartSchema,
  trialJudgementsSchema,
  trialViewSchema,
} from '../../../src/schema/api/trial-view.ts';
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

/** Asks for the place of a trial in a list. */
export function usePlace(path: string, { where, sort }: Pick<TrialChoice, 'where' | 'sort'>) {
  return useAnswer(withParameters(`${path}/place`, { where, sort }), trialPlaceSchema);
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
