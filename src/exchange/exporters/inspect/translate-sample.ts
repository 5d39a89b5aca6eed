import { filled } from '../../importers/values.ts';
import type { Ledger } from '../../importers/ledger.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { passedBy, type Verdict } from '../../../core/schema/verdict.ts';
import { type InspectMessage, writeMessages } from './write-messages.ts';

/** A score of Inspect. One that was not measured is skipped. */
export interface InspectScore {
  readonly value: number;
  readonly answer: string | null;
  readonly explanation?: string;
  readonly metadata: { readonly touchstone: object };
}

/** A sample of Inspect: one epoch of one case. */
export interface WrittenSample {
  readonly id: string;
  readonly epoch: number;
  readonly messages: readonly InspectMessage[];
  readonly scores: Readonly<Record<string, InspectScore>>;
  readonly error?: { readonly message: string; readonly traceback: string; readonly traceback_ansi: string };
  readonly [name: string]: unknown;
}

/** The name of the score that is the total of the scorecard. */
export const totalScore = 'total';

/** Translates the result of a trial that was made. */
export function translateSample(run: Run, result: Result, ledger: Ledger): WrittenSample {
  const { case: testCase, trial } = result;
  ledger.take('attempt', 'epoch of a sample');
  const error =
    trial.answer === null
      ? `${trial.error?.code ?? 'error'}: ${trial.error?.message ?? 'no answer'}`
      : undefined;
  if (error !== undefined) ledger.take('error of the target', 'error of a sample');
  const usage = usageOf(trial);
  const seconds = (trial.latency?.totalMs ?? 0) / 1000;
  const messages = writeMessages(trial.transcript, trial.key);
  const output = outputOf(trial, messages, usage);
  return {
    id: testCase.id,
    epoch: trial.attempt,
    input: typeof testCase.input === 'string' ? testCase.input : writeMessages(testCase.input, 'input'),
    target: targetOf(testCase, ledger),
    messages,
    output,
    scores: error === undefined ? scoresOf(run, result, ledger) : {},
    metadata: describeCase(testCase, ledger),
    store: storeOf(trial, ledger),
    events: [modelEvent(trial, messages, output)],
    attachments: {},
    model_usage: usage === undefined ? {} : { [trial.target]: usage },
    started_at: trial.startedAt,
    total_time: seconds,
    working_time: seconds,
    uuid: trial.key,
    error_retries: [],
    ...(error !== undefined && { error: { message: error, traceback: '', traceback_ansi: '' } }),
  };
}

function targetOf({ expected }: Case, ledger: Ledger): string | string[] {
  if (expected.answer === undefined) return '';
  ledger.take('expected answer', 'target');
  return typeof expected.answer === 'string' ? expected.answer : [...expected.answer];
}

function describeCase({ category, tags, expected, metadata, context }: Case, ledger: Ledger): object {
  const { answer: _answer, ...rest } = expected;
  const parts = {
    category,
    tags: filled(tags),
    expected: filled(rest),
    context,
  };
  for (const part of [...Object.keys(parts), ...(Object.keys(metadata).length > 0 ? ['metadata'] : [])])
    ledger.keep(`${part} of a question`);
  return { ...metadata, ...parts };
}

function storeOf({ state }: Trial, ledger: Ledger): object {
  if (state === undefined) return {};
  ledger.take('final state', 'store');
  return isContainer(state) && !Array.isArray(state) ? state : { state };
}

/** The tokens of a model, as Inspect counts them. */
interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly input_tokens_cache_read?: number;
  readonly reasoning_tokens?: number;
}

function usageOf({ usage }: Trial): ModelUsage | undefined {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    input_tokens_cache_read: cachedTokens,
    reasoning_tokens: reasoningTokens,
  };
}

/** The reasons to stop by the words of Inspect; it knows no others. */
const stopReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'max_tokens',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/** An output of a model, as Inspect has it. */
interface ModelOutput {
  readonly choices: readonly { readonly message: InspectMessage; readonly stop_reason: string }[];
  readonly [name: string]: unknown;
}

function outputOf(
  { key, target, answer, finishReason, latency }: Trial,
  messages: readonly InspectMessage[],
  usage?: ModelUsage,
): ModelOutput {
  if (answer === null) return { model: target, choices: [], completion: '' };
  const [only] = writeMessages([{ role: 'assistant', content: answer }], `${key}-output`);
  const last = messages.findLast(({ role }) => role === 'assistant') ?? only;
  const reason = finishReason === undefined ? 'stop' : (stopReasons[finishReason] ?? 'unknown');
  return {
    model: target,
    choices: last === undefined ? [] : [{ message: { ...last, model: target }, stop_reason: reason }],
    completion: answer,
    usage,
    time: (latency?.totalMs ?? 0) / 1000,
  };
}

/**
 * Returns the one event of a sample: the target answers the conversation. The data frames of Inspect take messages from events alone, so
 * what follows the last answer, such as the result of a tool, is part of the input, too.
 */
function modelEvent(trial: Trial, messages: readonly InspectMessage[], output: ModelOutput): object {
  const last = output.choices[0]?.message.id;
  const isLast = messages.at(-1)?.id === last;
  return {
    event: 'model',
    uuid: `${trial.key}-model`,
    timestamp: trial.startedAt,
    working_start: 0,
    model: trial.target,
    input: isLast ? messages.slice(0, -1) : messages,
    tools: [],
    tool_choice: 'auto',
    config: {},
    output,
  };
}

function scoresOf(
  run: Run,
  { trial, verdicts, scorecard }: Result,
  ledger: Ledger,
): Record<string, InspectScore> {
  const scores: Record<string, InspectScore> = {};
  const answer = trial.answer;
  if (run.scorecard !== null) {
    if (scorecard === null || scorecard.total === null) noteUnmeasured(ledger, totalScore);
    else {
      const { total, passed, grade, outcome, explanation } = scorecard;
      ledger.take('score', `score ${totalScore}`);
      const touchstone = { passed, grade, outcome };
      scores[totalScore] = { value: total, answer, explanation, metadata: { touchstone } };
    }
  }
  for (const { name } of run.metrics) {
    const score = toScore(verdicts[name], { name, answer, ledger });
    if (score !== undefined) scores[name === totalScore ? `${name} (metric)` : name] = score;
  }
  return scores;
}

function toScore(
  verdict: Verdict | undefined,
  {
    name,
    answer,
    ledger,
  }: { readonly name: string; readonly answer: string | null; readonly ledger: Ledger },
): InspectScore | undefined {
  if (verdict === undefined) return undefined;
  if (verdict.status === 'not-applicable') {
    const note = 'Inspect has only scores that were given.';
    ledger.leaveOut('verdict that does not apply', { note, place: name });
    return undefined;
  }
  if (verdict.status === 'failed') {
    noteUnmeasured(ledger, name);
    return undefined;
  }
  const { value, unit, label, explanation } = verdict;
  ledger.take('verdict', 'score');
  const touchstone = { passed: passedBy(verdict), unit, label };
  return { value, answer, explanation, metadata: { touchstone } };
}

function noteUnmeasured(ledger: Ledger, name: string): void {
  ledger.approximate('verdict that was not measured', {
    became: 'unscored sample',
    note: 'The score is omitted, and the means count it as unscored.',
    place: name,
  });
}
