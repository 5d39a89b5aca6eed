/** A number that need not be a whole one: always sent as such, since a collector may tell the two apart. */
export interface Quantity {
  readonly quantity: number;
}

/** What an attribute can be; other numbers are whole ones. */
export type AttributeValue = string | number | boolean | readonly string[] | Quantity;

/** What a span or an event says, by name. What is undefined is not said. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** An amount as an attribute; undefined when it is not known. */
export function toQuantity(amount: number | null | undefined): Quantity | undefined {
  return amount === null || amount === undefined ? undefined : { quantity: amount };
}

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly attributes: Attributes;
}

/** Which span is meant. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A span as it is going to be sent: something that took time, within something else or by itself. */
export interface OutgoingSpan extends SpanPlace {
  readonly parentSpanId?: string | undefined;
  /** A span of another trace that it belongs to. */
  readonly link?: SpanPlace | undefined;
  readonly name: string;
  /** `client` where somebody else did the work. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** Present when it went wrong: why, in a word. */
  readonly error?: string | undefined;
}
