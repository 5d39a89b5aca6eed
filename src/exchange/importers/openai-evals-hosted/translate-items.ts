import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { type FoundScore, type FoundTrial, totalScore } from '../collect-trials.ts';
import { contentOf, lastAnswer, translateChat, usageOf } from '../chat-messages.ts';
import type { Ledger } from '../ledger.ts';
import type { JsonObject } from '../importer.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  asTime,
  type Fields,
  jsonObject,
  objectsIn,
  restOf,
  withoutTerminalCodes,
} from '../values.ts';
import type { OutputItem } from './read-export.ts';

/** The name of the verdict on the whole answer. */
export const totalName = 'openai-evals';

/** The things that items are translated with. */
export interface ItemContext {
  /** Returns the case of an item of a data source. */
  readonly caseOf: (item: Fields, sample: Fields) => JsonObject;
  /** The target of each run by its id. */
  readonly targets: ReadonlyMap<string, string>;
  /** The times of the runs that the file describes. */
  readonly times: ReadonlyMap<string, string | undefined>;
  /** The graders by the names and ids under which results name them. */
  readonly graders: ReadonlyMap<string, Fields>;
  readonly ledger: Ledger;
}

/** Translates an item of a run: its row of the data source is the case, its sample the answer. */
export function translateItem(found: OutputItem, context: ItemContext): FoundTrial {
  const { item, sample, index } = found;
  const error = errorOf(found);
  if (error !== undefined) context.ledger.take('errored item', 'error');
  return {
    caseKey: JSON.stringify([index ?? null, item]),
    name: asText(item.id) ?? (index === undefined ? undefined : `item-${index}`),
    testCase: context.caseOf(item, sample),
    target: context.targets.get(found.runId) ?? asText(sample.model) ?? found.runId,
    row: {
      ...answerOf(sample, error),
      startedAt: asTime(found.createdAt) ?? context.times.get(found.runId),
      source: jsonObject({ id: found.id, runId: found.runId, index, sample: restOf(sample, placedOfSample) }),
    },
    scores: error === undefined ? scoresOf(found, context) : undefined,
  };
}

/** The members of a sample that have a place of their own in the answer. */
const placedOfSample = ['input', 'output', 'output_text', 'output_tools', 'outputs', 'finish_reason'];

/** Translates a sample to an answer, or to a failed trial with the conversation up to its error. */
export function answerOf(sample: Fields, error: string | undefined): Fields {
  const output = outputOf(sample);
  const transcript = [...translateChat(asArray(sample.input)), ...output];
  return {
    ...(error === undefined ? { answer: lastAnswer(output) ?? asText(sample.output_text) ?? '' } : { error }),
    ...(transcript.length > 0 && output.length > 0 && { transcript }),
    usage: usageOf(sample.usage),
    finishReason: asText(sample.finish_reason),
  };
}

/** Returns the messages of an answer. A data source that was uploaded with answers has their calls in `output_tools`. */
function outputOf(sample: Fields): ReturnType<typeof translateChat> {
  const messages = translateChat(asArray(sample.output));
  const calls = asArray(sample.output_tools);
  if (calls.length === 0 || messages.some(({ toolCalls = [] }) => toolCalls.length > 0)) return messages;
  const called = { role: 'assistant', content: asText(sample.output_text) ?? '', tool_calls: calls };
  const spoken = messages.length === 0 || asText(lastAnswer(messages)) === undefined ? [] : messages;
  return [...translateChat([called]), ...spoken];
}

/** Returns the error of a target. An item is also called an error when a grader had one after the target had answered. */
function errorOf({ sample, status }: OutputItem): string | undefined {
  const { code, message } = asObject(sample.error) ?? {};
  const said = [asText(code), asText(message)].filter((each) => each !== undefined).join(': ');
  const hasAnswer = asArray(sample.output).length > 0;
  if (said === '' && (status !== 'error' || hasAnswer)) return undefined;
  return withoutTerminalCodes(said === '' ? 'an error without a message' : said);
}

function scoresOf({ results, status }: OutputItem, context: ItemContext): FoundScore[] | undefined {
  if (results.length === 0) return undefined;
  const scores = results.map((result) => scoreOf(result, context));
  return [totalScore(totalName, scores, status === undefined ? undefined : status === 'pass'), ...scores];
}

function scoreOf(result: Fields, { graders }: ItemContext): FoundScore {
  const ownName = asText(result.name) ?? 'grader';
  const grader = graders.get(ownName);
  const sample = asObject(result.sample) ?? {};
  const name = asText(grader?.name) ?? nameWithoutId(ownName);
  const [least = 0, most = 1] = asArray(grader?.range).map(asNumber);
  return {
    name: name === totalName ? `${name} (grader)` : name,
    value: result.score,
    passed: typeof result.passed === 'boolean' ? result.passed : undefined,
    failure: failureOf(result, sample),
    isQuantity: least < 0 || most > 1,
    ...explain(sample),
  };
}

/** Removes the id that the API adds to the name of a grader. */
function nameWithoutId(name: string): string {
  return name.replace(/-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, '');
}

function failureOf({ score }: Fields, sample: Fields): FoundScore['failure'] {
  const message = asText(asObject(sample.error)?.message);
  if (message !== undefined) return { code: 'judge-error', reason: message };
  if (asNumber(score) === undefined) return { code: 'not-scored', reason: 'OpenAI recorded no score' };
  return undefined;
}

/** Returns what a model that graded said, with the prompt that it was given. */
function explain(sample: Fields): Pick<FoundScore, 'explanation' | 'evidence'> {
  const reply = objectsIn(sample.output)
    .map(({ content }) => contentOf(content))
    .join('\n');
  const rest = restOf(sample, ['model', 'input', 'output', 'error']);
  if (reply === '') return Object.keys(rest).length === 0 ? {} : { evidence: rest };
  const { steps, result } = readReply(reply);
  const said = objectsIn(steps)
    .flatMap(({ description, conclusion }) => [asText(description), asText(conclusion)])
    .filter((each) => each !== undefined)
    .join(' ');
  return {
    explanation: said === '' ? reply : said,
    evidence: jsonObject({
      result,
      model: asText(sample.model),
      prompt: sample.input,
      reply,
      ...rest,
    }),
  };
}

function readReply(reply: string): Fields {
  try {
    return asObject(parseJson(reply)) ?? {};
  } catch {
    return {};
  }
}
