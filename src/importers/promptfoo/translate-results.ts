import type { Verdict } from '../../schema/verdict.ts';
import type { Ledger } from '../ledger.ts';
import type { JsonObject, RecordedAnswers } from '../importer.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  textOf,
  withoutTerminalCodes,
} from '../values.ts';
import type { FoundResult } from './read-results.ts';
import { toolCallsIn } from './tool-calls.ts';

/** The name of the verdict on the whole answer. */
const total = 'promptfoo';

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
    targets: [...new Set(results.map(({ target }) => target))],
    verdicts: [...new Set([total, ...names])],
    total,
    attempts: Math.max(1, ...results.map(({ attempt }) => attempt)),
  };
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
  const tokens = asObject(response.tokenUsage) ?? {};
  const calls = toolCallsIn(response.output, spans);
  return jsonObject({
    caseId,
    attempt,
    recordedTarget: target,
    ...(error === undefined ? { answer: textOf(response.output ?? '') } : { error }),
    transcript: [
      { role: 'user', content: asText(asObject(result.prompt)?.raw) ?? '' },
      ...(error === undefined
        ? [
            {
              role: 'assistant',
              content: textOf(response.output ?? ''),
              ...(calls.length > 0 && { toolCalls: calls }),
            },
          ]
        : []),
    ],
    usage: jsonObject({
      inputTokens: asNumber(tokens.prompt),
      outputTokens: asNumber(tokens.completion),
      cachedTokens: asNumber(tokens.cached),
      reasoningTokens: asNumber(asObject(tokens.completionDetails)?.reasoning),
    }),
    cost: error === undefined ? asNumber(result.cost) : undefined,
    // The time of an answer from the cache is that of the cache.
    latencyMs: response.cached === true ? undefined : asNumber(result.latencyMs),
    verdicts: error === undefined ? verdictsOf(result, ledger) : undefined,
    source: {
      id: result.id,
      testIdx: result.testIdx,
      promptIdx: result.promptIdx,
      finishReason: asText(response.finishReason),
      ...(response.cached === true && { cached: true }),
    },
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

/** Returns the verdicts of the assertions by name, and that on the whole answer. */
function verdictsOf(result: Fields, ledger: Ledger): Record<string, Verdict> {
  const grading = asObject(result.gradingResult);
  const components = componentsOf(grading);
  const groups = Map.groupBy(nameAll(components), ({ name }) => name);
  const verdicts: Record<string, Verdict> = { [total]: totalOf(result, components, ledger) };
  for (const [name, group] of groups) {
    ledger.take('result of an assertion', 'recorded verdict');
    const own = group.map(({ component }) => verdictOf(component, ledger));
    verdicts[name] =
      own.length === 1 ? (own[0] as Verdict) : combine(own, asNumber(asObject(result.namedScores)?.[name]));
  }
  return verdicts;
}

/** Returns the results of assertions. The children of a set are listed inside it and again after it: those are left out. */
function componentsOf(grading: Fields | undefined): Fields[] {
  const all = objectsIn(grading?.componentResults);
  const kept: Fields[] = [];
  let repeated = 0;
  for (const component of all) {
    if (repeated > 0) {
      repeated -= 1;
      continue;
    }
    kept.push(component);
    if (isSet(component)) repeated = asArray(component.componentResults).length;
  }
  return kept;
}

function isSet({ metadata }: Fields): boolean {
  return asObject(metadata)?.assertionSet !== undefined;
}

interface NamedComponent {
  readonly name: string;
  readonly component: Fields;
}

/** Names results by their `metric`, else by their type. Several of one type without a metric get numbers. */
function nameAll(components: readonly Fields[]): NamedComponent[] {
  const counts = new Map<string, number>();
  return components.map((component) => {
    const assertion = asObject(asObject(component.metadata)?.assertionSet ?? component.assertion) ?? {};
    const metric = asText(assertion.metric);
    if (metric !== undefined && metric !== total) return { name: metric, component };
    const type = asText(assertion.type) ?? 'assertion';
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return { name: count === 1 ? type : `${type} ${count}`, component };
  });
}

function verdictOf(component: Fields, ledger: Ledger): Verdict {
  const reason = asText(component.reason);
  const { graderError, renderedGradingPrompt } = asObject(component.metadata) ?? {};
  if (graderError === true) {
    ledger.approximate('judge that could not be read', {
      became: 'not measured',
      note: 'promptfoo counts it as 0 and as failed.',
    });
    return { status: 'failed', code: 'judge-unreadable', reason: reason ?? 'the judge could not be read' };
  }
  const evidence = jsonObject({
    assertion: component.assertion ?? asObject(component.metadata)?.assertionSet,
    prompt: renderedGradingPrompt,
    parts: isSet(component)
      ? objectsIn(component.componentResults).map(({ assertion, pass, score, reason: why }) => ({
          assertion,
          pass,
          score,
          reason: why,
        }))
      : undefined,
  });
  return {
    status: 'scored',
    ...valueOf(component.score),
    passed: component.pass === true,
    ...(reason !== undefined && { explanation: reason }),
    evidence,
  };
}

/** Returns a score as a share, or as a quantity when it is none. */
function valueOf(score: unknown): { value: number; unit?: string } {
  const value = asNumber(score) ?? 0;
  return value >= 0 && value <= 1 ? { value } : { value, unit: 'score' };
}

/** Combines several assertions that share a metric: the score is promptfoo's, and all must pass. */
function combine(verdicts: readonly Verdict[], namedScore: number | undefined): Verdict {
  const failed = verdicts.find(({ status }) => status === 'failed');
  if (failed !== undefined) return failed;
  const scored = verdicts.flatMap((each) => (each.status === 'scored' ? [each] : []));
  const mean = scored.reduce((sum, { value }) => sum + value, 0) / scored.length;
  const explanation = scored.flatMap((each) => each.explanation ?? []).join('; ');
  return {
    status: 'scored',
    ...valueOf(namedScore ?? mean),
    passed: scored.every(({ passed }) => passed === true),
    ...(explanation !== '' && { explanation }),
    evidence: scored.flatMap(({ evidence }) => evidence ?? []),
  };
}

/** Returns the verdict on the whole answer. Without an assertion nothing was checked, which promptfoo calls a success. */
function totalOf(result: Fields, components: readonly Fields[], ledger: Ledger): Verdict {
  const grading = asObject(result.gradingResult);
  const reason = asText(grading?.reason) ?? asText(result.error)?.split('\n    at ')[0];
  if (grading === undefined && result.failureReason === 2) {
    ledger.approximate('assertion that threw an error', {
      became: 'not measured',
      note: 'promptfoo calls the whole result an error; the target had answered.',
    });
    return {
      status: 'failed',
      code: 'assertion-error',
      reason: withoutTerminalCodes(reason ?? 'an assertion threw'),
    };
  }
  if (components.length === 0) {
    ledger.approximate('test without assertions', {
      became: 'not applicable',
      note: 'promptfoo counts it as passed with a score of 1, though nothing was checked.',
    });
    return { status: 'not-applicable', reason: 'promptfoo checked nothing of this answer' };
  }
  const unread = components.find(({ metadata }) => asObject(metadata)?.graderError === true);
  if (unread !== undefined) {
    return {
      status: 'failed',
      code: 'judge-unreadable',
      reason: asText(unread.reason) ?? 'a judge could not be read',
    };
  }
  return {
    status: 'scored',
    ...valueOf(result.score),
    passed: result.success === true,
    ...(reason !== undefined && { explanation: reason }),
  };
}
