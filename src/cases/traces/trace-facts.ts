import type { Message, RecordedTrace } from '../../core/schema/message.ts';
import type { RetrievedDocument } from '../../core/schema/trial.ts';
import { dayOf, type StoredSpan, type StoredTrace } from '../../core/schema/trace/stored-trace.ts';
import { readTraceRow, unknownQuestion } from '../../evaluate/targets/replay/trace-row.ts';

/** A successful use of a tool, with the span that recorded it. */
export interface UsedTool {
  readonly name: string;
  readonly spanId: string;
  readonly arguments: unknown;
  readonly result: unknown;
}

/** The facts of a trace about one answer to a user. */
export interface TraceFacts {
  readonly traceId: string;
  /** The day of the trace, such as `2026-12-31`. */
  readonly day: string;
  readonly conversation: string | null;
  /** The question, or the conversation that ends with it; null where it was not recorded. */
  readonly input: string | readonly Message[] | null;
  readonly question: string;
  readonly answer: string | null;
  /** The tools that were used for this answer and did not fail, in their order. */
  readonly tools: readonly UsedTool[];
  /** The documents that were found or given for this answer, the best first. */
  readonly documents: readonly RetrievedDocument[];
  /** In US dollars; null where it is not known. */
  readonly cost: number | null;
  /** The tokens of all calls of models; null where they are not known. */
  readonly tokens: number | null;
  /** The time from the first span to the last one, in milliseconds; null where it is not known. */
  readonly latencyMs: number | null;
  /** Present when the whole trace failed. */
  readonly error: string | undefined;
  /** The evaluations that the spans contain, by name: a number or a label. */
  readonly evaluations: Readonly<Record<string, number | string>>;
  /** The case of an evaluation that the trace was recorded for; null for a trace of production. */
  readonly evaluatedCase: string | null;
  /** The span that stands for the whole trace: its first one. */
  readonly rootSpanId: string;
}

/** Returns a stored trace in the form that readers of traces take. */
export function toRecordedTrace({ head, spans }: StoredTrace): RecordedTrace {
  const place = { file: `trace ${head.traceId}` };
  return {
    ...(head.conversation !== null && { conversationId: head.conversation }),
    spans: spans.map((span) => ({ ...span, place })),
  };
}

/** Reads what a trace says of an answer; undefined when it contains no model, no agent and no tool. */
export function readFacts(trace: StoredTrace): TraceFacts | undefined {
  const row = readTraceRow(toRecordedTrace(trace));
  if (row === undefined) return undefined;
  const { head, spans } = trace;
  const transcript = (row['transcript'] ?? []) as readonly Message[];
  const question = row['question'] as string;
  const asked = transcript.findLastIndex(({ role }) => role === 'user');
  const usage = row['usage'] as Readonly<Record<string, number>> | undefined;
  const latency = row['latency'] as { readonly totalMs?: number } | undefined;
  const evaluated = spans.map(({ attributes }) => attributes['touchstone.case.id']);
  return {
    traceId: head.traceId,
    day: dayOf(head),
    conversation: head.conversation,
    input: question === unknownQuestion ? null : inputOf(transcript.slice(0, asked + 1), question),
    question,
    answer: (row['answer'] as string | null | undefined) ?? null,
    tools: toolsIn(transcript.slice(asked + 1), spans),
    documents: (row['documents'] as readonly RetrievedDocument[] | undefined) ?? [],
    cost: (row['cost'] as number | undefined) ?? null,
    tokens: tokensIn(usage),
    latencyMs: latency?.totalMs ?? null,
    error: row['error'] as string | undefined,
    evaluations: (row['evaluations'] ?? {}) as TraceFacts['evaluations'],
    evaluatedCase: evaluated.find((id) => typeof id === 'string') ?? null,
    rootSpanId: (spans.find(({ parentId }) => parentId === undefined) ?? spans[0])?.spanId ?? '',
  };
}

/** Returns the question as a text, or with the messages of the user and the assistant before it. */
function inputOf(transcript: readonly Message[], question: string): TraceFacts['input'] {
  const said = transcript.flatMap(({ role, content }): Message[] =>
    (role === 'user' || role === 'assistant') && content !== null && content.trim() !== ''
      ? [{ role, content }]
      : [],
  );
  if (said.length <= 1) return said[0]?.content ?? question;
  return said;
}

function toolsIn(transcript: readonly Message[], spans: readonly StoredSpan[]): UsedTool[] {
  const calls = transcript.flatMap(({ toolCalls = [] }) => toolCalls);
  return calls
    .filter(({ error }) => error === undefined)
    .map(({ name, id, arguments: args, result }) => ({
      name,
      spanId: findToolSpan(spans, name, id)?.spanId ?? spans[0]?.spanId ?? '',
      arguments: args,
      result,
    }));
}

function findToolSpan(
  spans: readonly StoredSpan[],
  name: string,
  id: string | undefined,
): StoredSpan | undefined {
  const named = spans.filter(
    (span) =>
      span.name === name ||
      span.name === `execute_tool ${name}` ||
      Object.entries(span.attributes).some(
        ([key, value]) => /tool/i.test(key) && key.endsWith('name') && value === name,
      ),
  );
  return (
    named.find(({ attributes }) => id !== undefined && Object.values(attributes).includes(id)) ?? named[0]
  );
}

function tokensIn(usage: Readonly<Record<string, number>> | undefined): number | null {
  if (usage === undefined) return null;
  const [input, output] = [usage['inputTokens'], usage['outputTokens']];
  return input === undefined && output === undefined ? null : (input ?? 0) + (output ?? 0);
}
