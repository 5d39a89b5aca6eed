import { translateToolCall } from '../../chat-messages.ts';
import type { Ledger } from '../../ledger.ts';
import type { JsonObject, RecordedAnswers } from '../../importer.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  restOf,
  textOf,
  withoutTerminalCodes,
  filled,
} from '../../values.ts';
import type { FoundResult } from './read-results.ts';
import { totalName as total } from '../assertions/assertion.ts';
import { verdictsOf } from './verdicts-of.ts';
import type { ToolCall } from '../../../../core/schema/message.ts';
import { readTrace } from '../../../../evaluate/targets/replay/traces/read-trace.ts';
import { toolCallsOf } from '../../../../core/schema/trial.ts';

/** Translates results of promptfoo to recorded answers. Cases are named by the caller. */
export function translateResults(
  results: readonly FoundResult[],
  idOf: (found: FoundResult) => string,
  ledger: Ledger,
): RecordedAnswers {
  const rows = results.map((found) => translateResult(found, idOf(found), ledger));
  const names = rows.flatMap(({ verdicts }) => Object.keys(asObject(verdicts) ?? {}));
  return {
    rows,
    targets: [...new Set(results.toSorted(byPrompt).map(({ target }) => target))],
    verdicts: [...new Set([total, ...names])],
    attacks: [...new Set(rows.flatMap(({ verdicts }) => attacksIn(verdicts)))],
    total,
    attempts: Math.max(1, ...results.map(({ attempt }) => attempt)),
  };
}

/** Returns the names of the verdicts of graders of a red team. */
function attacksIn(verdicts: unknown): string[] {
  return Object.entries(asObject(verdicts) ?? {}).flatMap(([name, verdict]) => {
    const { assertion } = asObject(asObject(verdict)?.evidence) ?? {};
    return asText(asObject(assertion)?.type)?.startsWith('promptfoo:redteam:') === true ? [name] : [];
  });
}

function byPrompt(a: FoundResult, b: FoundResult): number {
  return (asNumber(a.result.promptIdx) ?? 0) - (asNumber(b.result.promptIdx) ?? 0);
}

function translateResult(
  { result, testCase, target, attempt, spans }: FoundResult,
  caseId: string,
  ledger: Ledger,
): JsonObject {
  const response = asObject(result.response) ?? {};
  const error = errorOf(result, response);
  ledger.take(attempt === 1 ? 'result' : 'repeat of a test', attempt === 1 ? 'answer' : 'attempt');
  if (error !== undefined) noteError(result, ledger);
  noteJudges(result, ledger);
  const sent = asText(asObject(result.prompt)?.raw);
  const question = sent === undefined ? [] : [{ role: 'user', content: sent }];
  const attack = attackOf(result, response);
  const answered = error === undefined ? answerOf(result, spans) : undefined;
  return jsonObject({
    caseId,
    attempt,
    recordedTarget: target,
    ...(answered === undefined
      ? { error, transcript: [...question, ...callsBefore(spans)] }
      : {
          answer: answered.content,
          transcript: attack === undefined ? [...question, answered] : [...attack, answered],
          cost: asNumber(result.cost),
          verdicts: verdictsOf(result, asObject(testCase.vars) ?? {}, ledger),
        }),
    usage: usageOf(response),
    finishReason: asText(response.finishReason),
    // The time of an answer from the cache is the time of the cache.
    latencyMs: response.cached === true ? undefined : asNumber(result.latencyMs),
    source: {
      id: result.id,
      testIdx: result.testIdx,
      promptIdx: result.promptIdx,
      promptId: result.promptId,
      error: result.error === error ? undefined : result.error,
      failureReason: result.failureReason,
      response: restOf(response, ['output', 'tokenUsage', 'finishReason', 'raw']),
      metadata: restOf(asObject(result.metadata) ?? {}, []),
    },
  });
}

/**
 * Returns the conversation before the answer, as the providers of a red team keep it: their last prompt is the attack, and the prompt of the
 * row only its goal. Undefined for a row that no red team made.
 */
