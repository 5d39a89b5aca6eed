import type { Ledger } from '../../ledger.ts';
import type { JsonObject, RecordedAnswers } from '../../importer.ts';
import {
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  textOf,
  withoutTerminalCodes,
} from '../../values.ts';
import type { FoundResult } from './read-results.ts';
import { totalName as total } from '../assertions/assertion.ts';
import { toolCallsIn } from './tool-calls.ts';
import { verdictsOf } from './verdicts-of.ts';

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
    total,
    attempts: Math.max(1, ...results.map(({ attempt }) => attempt)),
  };
}

function byPrompt(a: FoundResult, b: FoundResult): number {
  return (asNumber(a.result.promptIdx) ?? 0) - (asNumber(b.result.promptIdx) ?? 0);
}

function translateResult(
  { result, target, attempt, spans }: FoundResult,
  caseId: string,
  ledger: Ledger,
): JsonObject {
  const response = asObject(result.response) ?? {};
  const error = errorOf(result, response);
  ledger.take(attempt === 1 ? 'result' : 'repeat of a test', attempt === 1 ? 'answer' : 'attempt');
  if (error !== undefined) ledger.take('error of a provider', 'failed trial');
  const question = { role: 'user', content: asText(asObject(result.prompt)?.raw) ?? '' };
  const answered = error === undefined ? answerOf(result, spans) : undefined;
  return jsonObject({
    caseId,
    attempt,
    recordedTarget: target,
    ...(answered === undefined
      ? { error, transcript: [question] }
      : {
          answer: answered.content,
          transcript: [question, answered],
          cost: asNumber(result.cost),
          verdicts: verdictsOf(result, ledger),
        }),
    usage: usageOf(response),
    // The time of an answer from the cache is that of the cache.
    latencyMs: response.cached === true ? undefined : asNumber(result.latencyMs),
    source: {
      id: result.id,
      testIdx: result.testIdx,
      promptIdx: result.promptIdx,
      finishReason: asText(response.finishReason),
      ...(response.cached === true && { cached: true }),
    },
  });
}

function answerOf(result: Fields, spans: readonly Fields[]) {
  const { output } = asObject(result.response) ?? {};
  const toolCalls = toolCallsIn(output, spans);
  return { role: 'assistant', content: textOf(output ?? ''), ...(toolCalls.length > 0 && { toolCalls }) };
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
