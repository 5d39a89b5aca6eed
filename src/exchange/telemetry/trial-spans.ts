import { millisecondsNow } from '../../core/lib/time.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { ScoredTrial } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { toolCallsOf, type Trial } from '../../core/schema/trial.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { stepSpans, usageAttributes, userCallSpan, writeMessages } from './model-span.ts';
import {
  type Attributes,
  type OutgoingSpan,
  placeOfTrial,
  placeWithin,
  type RunPlace,
  type SpanEvent,
  toQuantity,
} from './span.ts';

/** The run and the options for the spans of its trials. */
export interface TrialSpanNeeds {
  readonly run: Run;
  readonly place: RunPlace;
  /** True when questions, answers, arguments and results are part of the spans. */
  readonly withContent: boolean;
}

/** Returns the span of a trial, with an event for each evaluation of it, and the spans of the calls within it. */
export function trialSpans(scored: ScoredTrial, needs: TrialSpanNeeds): OutgoingSpan[] {
  const { trial } = scored;
  const { run, place, withContent } = needs;
  const startMs = Date.parse(trial.startedAt);
  const endMs = startMs + (trial.latency?.totalMs ?? 0);
  const span: OutgoingSpan = {
    ...placeOfTrial(place, trial.key),
    name: `invoke_agent ${trial.target}`,
    kind: 'client',
    startMs,
    endMs,
    attributes: { ...describeTrial(scored, run), ...(withContent && contentOf(trial)) },
    events: evaluationEvents(scored, { timeMs: endMs, run, withContent }),
    error: trial.error?.code ?? (trial.status === 'cancelled' ? 'cancelled' : undefined),
  };
  const model = modelOf(trial, run);
  const steps = model === undefined ? [] : stepSpans(trial.latency?.stepsMs ?? [], span, model);
  const { user } = trial.conversation ?? {};
  const userCalls = (user?.calls ?? []).map((call) =>
    userCallSpan({ ...call, model: user?.model ?? '' }, span, withContent),
  );
  return [span, ...steps, ...toolSpans(trial, span, withContent), ...userCalls];
}

/**
 * Returns the span of a stored trial that is scored again, with an event for each evaluation. No target is called; the span
 * lasts from the first call of a judge, and has no length without one.
 */
export function scoringSpan(
  scored: ScoredTrial,
  judgements: readonly Judgement[],
  { run, place, withContent }: TrialSpanNeeds,
): OutgoingSpan {
  const { trial, case: testCase } = scored;
  const endMs = millisecondsNow();
  const starts = judgements.flatMap(({ calls }) => calls.map(({ startedAt }) => Date.parse(startedAt)));
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

function describeTrial({ case: testCase, trial }: ScoredTrial, run: Run): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': trial.target,
    'gen_ai.request.model': modelOf(trial, run),
    'gen_ai.request.seed': trial.seed,
    'gen_ai.conversation.id': trial.key,
    ...usageAttributes(trial.usage),
    'error.type': trial.error?.code,
    'touchstone.run.id': run.id,
    'touchstone.case.id': trial.caseId,
    'touchstone.case.category': testCase.category,
    'touchstone.trial.attempt': trial.attempt,
    'touchstone.trial.status': trial.status,
    'touchstone.trial.retries': trial.retries,
    'touchstone.cost.usd': toQuantity(trial.cost),
  };
}

/** Returns the model of a target as named in the config; undefined for a target without one. */
function modelOf({ target }: Trial, { targets }: Run): string | undefined {
  return nameOfModel(targets.find(({ name }) => name === target)?.use['model']);
}

function nameOfModel(model: unknown): string | undefined {
  if (typeof model === 'string') return model;
  return typeof model === 'object' && model !== null && 'model' in model
    ? nameOfModel(model.model)
    : undefined;
}

function contentOf({ transcript, error }: Trial): Attributes {
  const last = transcript.at(-1);
  const hasAnswer = last?.role === 'assistant';
  return {
    'gen_ai.input.messages': writeMessages(hasAnswer ? transcript.slice(0, -1) : transcript),
    'gen_ai.output.messages': hasAnswer ? writeMessages([last]) : undefined,
    'error.message': error?.message,
  };
}

/** Returns the spans of tool calls. Their times are not recorded: the spans have no length and follow the trial's start. */
function toolSpans(trial: Trial, within: OutgoingSpan, withContent: boolean): OutgoingSpan[] {
  return toolCallsOf(trial.transcript).map(({ id, name, arguments: args, result, error, fault }, index) => {
    const timeMs = Math.min(within.startMs + index * 0.001, within.endMs);
    return {
      ...placeWithin(within, `tool ${index}`),
      name: `execute_tool ${name}`,
      kind: 'internal',
      startMs: timeMs,
      endMs: timeMs,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': id,
        'error.type': error === undefined ? undefined : (fault ?? 'tool-error'),
        'touchstone.fault': fault,
        'gen_ai.tool.call.arguments': withContent && args !== undefined ? JSON.stringify(args) : undefined,
        'gen_ai.tool.call.result': withContent && result !== undefined ? JSON.stringify(result) : undefined,
      },
      error: error === undefined ? undefined : (fault ?? 'tool-error'),
    };
  });
}

/** The event of the GenAI conventions for an evaluation by a metric or a scorecard. */
const eventName = 'gen_ai.evaluation.result';

/**
 * Returns an event for each evaluation of a trial: every applicable verdict, and the scorecard. A verdict that was not
 * measured has an `error.type` and no value.
 * @param withContent - True when explanations, which may quote the answer, are part of the events.
 */
export function evaluationEvents(
  { verdicts, scorecard }: Pick<ScoredTrial, 'verdicts' | 'scorecard'>,
  { timeMs, run, withContent }: { timeMs: number; run: Pick<Run, 'scorecard'>; withContent: boolean },
): SpanEvent[] {
  const events = Object.entries(verdicts).flatMap(([name, verdict]): Attributes[] => {
    const attributes = describeVerdict(verdict, withContent);
    return attributes === undefined ? [] : [{ 'gen_ai.evaluation.name': name, ...attributes }];
  });
  if (scorecard !== null && run.scorecard !== null) {
    const { total, grade, outcome, passed, explanation } = scorecard;
    events.push({
      'gen_ai.evaluation.name': run.scorecard.name,
      'gen_ai.evaluation.score.value': toQuantity(total),
      ...labelled(outcome ?? grade ?? undefined, passed),
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
    ...labelled(label, passed),
    'touchstone.evaluation.unit': unit,
    'gen_ai.evaluation.explanation': withContent ? explanation : undefined,
  };
}

/** Returns the label of an evaluation: its class, or whether it passed, which is next to a class. */
function labelled(label: string | undefined, passed: boolean | null | undefined): Attributes {
  return {
    'gen_ai.evaluation.score.label': label ?? labelOf(passed),
    'touchstone.evaluation.passed': label === undefined ? undefined : (passed ?? undefined),
  };
}

function labelOf(passed: boolean | null | undefined): string | undefined {
  if (passed === null || passed === undefined) return undefined;
  return passed ? 'pass' : 'fail';
}
