import { TouchstoneError } from '../../../core/errors.ts';
import { readSpan } from '../../../evaluate/datasets/otlp/read-spans.ts';
import { readAttributes, readSpanId, readTraceId } from '../../../evaluate/datasets/otlp/read-values.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { Span } from '../../../core/schema/message.ts';
import { readTrace } from '../../../evaluate/targets/replay/traces/read-trace.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer, JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { rowsIn } from '../content/rows.ts';
import {
  nameScores,
  translateAnswer,
  translateCase,
  translateRecords,
} from '../records/translate-records.ts';
import { asNumber, asText, type Fields, jsonObject, objectsIn, restOf } from '../values.ts';

/**
 * Evaluation results as OpenTelemetry describes them for generative models, on spans or as log records. Log records are
 * joined with the spans of other files of a folder by the ids of trace, span or response.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export const otel: Importer = {
  name: 'otel',
  title: 'OpenTelemetry',
  reads: [
    'spans.attributes.key',
    'events.attributes.key',
    'logRecords.attributes.key',
    'resourceSpans.resource.attributes.key',
    'events.attributes.value.stringValue',
    'logRecords.attributes.value.stringValue',
    'spans.attributes.value.intValue',
    'eventName',
    'events.name',
    'endTimeUnixNano',
    'spans.status.code',
  ],
  detect(content) {
    const found = readTelemetry(content);
    return found.results.length === 0 ? undefined : `OpenTelemetry with ${count(found)}`;
  },
  async read(content, ledger) {
    const found = readTelemetry(content);
    if (found.results.length === 0) {
      throw new TouchstoneError('import-invalid', `${content.name}: there is no evaluation result in it.`, {
        remedy:
          'Traces without evaluation results are read with `touchstone score FILE` (docs/production.md).',
      });
    }
    return translateRecords(collect(found, ledger), { title: 'OpenTelemetry', found: count(found), ledger });
  },
};

/** An evaluation result with the work that it is about, as far as it names it. */
interface EvaluationResult {
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly attributes: Fields;
}

interface Telemetry {
  readonly spans: readonly Span[];
  readonly results: readonly EvaluationResult[];
}

const eventName = 'gen_ai.evaluation.result';

function readTelemetry(content: ImportContent): Telemetry {
  const rows = rowsIn(content) ?? [];
  const spans = rows.flatMap(({ resourceSpans }) => objectsIn(resourceSpans).flatMap(spansIn));
  const onSpans = spans.flatMap(({ traceId, spanId, events }) =>
    events
      .filter(({ name }) => name === eventName)
      .map(({ attributes }) => ({ traceId, spanId, attributes })),
  );
  const inLogs = rows.flatMap(({ resourceLogs }) => objectsIn(resourceLogs).flatMap(resultsIn));
  // A program may send each result both ways.
  const known = new Set(onSpans.map(identityOf));
  return { spans, results: [...onSpans, ...inLogs.filter((result) => !known.has(identityOf(result)))] };
}

function identityOf({ traceId, spanId, attributes }: EvaluationResult): string {
  return JSON.stringify([traceId, spanId, attributes['gen_ai.evaluation.name']]);
}

function spansIn(group: Fields): Span[] {
  const resource = readAttributes((group.resource as Fields | undefined)?.attributes);
  return objectsIn(group.scopeSpans).flatMap(({ spans }) =>
    objectsIn(spans).flatMap((span) => readSpan(span, { place: { file: 'traces' }, resource }) ?? []),
  );
}

function resultsIn(group: Fields): EvaluationResult[] {
  return objectsIn(group.scopeLogs).flatMap(({ logRecords }) =>
    objectsIn(logRecords).flatMap((record): EvaluationResult[] => {
      const attributes = readAttributes(record.attributes);
      const name = asText(record.eventName) ?? asText(attributes['event.name']);
      if (name !== eventName) return [];
      return [{ traceId: readTraceId(record.traceId), spanId: readSpanId(record.spanId), attributes }];
    }),
  );
}

function count({ spans, results }: Telemetry): string {
  const counted = formatPlural(results.length, 'evaluation result');
  return spans.length === 0 ? counted : `${counted}, ${formatPlural(spans.length, 'span')}`;
}

/** Joins results with the traces that they are about. */
function collect({ spans, results }: Telemetry, ledger: Ledger): FoundTrial[] {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  const bySpan = new Map(spans.map((span) => [span.spanId, span.traceId]));
  const byResponse = new Map(spans.map((span) => [span.attributes['gen_ai.response.id'], span.traceId]));
  const keyOf = ({ traceId, spanId, attributes }: EvaluationResult) => {
    const response = asText(attributes['gen_ai.response.id']);
    const known = traceId !== undefined && traces.has(traceId) ? traceId : undefined;
    const joined = known ?? (spanId && bySpan.get(spanId)) ?? (response && byResponse.get(response));
    return joined ?? traceId ?? response ?? spanId ?? 'unknown';
  };
  const judged = Map.groupBy(results, keyOf);
  return [...new Set([...traces.keys(), ...judged.keys()])].map((key) =>
    translateTrace(key, { spans: traces.get(key) ?? [], results: judged.get(key) ?? [], ledger }),
  );
}