function attackOf({ metadata }: Fields, response: Fields): Fields[] | undefined {
  const kept = { ...asObject(response.metadata), ...asObject(metadata) };
  const turns = objectsIn(kept['redteamHistory']).flatMap(({ prompt, output }) => [
    { role: 'user', content: textOf(prompt) },
    { role: 'assistant', content: textOf(output) },
  ]);
  const last = asText(kept['redteamFinalPrompt']);
  if (turns.length === 0) return last === undefined ? undefined : [{ role: 'user', content: last }];
  // The row has the answer to the last prompt.
  const before = turns.slice(0, -1);
  const isLast = last === undefined || before.at(-1)?.content === last;
  return isLast ? before : [...before.slice(0, -1), { role: 'user', content: last }];
}

/** Notes an error of the provider, or of an assertion that threw before the answer was stored. */
function noteError(result: Fields, ledger: Ledger): void {
  if (!/\n {4}at runAssertion/.test(asText(result.error) ?? ''))
    return ledger.take('error of a provider', 'error');
  ledger.approximate('assertion that threw an error', {
    became: 'error',
    note: 'promptfoo calls the whole result an error, and did not keep the answer.',
  });
}

/** Notes the tokens of the judges of an answer. */
function noteJudges({ tokenUsage, gradingResult }: Fields, ledger: Ledger): void {
  const asked = asObject(asObject(tokenUsage)?.assertions) ?? asObject(asObject(gradingResult)?.tokensUsed);
  if ((asNumber(asked?.total) ?? 0) === 0) return;
  ledger.leaveOut('usage of judges', {
    note: 'It is the usage of what graded the answer, not of the target.',
  });
}

/** Returns the message of a target that called tools before it failed, as its traces have it. */
function callsBefore(spans: readonly Fields[]): object[] {
  const toolCalls = toolCallsIn(undefined, spans);
  return toolCalls.length === 0 ? [] : [{ role: 'assistant', content: null, toolCalls }];
}

function answerOf(result: Fields, spans: readonly Fields[]) {
  const { output } = asObject(result.response) ?? {};
  const toolCalls = toolCallsIn(output, spans);
  return { role: 'assistant', content: textOf(output ?? ''), toolCalls: filled(toolCalls) };
}

function usageOf(response: Fields): JsonObject {
  const tokens = asObject(response.tokenUsage) ?? {};
  return jsonObject({
    inputTokens: asNumber(tokens.prompt),
    outputTokens: asNumber(tokens.completion),
    cachedTokens: asNumber(tokens.cached),
    reasoningTokens: asNumber(asObject(tokens.completionDetails)?.reasoning),
  });
}

/**
 * Returns the error of a target. promptfoo also sets `error` when an assertion fails, and calls it an error when an
 * assertion throws after the target has answered.
 */
function errorOf(result: Fields, response: Fields): string | undefined {
  const said = asText(response.error) ?? asText(result.error);
  const hasAnswer = response.output !== undefined && response.output !== null && response.error === undefined;
  const isError =
    result.failureReason === undefined ? !hasAnswer && said !== undefined : result.failureReason === 2;
  if (!isError || hasAnswer) return undefined;
  return withoutTerminalCodes(said ?? 'an error without a message').split('\n    at ')[0];
}

/**
 * Returns the tool calls of an answer: those in its traces, which have results; else those in an output that is a list of
 * calls in the form of OpenAI.
 */
function toolCallsIn(output: unknown, spans: readonly Fields[]): ToolCall[] {
  const traced = readTrace({ spans: spans.map(toSpan) });
  const calls = traced === undefined ? [] : toolCallsOf(traced.transcript);
  return calls.length > 0 ? [...calls] : callsInOutput(output);
}

function callsInOutput(output: unknown): ToolCall[] {
  const items = asArray(asObject(output)?.tool_calls ?? output).map((each) => asObject(each) ?? {});
  const isCalls =
    items.length > 0 && items.every((each) => asText(asObject(each.function)?.name) !== undefined);
  return isCalls ? items.map(translateToolCall) : [];
}

function toSpan(span: Fields): Parameters<typeof readTrace>[0]['spans'][number] {
  const failed = span.statusCode === 2 ? (asText(span.statusMessage) ?? '') : undefined;
  return {
    place: { file: 'traces' },
    traceId: 'trace',
    spanId: asText(span.spanId),
    parentId: asText(span.parentSpanId),
    name: asText(span.name) ?? 'span',
    startMs: asNumber(span.startTime),
    endMs: asNumber(span.endTime),
    attributes: asObject(span.attributes) ?? {},
    events: [],
    error: failed,
    resource: {},
  };
}
