import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Verdict } from '../schema/verdict.ts';
import { type Attributes, type SpanEvent, toQuantity } from './span.ts';

/** The event of the GenAI conventions that says what a metric or a scorecard made of an answer. */
const eventName = 'gen_ai.evaluation.result';

/**
 * What was said of a trial, an event each: every verdict that applies, and the scorecard. A verdict that was not measured
 * has an `error.type` and no value.
 * @param withContent - Whether explanations, which may quote the answer, are part of it.
 */
export function evaluationEvents(
  { verdicts, scorecard }: Pick<ScoredTrial, 'verdicts' | 'scorecard'>,
  { timeMs, run, withContent }: { timeMs: number; run: Pick<Run, 'scorecard'>; withContent: boolean },
): SpanEvent[] {
  const events = Object.entries(verdicts).flatMap(([name, verdict]): Attributes[] => {
    const said = describeVerdict(verdict, withContent);
    return said === undefined ? [] : [{ 'gen_ai.evaluation.name': name, ...said }];
  });
  if (scorecard !== null && run.scorecard !== null) {
    const { total, grade, outcome, passed, explanation } = scorecard;
    events.push({
      'gen_ai.evaluation.name': run.scorecard.name,
      'gen_ai.evaluation.score.value': toQuantity(total),
      'gen_ai.evaluation.score.label': outcome ?? grade ?? labelOf(passed),
      'gen_ai.evaluation.explanation': withContent ? explanation : undefined,
    });
  }
  return events.map((attributes) => ({ name: eventName, timeMs, attributes }));
}

function describeVerdict(verdict: Verdict, withContent: boolean): Attributes | undefined {
  if (verdict.status === 'not-applicable') return undefined;
  if (verdict.status === 'failed') {
    const { code, reason } = verdict;
    return { 'error.type': code, 'gen_ai.evaluation.explanation': withContent ? reason : undefined };
  }
  const { value, unit, label, passed, explanation } = verdict;
  return {
    'gen_ai.evaluation.score.value': toQuantity(value),
    'gen_ai.evaluation.score.label': label ?? labelOf(passed),
    'touchstone.evaluation.unit': unit,
    'gen_ai.evaluation.explanation': withContent ? explanation : undefined,
  };
}

function labelOf(passed: boolean | null | undefined): string | undefined {
  if (passed === null || passed === undefined) return undefined;
  return passed ? 'pass' : 'fail';
}
