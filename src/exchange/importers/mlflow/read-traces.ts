import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import { asArray, asNumber, asObject, asText, type Fields, objectsIn, restOf, textOf } from '../values.ts';

/** The verdict of a scorer or a person on a trace. */
export interface Assessment {
  readonly name: string;
  readonly value: unknown;
  /** The message of a scorer that failed. */
  readonly error: string | undefined;
  readonly rationale: string | undefined;
  readonly source: Fields;
  /** Facts that have no member of their own here. */
  readonly rest?: Fields;
  /** True when a later one took its place. */
  readonly isReplaced: boolean;
}

/** A span within a trace, with its values read. */
export interface TraceSpan {
  readonly name: string;
  /** `TOOL`, `RETRIEVER`, `CHAT_MODEL` and others. */
  readonly type: string;
  readonly inputs: unknown;
  readonly outputs: unknown;
}

/** A trace of MLflow, from any of its files. */
export interface FoundTrace {
  /** Facts that have no member of their own here. */
  readonly rest?: Fields;
  readonly traceId: string | undefined;
  /** The id of the run in which it was evaluated. */
  readonly run: string | undefined;
  readonly request: unknown;
  readonly response: unknown;
  readonly error: string | undefined;
  readonly latencyMs: number | undefined;
  /** The time of the request, as the file has it. */
  readonly startedAt: unknown;
  readonly usage: Fields | undefined;
  /** The tags that are not MLflow's own. */
  readonly tags: Fields;
  readonly assessments: readonly Assessment[];
  readonly expectations: readonly (readonly [string, unknown])[];
  readonly spans: readonly TraceSpan[];
}

/** Reads the traces in a file; undefined when it contains none of MLflow. */
export function readTraces(content: ImportContent): FoundTrace[] | undefined {
  const classic = content.form === 'json' ? classicRows(content.value) : undefined;
  if (classic !== undefined) return classic.map(readClassicRow);
  const rows = rowsOf(content);
  if (rows === undefined || rows.length === 0) return undefined;
  if (rows.every(isTrace)) return rows.map((row) => readTrace(asObject(row.info) ?? {}, row));
  return rows.every(isRow) ? rows.map(readRow) : undefined;
}

function isTrace({ info, data }: Fields): boolean {
  const head = asObject(info);
  const id = head?.trace_id ?? head?.request_id;
  return id !== undefined && asObject(data)?.spans !== undefined;
}

function isRow(row: Fields): boolean {
  const hasValue = Object.keys(row).some((name) => name.endsWith('/value'));
  return 'trace_id' in row && (hasValue || 'assessments' in row) && ('request' in row || 'trace' in row);
}

/** Reads a row of the table of `genai.evaluate`. Its cells are JSON, or as Python writes them. */
function readRow(row: Fields): FoundTrace {
  const read = (name: string) => readCell(row[name]);
  const assessments = objectsIn(read('assessments'));
  const head = {
    trace_id: row.trace_id,
    state: row.state,
    trace_metadata: read('trace_metadata'),
    tags: read('tags'),
    assessments,
    execution_duration_ms: asNumber(read('execution_duration')),
    request_time: read('request_time'),
  };
  const found = readTrace(head, { data: { spans: read('spans') } });
  const fromColumns = assessments.length === 0 ? columnAssessments(row) : {};
  return {
    ...found,
    request: read('request') ?? found.request,
    response: row.response ?? found.response,
    ...fromColumns,
  };
}

/** Reads the assessments of a table that has them only as columns: `tone/value`, `tone/rationale`, `tone/error_message`. */
function columnAssessments(row: Fields): Pick<FoundTrace, 'assessments' | 'expectations'> {
  const names = Object.keys(row).flatMap((name) => (name.endsWith('/value') ? [name.slice(0, -6)] : []));
  const isExpectation = (name: string) => name.startsWith('expected_') || name === 'guidelines';
  const valueOf = (name: string) => readCell(row[`${name}/value`]);
  return {
    assessments: names
      .filter((name) => !isExpectation(name))
      .map((name) => ({
        name,
        value: valueOf(name),
        error: asText(row[`${name}/error_message`]),
        rationale: asText(row[`${name}/rationale`]),
        source: {},
        isReplaced: false,
      })),
    expectations: names
      .filter((name) => isExpectation(name) && valueOf(name) !== null)
      .map((name) => [name, valueOf(name)] as const),
  };
}

