import { judgeListSchema, judgeViewSchema } from '../../../src/core/schema/api/judge-view.ts';
import { useAnswer } from './use-answer.ts';

/** Asks for the judges of the runs. */
export function useJudges() {
  return useAnswer('/judges', judgeListSchema);
}

/** Asks for a judge with its judgements, by its fingerprint or its name. */
export function useJudge(judge: string) {
  return useAnswer(`/judges/${encodeURIComponent(judge)}`, judgeViewSchema);
}