function translateTrace(
  key: string,
  {
    spans,
    results,
    ledger,
  }: { spans: readonly Span[]; results: readonly EvaluationResult[]; ledger: Ledger },
): FoundTrial {
  const found = spans.length === 0 ? undefined : readTrace({ spans });
  const read = found === undefined ? undefined : withMessage(found, spans);
  if (read === undefined) {
    ledger.approximate('trace that is named by a result only', {
      became: 'answer without a text',
      note: 'Its question and its answer are not in the file. Import a folder that has the spans, too.',
    });
  }
  const own = identityIn(spans);
  const { caseId, category, attempt } = own;
  const origin = caseId === undefined ? { traceId: key } : {};
  const testCase = {
    ...translateCase({ input: read?.question, origin }, ledger),
    ...(category !== undefined && { category }),
  };
  const scores = nameScores(
    results.map(({ attributes }) => translateResult(attributes)),
    ledger,
  );
  const error = read?.error;
  return {
    caseKey: caseId ?? key,
    name: caseId ?? key,
    testCase,
    target: own.target ?? 'otel',
    order: attempt,
    row: rowOf(key, { read, spans, testCase, ledger }),
    ...(error === undefined && scores.length > 0 && { scores }),
  };
}

/** Adds the message of an error to its type, where the span that failed has both. */
function withMessage(
  read: NonNullable<ReturnType<typeof readTrace>>,
  spans: readonly Span[],
): NonNullable<ReturnType<typeof readTrace>> {
  const failed = spans.find(({ attributes }) => attributes['error.type'] === read.error);
  const message = asText(failed?.attributes['error.message']);
  if (read.error === undefined || message === undefined) return read;
  return { ...read, error: `${read.error}: ${message}` };
}

/** The case, the target and the attempt that a trace is of. */
interface TraceIdentity {
  readonly caseId?: string;
  readonly category?: string;
  readonly target?: string;
  readonly attempt?: number;
}

/** Returns what a trace is of: the agent that it names, and, in spans of Touchstone, the case and the attempt. */
function identityIn(spans: readonly Span[]): TraceIdentity {
  const own = spans.find(({ attributes }) => attributes['touchstone.case.id'] !== undefined);
  const named = own ?? spans.find(({ attributes }) => attributes['gen_ai.agent.name'] !== undefined);
  const attributes = named?.attributes ?? {};
  return {
    caseId: asText(attributes['touchstone.case.id']),
    category: asText(attributes['touchstone.case.category']),
    target: asText(attributes['gen_ai.agent.name']),
    attempt: asNumber(attributes['touchstone.trial.attempt']),
  };
}

/** Returns the start of the first span, in milliseconds since 1970; undefined when none states its start. */
function startOf(spans: readonly Span[]): number | undefined {
  const starts = spans.flatMap(({ startMs }) => startMs ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** Attributes whose content is in the conversation. */
const isOfConversation = /messages$|\.(?:prompt|completion)$|^(?:input|output)\.value$/;

/** Returns the facts of spans that have no place of their own, such as the models and settings, and the service that they are of. */
function factsOf(spans: readonly Span[]): JsonObject {
  const [first] = spans;
  if (first === undefined) return {};
  return jsonObject({
    ...restOf({ resource: first.resource }, []),
    spans: spans.map(({ spanId, name, attributes }) => ({
      spanId,
      name,
      ...restOf(
        attributes,
        Object.keys(attributes).filter((each) => isOfConversation.test(each)),
      ),
    })),
  });
}

function rowOf(
  key: string,
  {
    read,
    spans,
    testCase,
    ledger,
  }: {
    read: ReturnType<typeof readTrace>;
    spans: readonly Span[];
    testCase: JsonObject;
    ledger: Ledger;
  },
): JsonObject {
  const row = translateAnswer(
    {
      output: read?.answer,
      isUnseen: read === undefined,
      ...(read?.error !== undefined && { error: read.error }),
      documents: (read?.documents ?? []).map((each) => ({ ...each })),
      startedAt: startOf(spans),
      source: { traceId: key, ...factsOf(spans) },
    },
    testCase,
    ledger,
  );
  if (read === undefined) return row;
  const { transcript, usage, cost, latency } = read;
  return jsonObject({
    ...row,
    transcript,
    usage,
    cost,
    ...(latency !== undefined && { latencyMs: latency }),
  });
}

/** The attributes of a result that have a place of their own in the score. */
const placedOfResult = [
  'gen_ai.evaluation.name',
  'gen_ai.evaluation.score.value',
  'gen_ai.evaluation.score.label',
  'gen_ai.evaluation.explanation',
  'gen_ai.response.id',
  'error.type',
  'touchstone.evaluation.passed',
  'touchstone.evaluation.unit',
];

function translateResult(attributes: Fields): FoundScore {
  const of = (name: string) => attributes[`gen_ai.evaluation.${name}`];
  const error = asText(attributes['error.type']);
  const passed = attributes['touchstone.evaluation.passed'];
  const label = asText(of('score.label'));
  return {
    name: asText(of('name')) ?? 'evaluation',
    value: asNumber(of('score.value')) ?? label ?? null,
    ...(label !== undefined && ['pass', 'fail'].includes(label) && { passed: label === 'pass' }),
    ...(typeof passed === 'boolean' && { passed }),
    ...(asText(attributes['touchstone.evaluation.unit']) !== undefined && { isQuantity: true }),
    ...(label !== undefined && !['pass', 'fail'].includes(label) && { label }),
    explanation: asText(of('explanation')),
    ...(error !== undefined && { failure: { code: 'evaluation-error', reason: error } }),
    evidence: jsonObject({
      label,
      response: asText(attributes['gen_ai.response.id']),
      ...restOf(attributes, placedOfResult),
    }),
  };
}
