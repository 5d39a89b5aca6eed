import { isNumber } from '../../../core/lib/json/exact-number.ts';
import type { Attributes, RecordedTrace, Span } from '../../../core/schema/message.ts';
import { type Fields, isFields } from '../reply/part.ts';
import { numbered, textOf, unpack } from './traces/attribute-values.ts';
import { readTrace } from './traces/read-trace.ts';

/** Attributes that name the case that a trace was made for. */
const caseIds = [
  'touchstone.case.id',
  'case.id',
  'case_id',
  'caseId',
  'test.case.id',
  'test_case.id',
  'test_case_id',
  'eval.case.id',
  'eval.case_id',
  'dataset.item.id',
  'dataset_item_id',
  'langfuse.dataset.item.id',
  'dataset.example.id',
  'example.id',
  'example_id',
  'task_id',
  'task.id',
];

/** The question of a trace that does not contain its question. */
export const unknownQuestion = '(the question was not recorded)';

/**
 * Returns a trace with the columns of recorded answers, and the attributes of its outermost span and of its resource as
 * further columns. Undefined for a trace without a model, an agent or a tool.
 */
export function readTraceRow(trace: RecordedTrace): Fields | undefined {
  const read = readTrace(trace);
  if (read === undefined) return undefined;
  const { question, answer, transcript, notes, ...parts } = read;
  const columns = columnsOf(trace);
  const traceIds = [...new Set(trace.spans.map(({ traceId }) => traceId))];
  const { conversationId } = trace;
  const evaluations = evaluationsIn(trace.spans);
  const session = columns['session.id'];
  const caseId = caseIds.map((name) => columns[name]).find((id) => id !== undefined);
  return {
    ...columns,
    ...(evaluations !== undefined && { evaluations }),
    ...(typeof session === 'string' && { cluster: session }),
    id: caseId ?? conversationId ?? traceIds[0],
    traceIds: conversationId === undefined ? traceIds : [conversationId, ...traceIds],
    question: question ?? unknownQuestion,
    answer,
    transcript,
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    ...(notes.length > 0 && { logs: shortened(notes) }),
  };
}

/** Attributes that describe the conversation or the program, and not the subject of the trace. */
const left =
  /^(gen_ai\.(input|output|prompt|completion|system_instructions|tool|usage|response|request|retrieval|operation)|openinference\.|llm\.|input\.|output\.|retrieval\.|reranker\.|embedding\.|ai\.|traceloop\.entity|gcp\.vertex|annotations|evaluations|trace\.|session\.(annot|eval)|http|url|net|server|client|user_agent|telemetry|process|host|os|container|k8s|cloud|faas|code|thread|otel|error)\b/;
const longest = 500;

function columnsOf({ spans }: RecordedTrace): Record<string, unknown> {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentId }) => parentId === undefined || !ids.has(parentId));
  const all = [...spans, ...roots].flatMap(({ resource, attributes }) => [resource, namedOnly(attributes)]);
  return Object.assign({}, ...all.map(plain), ...roots.map(({ attributes }) => plain(attributes)));
}

/** Returns the attributes by which inner spans name their case. Their other attributes are not the trace's. */
function namedOnly(attributes: Attributes): Attributes {
  const named = [...caseIds, 'session.id'].filter((name) => attributes[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, attributes[name]]));
}

function plain(attributes: Attributes): Attributes {
  const metadata = unpack(attributes['metadata']);
  const entries = Object.entries({ ...(isFields(metadata) && metadata), ...attributes });
  return Object.fromEntries(
    entries.filter(([name, value]) => name !== 'metadata' && !left.test(name) && isShort(value)),
  );
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longest;
  return isNumber(value) || typeof value === 'boolean' || isShortList(value);
}

function isShortList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 20 &&
    value.every((item) => typeof item === 'string' && item.length <= 100)
  );
}

const mostNotes = 20;

function shortened(notes: readonly string[]): string {
  const more = notes.length - mostNotes;
  return [...notes.slice(0, mostNotes), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** An evaluation of an answer found in a trace: a number or a label. */
type Finding = readonly [name: string, value: number | string];

/**
 * Returns the evaluations of the answer in the spans, by name: events of OpenTelemetry, annotations and evaluations of
 * OpenInference. Each is the number if there is one, else the label. Undefined when there are none.
 */
function evaluationsIn(spans: readonly Span[]): Record<string, number | string> | undefined {
  const findings = spans.flatMap((span) => [...fromEvents(span), ...fromAttributes(span)]);
  return findings.length === 0 ? undefined : Object.fromEntries(findings);
}

function fromEvents({ events }: Span): Finding[] {
  return events
    .filter(({ name }) => name === 'gen_ai.evaluation.result')
    .flatMap(({ attributes }) => toFinding(attributes, 'gen_ai.evaluation', ['score.value', 'score.label']));
}

const lists = ['annotation', 'evaluation'].flatMap((word) =>
  ['', 'trace.', 'session.'].map((scope) => [`${scope}${word}s`, word] as const),
);

function fromAttributes({ attributes }: Span): Finding[] {
  return lists.flatMap(([prefix, word]) =>
    numbered(attributes, prefix).flatMap((object) => toFinding(object, word, ['score', 'label'])),
  );
}

function toFinding(object: Fields, prefix: string, [score, label]: readonly [string, string]): Finding[] {
  const name = textOf(object, [`${prefix}.name`]);
  const number = object[`${prefix}.${score}`];
  const found = typeof number === 'number' ? number : textOf(object, [`${prefix}.${label}`]);
  return name === undefined || found === undefined ? [] : [[name, found]];
}
