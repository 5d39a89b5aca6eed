import { millisecondsNow } from '../lib/time-now.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import { evaluationEvents } from './evaluation-events.ts';
import type { OutgoingSpan } from './span.ts';
import { placeOfTrial } from './span-ids.ts';
import type { TrialSpanNeeds } from './trial-spans.ts';

/**
 * The span of a stored trial that is scored anew, with an event for everything that was said of it. No target was called;
 * it lasts from the first question to a judge, and has no length where none was asked.
 */
export function scoringSpan(
  scored: ScoredTrial,
  asked: readonly Judgement[],
  { run, place, withContent }: TrialSpanNeeds,
): OutgoingSpan {
  const { trial, case: testCase } = scored;
  const endMs = millisecondsNow();
  const starts = asked.flatMap(({ calls }) => calls.map(({ startedAt }) => Date.parse(startedAt)));
  return {
    ...placeOfTrial(place, trial.key),
    name: `score ${trial.target}`,
    kind: 'internal',
    startMs: Math.min(endMs, ...starts),
    endMs,
    attributes: {
      'gen_ai.conversation.id': trial.key,
      'touchstone.run.id': run.id,
      'touchstone.case.id': trial.caseId,
      'touchstone.case.category': testCase.category,
      'touchstone.trial.attempt': trial.attempt,
      'touchstone.trial.status': trial.status,
    },
    events: evaluationEvents(scored, { timeMs: endMs, run, withContent }),
  };
}
