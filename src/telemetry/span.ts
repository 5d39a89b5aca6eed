/** A number that may have a fraction. It is always sent as a double, since collectors distinguish integers from doubles. */
export interface Quantity {
  readonly quantity: number;
}

/** The value of an attribute. A plain number is an integer. */
export type AttributeValue = string | number | boolean | readonly string[] | Quantity;

/** The attributes of a span or an event by name. Undefined ones are not sent. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Returns an amount as an attribute; undefined when it is unknown. */
export function toQuantity(amount: number | null | undefined): Quantity | undefined {
  return amount === null || amount === undefined ? undefined : { quantity: amount };
}

/** An event at a time within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly attributes: Attributes;
}

/** The ids of a span. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A span to be sent: an operation with a start and an end, inside another span or at the top of a trace. */
export interface OutgoingSpan extends SpanPlace {
  readonly parentSpanId?: string | undefined;
  /** The ids of the span in another trace to which it belongs. */
  readonly link?: SpanPlace | undefined;
  readonly name: string;
  /** `client` for work done by another system. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** The code of the error; present when the operation failed. */
  readonly error?: string | undefined;
}