function readTrace(head: Fields, { data }: Fields): FoundTrace {
  const spans = objectsIn(asObject(data)?.spans);
  const root = spans.find(({ parent_span_id: parent, parent_id: id }) => (parent ?? id ?? null) === null);
  const metadata = asObject(head.trace_metadata) ?? {};
  const assessments = objectsIn(head.assessments);
  const latencyMs = asNumber(head.execution_duration_ms) ?? durationOf(root);
  return {
    rest: {
      ...restOf(head, ['trace_id', 'request_id', 'assessments', 'request_preview', 'response_preview']),
      trace_metadata: restOf(metadata, [
        'mlflow.traceInputs',
        'mlflow.traceOutputs',
        'mlflow.trace.tokenUsage',
      ]),
    },
    traceId: asText(head.trace_id) ?? asText(head.request_id),
    run: asText(metadata['mlflow.sourceRun']),
    request: attributeOf(root, 'mlflow.spanInputs') ?? readCell(head.request_preview),
    response: attributeOf(root, 'mlflow.spanOutputs') ?? head.response_preview,
    error: head.state === 'ERROR' ? errorOf(spans) : undefined,
    latencyMs,
    startedAt: head.request_time ?? head.timestamp_ms ?? root?.start_time_unix_nano,
    usage: usageOf(readCell(metadata['mlflow.trace.tokenUsage'])),
    tags: Object.fromEntries(
      Object.entries(asObject(head.tags) ?? {}).filter(([name]) => !name.startsWith('mlflow.')),
    ),
    assessments: assessments.filter((each) => each.expectation === undefined).map(readAssessment),
    expectations: assessments.flatMap((each) => {
      // A list or an object is JSON in a text.
      const { value: plain, serialized_value: written } = asObject(each.expectation) ?? {};
      const value = plain ?? readCell(asObject(written)?.value);
      return value === undefined || value === null
        ? []
        : [[asText(each.assessment_name) ?? '', value] as const];
    }),
    spans: spans.map((span) => ({
      name: asText(span.name) ?? 'span',
      type: textOf(attributeOf(span, 'mlflow.spanType') ?? ''),
      inputs: attributeOf(span, 'mlflow.spanInputs'),
      outputs: attributeOf(span, 'mlflow.spanOutputs'),
    })),
  };
}

function readAssessment(assessment: Fields): Assessment {
  const feedback = asObject(assessment.feedback) ?? {};
  const error = asObject(feedback.error);
  return {
    name: asText(assessment.assessment_name) ?? asText(assessment.name) ?? 'assessment',
    value: feedback.value,
    error:
      error === undefined ? undefined : (asText(error.error_message) ?? asText(error.error_code) ?? 'error'),
    rationale: asText(assessment.rationale),
    source: asObject(assessment.source) ?? {},
    rest: {
      ...restOf(assessment, ['assessment_name', 'name', 'feedback', 'rationale', 'source', 'valid']),
      ...restOf({ error }, []),
    },
    isReplaced: assessment.valid === false,
  };
}

/** Returns an attribute of a span, which MLflow writes as JSON in a text. */
function attributeOf(span: Fields | undefined, name: string): unknown {
  const value = asObject(span?.attributes)?.[name];
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function errorOf(spans: readonly Fields[]): string {
  const messages = spans.flatMap(({ status, events }) => [
    asText(asObject(status)?.message) ?? [],
    ...objectsIn(events).flatMap(
      ({ attributes }) => asText(asObject(attributes)?.['exception.message']) ?? [],
    ),
  ]);
  return messages.flat()[0] ?? 'the trace ended in an error';
}

function durationOf(span: Fields | undefined): number | undefined {
  const [start, end] = [asNumber(span?.start_time_unix_nano), asNumber(span?.end_time_unix_nano)];
  return start === undefined || end === undefined ? undefined : (end - start) / 1e6;
}

function usageOf(usage: unknown): Fields | undefined {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = asObject(usage) ?? {};
  return inputTokens === undefined && outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

/** Returns the rows of the table of the classic `mlflow.evaluate`: `{"columns": [...], "data": [[...]]}`. */
function classicRows(value: unknown): Fields[] | undefined {
  const { columns, data } = asObject(value) ?? {};
  const names = asArray(columns).map(textOf);
  const isClassic = names.some((name) => /\/(?:score|justification)$/.test(name) || name === 'outputs');
  if (!isClassic || !Array.isArray(data) || !data.every((row) => Array.isArray(row))) return undefined;
  return data.map((row: unknown[]) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

function readClassicRow(row: Fields): FoundTrace {
  const scores = Object.keys(row).flatMap((name) => (name.endsWith('/score') ? [name.slice(0, -6)] : []));
  const names = ['inputs', 'input', 'question', 'query'].filter((name) => name in row);
  const expected = ['targets', 'ground_truth', 'expected_response'].find((name) => name in row);
  const read = [names[0], expected, 'outputs', 'token_count', 'latency'];
  const rest = Object.entries(row).filter(
    ([name, value]) => !read.includes(name) && !name.includes('/') && value !== null,
  );
  return {
    traceId: undefined,
    run: undefined,
    request: row[names[0] ?? 'inputs'],
    response: row.outputs,
    error: undefined,
    latencyMs: asNumber(row.latency) === undefined ? undefined : (row.latency as number) * 1000,
    startedAt: undefined,
    usage: undefined,
    tags: Object.fromEntries(rest),
    assessments: scores.map((name) => ({
      name: name.replace(/\/v\d+$/, ''),
      value: row[`${name}/score`],
      error: undefined,
      rationale: asText(row[`${name}/justification`]),
      source: {},
      isReplaced: false,
    })),
    expectations:
      expected === undefined || row[expected] === null ? [] : [['expected_response', row[expected]]],
    spans: [],
  };
}
