import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  asTime,
  type Fields,
  jsonObject,
  restOf,
  withoutTerminalCodes,
} from '../values.ts';
import { resolveAttachment, translateMessages } from './translate-messages.ts';
import { type ScoreSurvey, translateScores } from './translate-scores.ts';

/** The case and the target of a sample. */
interface SampleContext {
  readonly id: string;
  readonly attempt: number;
  readonly target: string;
  /** The model under test, as Inspect names it. */
  readonly model: string;
  /** The time of its log. */
  readonly createdAt: string | undefined;
  /** The file of its log, where several are imported. */
  readonly place: { readonly place?: string };
  readonly survey: ScoreSurvey;
  readonly ledger: Ledger;
}

/** Translates one epoch of a sample to a recorded answer. */
export function translateSample(
  sample: Fields,
  { id, attempt, target, model, createdAt, place, survey, ledger }: SampleContext,
): JsonObject {
  const attachments = asObject(sample.attachments) ?? {};
  const transcript = translateMessages(asArray(sample.messages), attachments);
  const output = asObject(sample.output) ?? {};
  const error = errorOf(sample, ledger);
  const scores = error === undefined ? translateScores(sample, survey, ledger) : {};
  countEvents(sample, ledger);
  ledger.take('epoch of a sample', 'attempt');
  const answer = asText(output.completion) ?? lastWords(transcript);
  return jsonObject({
    caseId: id,
    attempt,
    recordedTarget: target,
    ...(error === undefined ? { answer: resolveAttachment(answer ?? '', attachments) } : { error }),
    transcript,
    usage: usageOf(sample, model, ledger),
    latencyMs: millisecondsOf(sample.working_time) ?? millisecondsOf(sample.total_time),
    startedAt: asTime(sample.started_at) ?? createdAt,
    ...stateOf(sample),
    ...scores,
    source: { ...sourceOf(sample, output, ledger), ...(place.place !== undefined && { log: place.place }) },
  });
}

function lastWords(transcript: readonly { role: string; content: string | null }[]): string | undefined {
  return transcript.findLast(({ role }) => role === 'assistant')?.content ?? undefined;
}

function errorOf({ error, error_retries: retries }: Fields, ledger: Ledger): string | undefined {
  if (asArray(retries).length > 0) {
    ledger.approximate('errors before a retry', {
      became: 'nothing',
      note: 'Only the last try of a sample is an attempt; the earlier errors are counted here.',
    });
  }
  const said = asObject(error);
  if (said === undefined) return undefined;
  ledger.take('error of a sample', 'error');
  return withoutTerminalCodes(asText(said.message) ?? asText(said.traceback) ?? 'an error without a message');
}

/** The usage of the model under test. The usage of a grader is not part of it. */
function usageOf({ model_usage: usage }: Fields, tested: string, ledger: Ledger): JsonObject | undefined {
  const byModel = asObject(usage) ?? {};
  for (const model of Object.keys(byModel)) {
    if (model === tested) ledger.take('usage of the model', 'usage');
    else {
      ledger.leaveOut(`usage of ${model}`, {
        note: 'It is the usage of a grader or of another model, not of the target.',
      });
    }
  }
  const own = asObject(byModel[tested]);
  return own === undefined
    ? undefined
    : jsonObject({
        inputTokens: asNumber(own.input_tokens),
        outputTokens: asNumber(own.output_tokens),
        cachedTokens: asNumber(own.input_tokens_cache_read),
        reasoningTokens: asNumber(own.reasoning_tokens),
      });
}

function millisecondsOf(seconds: unknown): number | undefined {
  const value = asNumber(seconds);
  return value === undefined ? undefined : value * 1000;
}

function stateOf({ store }: Fields): { state?: unknown } {
  return Object.keys(Object(store)).length > 0 ? { state: store } : {};
}

/** The members of a sample that have a place of their own in the case or the answer, or are named as not taken over. */
const translated = [
  'id epoch input choices target messages output scores metadata store files setup events',
  'events_data attachments model_usage role_usage error error_retries limit sandbox',
].flatMap((names) => names.split(' '));

/** Returns the names of the sample in its log, and how it ended. */
function sourceOf(sample: Fields, output: Fields, ledger: Ledger): JsonObject {
  const limit = asObject(sample.limit);
  if (limit !== undefined) {
    ledger.approximate(`limit of ${String(limit.type)}`, {
      became: 'answer',
      note: 'The limit ended the sample; it was scored all the same, and its scores are stored.',
    });
  }
  const choice = asObject(asArray(output.choices)[0]);
  return jsonObject({
    id: sample.id,
    epoch: sample.epoch,
    finishReason: asText(choice?.stop_reason),
    limit,
    traceback: tracebackOf(sample),
    ...restOf(sample, translated),
  });
}

function tracebackOf({ error }: Fields): string | undefined {
  const traceback = asText(asObject(error)?.traceback);
  return traceback && withoutTerminalCodes(traceback);
}

function countEvents({ events }: Fields, ledger: Ledger): void {
  if (asArray(events).length === 0) return;
  ledger.leaveOut('events', {
    note: 'Messages, tool calls and scores are taken from the sample itself; the log of events is not stored.',
  });
}
