/** Names and values that describe a piece of work, with lists and objects as JSON has them. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Something that happened at one moment of a span, or a log record that was written within it. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly timeMs?: number | undefined;
  readonly attributes: Attributes;
}

/** One piece of work in a trace, as OpenTelemetry records it. */
export interface Span {
  /** Where it stands in its file, for messages. */
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly traceId: string;
  /** Absent from a span that was written down without one. */
  readonly spanId?: string | undefined;
  /** Absent from the first span of a trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Present when the work failed; empty when nothing is said of why. */
  readonly error?: string | undefined;
  /** The agent or service that did the work. */
  readonly resource: Attributes;
}

/** Everything that a file holds of one trace, or of one conversation that several traces are of. */
export interface RecordedTrace {
  /** The name of the conversation that the spans say they belong to. */
  readonly conversationId?: string | undefined;
  /** At least one, in the order of the file. */
  readonly spans: readonly Span[];
}

/** Whether a value is a trace as the reader of traces gives it. */
export function isRecordedTrace(value: object): value is RecordedTrace {
  const { spans } = value as Partial<Record<'spans', unknown>>;
  return Array.isArray(spans) && spans.length > 0 && spans.every(isSpan);
}

function isSpan(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['place', 'traceId', 'attributes', 'events', 'resource'].every((part) => part in value);
}
